"""The words for what may be wrong with the ways in and out of a study."""

from collections.abc import Mapping

from crito.services.inviting import Doubt


def N_(words: str) -> str:  # noqa: N802 - the name by which words are collected for the catalogues
    """Words that are translated where they are shown."""
    return words


DOUBTS: Mapping[Doubt, str] = {
    "no_code": N_("No code for %(about)s: these people have nothing to take back, so the platform cannot tell how it ended."),
    "code_of_done": N_("%(about)s gives the same code as being done: the platform would take these people for finished."),
    "code_with_spaces": N_("The code “%(about)s” holds a space, which gets lost when it is copied."),
    "example_code": N_("The code %(about)s is the one of the examples: put in the one that your platform made."),
    "return_elsewhere": N_("The way back leads to %(about)s, which is not Prolific."),
    "return_for_mturk": N_("Mechanical Turk takes no code by an address: workers type it into the task. The button leads to %(about)s."),
    "codes_without_platform": N_("There are codes, but no platform: people are shown a code that nobody asks for."),
    "only_experts": N_("The study is open to invited experts only: no link of a platform lets anyone in."),
    "not_reachable": N_("The server answers at %(about)s, which only this computer reaches: serve it at an address of its own first."),
    "not_encrypted": N_("The address %(about)s is not encrypted: browsers warn, and everyone on the way can read along."),
    "no_contact": N_("There is no contact: people cannot ask anyone about the study."),
    "no_consent_step": N_("These conditions do not ask for consent: %(about)s."),
}  # fmt: skip
