"""Words of a study file: in several languages, in files of their own, and as names."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from crito.model.errors import InvalidInput
from crito.model.ids import Language
from crito.model.study import Text
from crito.studies.item_files import decode
from crito.studies.reading import Reading
from crito.studies.sections import ConfidenceSection, LabelSection, OptionSection, name_from
from crito.studies.shape import one_of
from crito.studies.yaml_text import KeyPath


def plain_words(words: str, reading: Reading) -> Text:
    """Words that are given in no language, as those of the study's first one."""
    return Text({reading.languages[0]: words})


def as_words(name: str) -> str:
    """A name as words: with spaces, beginning large."""
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def words_of(words: Mapping[str, str] | None, path: KeyPath, reading: Reading, *, default: Text | None = None) -> Text:
    """`words` by language, in the order of the study's languages."""
    if words is None:
        return default or Text({})
    for language in words:
        if language and language not in reading.languages:
            wanted = one_of(language, reading.languages) + ", or add it to `languages`"
            reading.complain((*path, language), "the study has no such language", language, wanted)
    by_language = {Language(language or reading.languages[0]): text for language, text in words.items()}
    return Text({language: by_language[language] for language in reading.languages if language in by_language})


def long_words_of(words: Mapping[str, str] | None, path: KeyPath, reading: Reading) -> Text | None:
    """Like `words_of`, for words that may stand in files of their own."""
    if words is None:
        return None
    written: dict[str, str] = {}
    for language, text in words.items():
        at = (*path, language) if language else path
        written[language] = text_of_file(text, at, reading) if _is_file_name(text) else text
    return words_of(written, path, reading)


def _is_file_name(text: str) -> bool:
    return "\n" not in text and PurePosixPath(text).suffix.lower() in (".md", ".txt")


def text_of_file(name: str, path: KeyPath, reading: Reading) -> str:
    """The words in a file; none where it cannot be read, which is a problem of the study file."""
    data = reading.content(name, path)
    if data is None:
        return ""
    try:
        text = decode(data, file=name).strip()
    except InvalidInput as problem:
        reading.add(path, problem)
        return ""
    if not text:
        reading.complain(path, "this file is empty", name, "write the text into it")
    return text


def names_once(
    sections: Sequence[LabelSection | OptionSection | ConfidenceSection], path: KeyPath, reading: Reading
) -> list[tuple[str, Text]]:
    """Name and wording of each entry; a name is made from the words where none is given."""
    named: list[tuple[str, Text]] = []
    first: dict[str, int] = {}
    for place, section in enumerate(sections):
        at = (*path, place)
        text = words_of(section.text, (*at, "text"), reading, default=plain_words(section.name or "", reading))
        name = section.name or name_from(next(iter(text.by_language.values()), ""))
        if not name:
            reading.complain(at, "no name can be made from these words", wanted="write {name: …, text: …}")
        elif name in first:
            reading.complain(at, f"this name stands here twice, first as number {first[name] + 1}", name, "use another")
        first.setdefault(name, place)
        named.append((name, text))
    return named
