"""Prompt texts as files, versioned and hashed."""

from crito.prompts.files import Prompt, Rendered, fenced, languages, load, names, render
from crito.prompts.partner import again, fixed, instructions, opening, partner_languages, person_message

__all__ = [
    "Prompt",
    "Rendered",
    "again",
    "fenced",
    "fixed",
    "instructions",
    "languages",
    "load",
    "names",
    "opening",
    "partner_languages",
    "person_message",
    "render",
]
