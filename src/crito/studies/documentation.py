"""What a study file may say, for editors (JSON Schema) and for people (a page of the reference)."""

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic.fields import FieldInfo

from crito.model.study import Question
from crito.studies import ready
from crito.studies.sections import TITLES, Section, StudyFile, reads

REFERENCE_FILE = "docs/reference/study-file.md"
"""Where the page of `reference` is kept, seen from the project's folder."""


def json_schema() -> dict[str, Any]:
    """JSON Schema of the study file, so that an editor completes keys and marks mistakes."""
    schema = StudyFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Crito study file"}


def reference() -> str:
    """The reference page on the study file, in Markdown."""
    parts = [_INTRODUCTION, *(_section(section) for section in TITLES), *_ready_made()]
    return "\n".join(parts).rstrip() + "\n"


_INTRODUCTION = """\
# The study file

<!-- Made from the code by crito.studies.documentation. Change the descriptions there. -->

A study is one YAML file, with files for items and long texts beside it.
Only `study` and `tasks` must be there; everything else has a default, and the defaults are the instrument of `socratic`.
`crito check STUDY` says what is wrong, in which line, and what would do.

- It is YAML 1.2: `yes`, `no`, `on` and `off` are text, so they can be labels. Only `true` and `false` are truth values.
- A key that is not listed here is an error.
- Wherever a text may stand, a text per language may stand: `question: {en: Is it sarcastic?, it: È sarcastica?}`.
- `consent`, `instructions`, `pause` and `guideline` may name a file that ends in `.md` or `.txt`.
  Its paragraphs are parted by empty lines; lists, headings and emphasis are written as in Markdown.
- Paths are seen from the study file.

```yaml
study: sarcasm
tasks:
  - name: sarcasm
    question: Is this review sarcastic?
    labels: [Sarcastic, Not sarcastic]
    items: items.jsonl
```
"""


def _section(section: type[Section]) -> str:
    title = "Keys of the file" if section is StudyFile else TITLES[section].capitalize()
    lines = [f"## {title}", "", inspect.cleandoc(section.__doc__ or ""), "", "| key | takes | left out | what it is |"]
    lines.append("|---|---|---|---|")
    for key, known in section.model_fields.items():
        what = " ".join((known.description or "").split())
        cells = (f"`{key}`", reads(known.annotation, known.metadata), _left_out(known), what)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _left_out(known: FieldInfo) -> str:
    """The default, as it would be written."""
    if known.is_required():
        return "*required*"
    default = known.default
    if isinstance(default, list):
        return f"`[{', '.join(default)}]`"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, int | float):
        return f"`{default:g}`"
    return f"`{default}`" if isinstance(default, str) and default else "–"


def _ready_made() -> Iterator[str]:
    """What a study file may name instead of writing it."""
    yield "## Ready-made questions\n"
    yield "A list of questions may name these by key. They are in English; a text of your own can take the place of each.\n"
    parts = {
        "Expectations": ready.EXPECTATIONS,
        "Reconsiderations": (*ready.RECONSIDERATIONS, *ready.ABOUT_DEBATES),
        "Attention checks": [check.question for check in ready.ATTENTION_CHECKS],
        "Survey block `nasa_tlx`": ready.NASA_TLX,
        "Survey block `experience`": ready.EXPERIENCE,
    }
    for title, questions in parts.items():
        yield f"### {title}\n"
        yield from _questions(questions)
    yield "## Ready-made personas\n"
    yield "| name | what the partner is told |\n|---|---|"
    for name, words in ready.PERSONAS.items():
        yield f"| `{name}` | {words} |"


def _questions(questions: Sequence[Question]) -> Iterator[str]:
    yield "| key | question | answers | asked |\n|---|---|---|---|"
    for question in questions:
        asked = [f"after {question.only_if[0]}: {', '.join(question.only_if[1])}"] if question.only_if else []
        asked += [f"with `{question.only_with}`"] if question.only_with else []
        asked += [] if question.required else ["may be left open"]
        words = question.text.in_language(ready.READY_LANGUAGE)
        yield f"| `{question.key}` | {words} | {_answers(question)} | {'; '.join(asked) or 'always'} |"
    yield ""


def _answers(question: Question) -> str:
    if question.kind == "scale":
        low, high = (end.in_language(ready.READY_LANGUAGE) for end in (question.low, question.high))
        return f"1 ({low}) to {question.steps} ({high})"
    if question.kind == "text":
        return "free text"
    return "<br>".join(f"`{o.name}` {o.text.in_language(ready.READY_LANGUAGE)}" for o in question.options)
