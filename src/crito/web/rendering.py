"""Pages from templates: one compiled set per language, with the study's words and our own in that language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from gettext import NullTranslations
from typing import Any

from babel.dates import format_timedelta
from babel.numbers import format_decimal, format_percent
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from crito.model.ids import Language
from crito.model.study import NOT_SURE, Label, Text
from crito.services.pages import AnnotatePage, ResolvePage, SecondLabelling
from crito.web.static_files import StaticFiles
from crito.web.telling import telling
from crito.web.words import babel_locale, catalogue, direction, ours

SHORT_ROW, SHORT_ROW_OPTIONS = 18, 4
"""Up to four options of at most 18 characters stand side by side."""

MAX_LABELLINGS = 500
"""Labelling forms kept ready, for each language: one for each task, attention check and edition."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What the page that comes next has to say about the form that was sent.

    `what` is one of `NOTICES`; `field` the form field to look at, `number` a figure in the words.
    """

    what: str
    field: str = ""
    number: int = 0

    @property
    def tone(self) -> str:
        return "fault" if self.what in FAULTS else "calm"


FAULTS = frozenset({"missing", "unusable", "empty", "long"})
NOTICES = FAULTS | {"closed", "conflict", "slow_down", "signed_out"}


class Pages:
    """Renders templates; keeps one environment per language and nothing about anybody."""

    def __init__(self, static: StaticFiles) -> None:
        self._static = static
        self._prose = _prose_renderer()
        self._environments: dict[tuple[Language, Language], Environment] = {}

    def render(
        self, template: str, language: Language, root_path: str, *, words: Language | None = None, **values: Any
    ) -> str:
        """The page as text.

        Args:
            template: its name without `.html`.
            language: of the study's words.
            root_path: the prefix of every address on the page.
            words: the language of our own words, if it is not the study's.
            **values: what the template shows.
        """
        spoken = words or ours(language)
        environment = self._environments.get((language, spoken)) or self._environment(language, spoken)
        return environment.get_template(template + ".html").render(
            root_path=root_path,
            static=lambda name: f"{root_path}/static/{self._static.address(name)}",
            **values,
        )

    def _environment(self, language: Language, spoken: Language) -> Environment:
        environment = Environment(
            loader=PackageLoader("crito.web"),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
        )
        translations = catalogue(spoken)
        locale = babel_locale(spoken)
        environment.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]
        environment.globals.update(
            language=spoken,
            direction=direction(spoken),
            study_lang=lang_mark(language, spoken),
            notice=None,
            readable=(),
            study_title="",
            base="",
            may_stop=False,
            asked="",
            form_id="",
            here="",
            open_guideline=False,
            oob=False,
        )
        environment.filters.update(
            say=lambda text: text.in_language(language),
            told=telling(translations, locale),
            said=lambda text: marked(text, language, spoken),
            lang=lambda of: lang_mark(of.spoken(language) if isinstance(of, Text) else of, spoken),
            prose=self._prose,
            excerpt=excerpt,
            layout=lambda options: layout([option.text.in_language(language) for option in options]),
            quoted=lambda words: translations.gettext("“%(words)s”") % {"words": isolated(words)},
            with_not_sure=lambda labels, words: (
                *labels,
                Label(
                    NOT_SURE,
                    Text({spoken: words}),
                    Text({spoken: translations.gettext("After all this I cannot choose one of the labels.")}),
                ),
            ),
            ago=lambda at, now: format_timedelta(at - now, add_direction=True, locale=locale),
            number=lambda value: format_decimal(value, locale=locale),
            percent=lambda share: format_percent(share, locale=locale),
            language_name=lambda tag: babel_locale(tag).get_display_name(locale) or tag,
            when=when,
            exactly=lambda at: f"{at:%Y-%m-%d %H:%M:%S} UTC",
        )
        environment.globals["labelling"] = _Labelling(environment)
        environment.globals["_"] = _Words(translations)
        self._environments[language, spoken] = environment
        return environment


class _Words:
    """Our own words in one language, for templates: looked up once, unless a page puts something into them.

    Jinja's own way there goes through three calls each time, and a page has some twenty of them.
    """

    def __init__(self, translations: NullTranslations) -> None:
        self._translations = translations
        self._whole: dict[str, Markup] = {}

    def __call__(self, words: str, /, **values: Any) -> Markup:
        if values:
            return Markup(self._translations.gettext(words)) % values  # noqa: S704
        if words not in self._whole:
            self._whole[words] = Markup(self._translations.gettext(words)) % {}  # noqa: S704
        return self._whole[words]


class _Labelling:
    """The asks of a labelling, for templates: rendered once for everyone who has not begun to answer them.

    They are most of a page's work, and the same objects of one edition come again with every person.
    """

    def __init__(self, environment: Environment) -> None:
        self._template = environment.get_template("fragments/labelling.html")
        self._untouched: dict[tuple[object, ...], tuple[object, Markup]] = {}

    def __call__(
        self,
        legend: str,
        asked: AnnotatePage | ResolvePage | SecondLabelling,
        given: Mapping[str, str],
        fault: str,
        *,
        not_sure: str = "",
        ask_rationale: bool = False,
    ) -> Markup:
        if given or fault:
            return self._rendered(legend, asked, given, fault, not_sure, ask_rationale)
        parts = (asked.labels, asked.confidence, *asked.questions)
        key = (legend, not_sure, ask_rationale, *map(id, parts))
        if key not in self._untouched:
            if len(self._untouched) >= MAX_LABELLINGS:
                self._untouched.clear()
            # The parts are kept as well, so that their ids stay theirs.
            self._untouched[key] = (parts, self._rendered(legend, asked, given, fault, not_sure, ask_rationale))
        return self._untouched[key][1]

    def _rendered(
        self,
        legend: str,
        asked: AnnotatePage | ResolvePage | SecondLabelling,
        given: Mapping[str, str],
        fault: str,
        not_sure: str,
        ask_rationale: bool,
    ) -> Markup:
        return Markup(  # noqa: S704
            self._template.render(
                legend=legend,
                labels=asked.labels,
                confidence=asked.confidence,
                questions=asked.questions,
                given=given,
                fault=fault,
                not_sure=not_sure,
                ask_rationale=ask_rationale,
            )
        )


def lang_mark(language: Language, spoken: Language) -> Markup:
    """The attribute that names the language of words on a page in another one: screen readers speak it, fonts follow it."""
    return Markup("") if language == spoken else Markup(' lang="{}"').format(language)


def marked(text: Text, language: Language, spoken: Language) -> str:
    """A study's words on a page that speaks `spoken`, with their language named if it is another one."""
    words, mark = text.in_language(language), lang_mark(text.spoken(language), spoken)
    return Markup("<span{}>{}</span>").format(mark, words) if mark and words else words


def when(at: datetime) -> Markup:
    """A moment, in UTC until a script writes it as the clock of whoever looks shows it; the exact time on hover."""
    return Markup(
        '<time datetime="{}" title="{:%Y-%m-%d %H:%M:%S} UTC" data-local>{:%Y-%m-%d %H:%M} UTC</time>'
    ).format(at.isoformat(), at, at)


def isolated(words: str) -> str:
    """`words` wrapped so that writing direction marks in them stay inside."""
    return f"\u2068{words}\u2069"


def excerpt(text: str, characters: int) -> str:
    """The beginning of `text` on one line."""
    line = " ".join(text[: characters * 2].split())
    return line if len(line) <= characters and len(text) <= characters * 2 else line[:characters].rstrip() + " …"


def layout(words: Sequence[str]) -> str:
    """`across` for a few short options, else `stack`."""
    return "across" if len(words) <= SHORT_ROW_OPTIONS and all(len(word) <= SHORT_ROW for word in words) else "stack"


def _prose_renderer() -> Callable[[str], Markup]:
    # HTML in a study's text is shown as text, and nothing is loaded from elsewhere.
    markdown = MarkdownIt("commonmark", {"html": False}).disable("image")

    @lru_cache(maxsize=256)
    def prose(text: str) -> Markup:
        tokens = markdown.parse(text)
        for token in tokens:
            if token.type in ("heading_open", "heading_close"):
                token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
        return Markup(markdown.renderer.render(tokens, markdown.options, {}))  # noqa: S704

    return prose
