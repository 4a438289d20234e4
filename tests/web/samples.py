"""Pages with made-up content, to look at templates without a study behind them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

from crito.model.access import (
    SCOPES,
    STUDY_ROLES,
    AccessLink,
    Account,
    AccountSession,
    ApiToken,
    Member,
    Reading,
)
from crito.model.debate import Debate, Debater, DebateTurn, Flag, Intervention, Stance
from crito.model.ids import AccountId, AnnotatorId, AssignmentId, DebateId, ItemId, Language, RunId, StudyName, TaskName
from crito.model.phrase import Phrase
from crito.model.record import AgentRun, Exclusion, HeldDebate, Participant, PersonMinutes
from crito.model.study import ConfidenceStep, Item, Label, Option, Pay, Question, Suggestions, Text
from crito.protocols.debate.moderation import as_text
from crito.services.accounts import Opened, SignedIn
from crito.services.agreeing import TaskCard
from crito.services.debate_files import flag_words, scenes, speaker_words, turn_words
from crito.services.debating import DebateRun, Standing
from crito.services.happening import Happening, Here, ItemDone, Need, Strip
from crito.services.hosting import HostedStudy
from crito.services.items import ITEM_STATES, ItemFilter, ItemPage, LabelledBy, ListedItem, OneItem
from crito.services.ledger import CallSum
from crito.services.members import Access, MemberRow
from crito.services.pages import (
    AboutYouPage,
    AnnotatePage,
    ArguedTopic,
    ConfirmPage,
    EndPage,
    ExpertFrame,
    ExpertPage,
    Frame,
    GivenLabel,
    HandedTask,
    InstructionsPage,
    Line,
    PausePage,
    ReadDebate,
    ResolvePage,
    SecondLabelling,
    ShownItem,
    ShownSuggestion,
    SurveyPage,
    Talk,
    TalkPage,
)
from crito.services.pay import PHASES, GroupMinutes, Load, Phase, Spread
from crito.services.people import GivenLabel as TheirLabel
from crito.services.people import HeldTalk, ListedPerson, Moment, OnePerson, PeopleFilter, PeoplePage, SignalsPage
from crito.services.ports.owner import ActivePerson, FinishedPerson, LabelCount, ListedTalk, PersonRow, TalkRow
from crito.services.reading import SaidTurn, TalkFilter, Transcript
from crito.services.reading import TalkPage as ListOfTalks
from crito.services.signals import Signals
from crito.services.timing import AnnotatorTiming
from crito.stats.timing import TimedLabel, timing_signals
from crito.studies import ready
from crito.studies.planning import notes_on_suggestions
from crito.web.items import address_of as address_of_items
from crito.web.overview import strip_rows
from crito.web.people import STATES, address_of
from crito.web.transcripts import address_of as address_of_talks
from tests.builders import make_study, make_task
from tests.web.evidence_samples import EVIDENCE, EVIDENCE_FULL, EVIDENCE_HANDED
from tests.web.recruiting_samples import (
    ERASURES,
    ERASURES_NONE,
    RECRUIT,
    RECRUIT_DOUBTS,
    SUBMISSIONS,
    SUBMISSIONS_NONE,
)

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
ENGLISH = Language("en")


def text(words: str) -> Text:
    return Text({ENGLISH: words})


def choice(key: str, words: str, *options: str, **more: object) -> Question:
    named = tuple(Option(option.lower().replace(" ", "_"), text(option)) for option in options)
    return Question(key, text(words), "choice", named, **more)  # type: ignore[arg-type]


def scale(key: str, words: str) -> Question:
    return Question(key, text(words), "scale", steps=21, low=text("Very low"), high=text("Very high"))


LABELS = (
    Label("Sarcastic", text("Sarcastic"), text("The words say one thing and the writer means another.")),
    Label("Not sarcastic", text("Not sarcastic"), text("The writer means what the words say.")),
)
CONFIDENCE = (
    ConfidenceStep("very", text("Very sure"), 1.0),
    ConfidenceStep("somewhat", text("Somewhat sure"), 0.5),
    ConfidenceStep("not", text("Not sure"), 0.0),
)
EXPECTATIONS = (
    choice(
        "talk_helps",
        "Would talking about this text make its label any clearer?",
        "Yes, a talk would help to settle how to label it",
        "No, a talk would not make a difference",
    ),
    choice(
        "others_agree",
        "What would other people say?",
        "Most would choose the same label",
        "About half would choose the same label",
        "Most would choose another label",
    ),
    choice(
        "check_colour",
        "Imagine your favourite colour is blue, but you always name red when asked. Which is it?",
        "Blue",
        "Red",
        "Yellow",
    ),
)
RECONSIDER = (
    choice("talk_helped", "Did the talk make it clearer how to label the text?", "Yes", "No"),
    choice("doubted", "Did the partner make you doubt your first label?", "Yes", "No"),
    Question("felt_process", text("How did the talk feel to you?"), "text", required=False),
)
SURVEY = (
    scale("mental_demand", "How much thinking did the work take?"),
    scale("effort", "How hard did you have to work for what you reached?"),
    choice(
        "talked_before", "Have you ever talked with another person about which label a text should get?", "Yes", "No"
    ),
    choice(
        "talk_was_helpful",
        "How much did those talks help you decide?",
        "A lot",
        "Somewhat",
        "Hardly",
        "They made it harder",
        only_if=("talked_before", ("yes",)),
    ),
    Question("anything_else", text("Is there anything else you would like to say?"), "text", required=False),
)
ITEM = ShownItem(
    "Three weeks of waiting, and the lamp arrives in a box that a truck had clearly sat on. The bulb was missing, which is "
    "just as well, because there is nothing left to screw it into.\n\nFive stars for the tape, though: the tape held.",
    {"Product": "Reading lamp, brass", "Stars": "5 of 5"},
    text(
        "Choose **Sarcastic** when the writer says something and wants you to understand the opposite.\n\n"
        "- A complaint in plain words is not sarcastic.\n- Praise that nobody could mean is."
    ),
)


def frame(done: int = 1) -> Frame:
    return Frame(text("Sarcasm and relations"), ENGLISH, done, 8)


INSTRUCTIONS = InstructionsPage(
    frame(0),
    text(
        "You will read **two short texts**, one at a time, and choose a label for each.\n\n"
        "Then you talk each of them through with a partner who asks questions. There is no trick and no grade: people see "
        "these texts differently, and it is *your* view that counts.\n\nIt takes about a quarter of an hour."
    ),
    2,
)
ANNOTATE = AnnotatePage(
    frame(),
    "annotate:a-1",
    AssignmentId("a-1"),
    1,
    2,
    text("Sarcasm in reviews"),
    text("Is this review sarcastic?"),
    ITEM,
    LABELS,
    CONFIDENCE,
    EXPECTATIONS,
    ask_rationale=True,
    fields={"label": "Sarcastic"},
)
CONFIRM = ConfirmPage(
    frame(3),
    (
        GivenLabel(
            AssignmentId("a-1"),
            text("Sarcasm in reviews"),
            "Three weeks of waiting, and the lamp arrives in …",
            text("Sarcastic"),
        ),
        GivenLabel(
            AssignmentId("a-2"),
            text("Where people lived"),
            "Ines Calder ran the ferry office in Port Ellery …",
            text("Lived in"),
        ),
    ),
)
LINES = (
    Line(
        "You labelled this text “Sarcastic” and said you are somewhat sure. What in it made you choose that?",
        partner=True,
    ),
    Line("The five stars for the tape. Nobody rates tape.", partner=False),
    Line(
        "You point at the stars for the tape. Could a patient person mean that as real praise for the packaging?",
        partner=True,
    ),
)
TALK = TalkPage(
    frame(4),
    AssignmentId("a-1"),
    1,
    2,
    text("Sarcasm in reviews"),
    text("Is this review sarcastic?"),
    ITEM,
    text("Sarcastic"),
    Talk("message:a-1:2", LINES, waiting=False, messages_left=1, draft=""),
    SecondLabelling("reannotate:a-1", LABELS, CONFIDENCE, RECONSIDER),
)
READING = replace(
    TALK,
    talk=None,
    debate=ReadDebate(
        (text("Not sarcastic"), text("Sarcastic")),
        (
            ArguedTopic(
                "The missing bulb",
                (
                    "A lamp without a bulb is a fault, and the writer reports it in plain order: three weeks, a crushed box, "
                    "no bulb. That nothing could be screwed in is simply what happened next.",
                    "Calling the missing bulb “just as well” thanks the seller for a second fault, since the first one made it "
                    "useless. Nobody means such thanks.",
                ),
            ),
            ArguedTopic("closing", ("The stars are low praise, and honest.", "")),
        ),
        "two friends of the authors",
    ),
)
PAUSE = PausePage(
    frame(5), text("Look out of the window for a moment. The next text comes when you are ready."), AssignmentId("a-2")
)
SURVEY_PAGE = SurveyPage(frame(7), SURVEY)
END = EndPage(
    frame(8), "done", "C1A2B3", "https://platform.example/done?code=C1A2B3", "ana@example.org", may_withdraw=True
)

PAGES = {
    "instructions": INSTRUCTIONS,
    "annotate": ANNOTATE,
    "confirm": CONFIRM,
    "talk": TALK,
    "talk_open": replace(
        TALK,
        talk=Talk(
            "message:a-1:4",
            (
                *LINES,
                Line("Not after a truck sat on the box.", partner=False),
                Line(
                    "So the wreck and the praise stand side by side, and that is your reason. You can label the text again below.",
                    partner=True,
                ),
            ),
            waiting=False,
            messages_left=0,
        ),
    ),
    "talk_waiting": replace(
        TALK,
        talk=Talk("message:a-1:2", (*LINES[:2],), waiting=True, messages_left=1, draft="And another thing"),
    ),
    "reading": READING,
    "reading_done": replace(READING, debate=replace(READING.debate, is_read=True)),  # type: ignore[type-var]
    "reading_later": replace(READING, debate=ReadDebate((text(""), text("")), (), "", waiting=True)),
    "annotate_fault": ANNOTATE,
    "pause": PAUSE,
    "survey": SURVEY_PAGE,
    "about_you": AboutYouPage(frame(7), ready.in_languages(ready.ABOUT_YOU, (ENGLISH,)), 5),
    "end": END,
}
CONSENT = {
    "consent": text(
        "We study how people read short texts, and whether talking about them helps. You will label two texts, talk about "
        "each, and answer a few questions.\n\nTaking part is voluntary and takes about fifteen minutes."
    ),
    "chosen": ENGLISH,
    "languages": [("en", "English", "?lang=en"), ("it", "italiano", "?lang=it")],
    "release": "transcripts",
    "talks": True,
    "link": {"PROLIFIC_PID": "5f0000000000000000000000"},
    "contact": "ana@example.org",
    "preview": False,
    "no_link": False,
}
PEOPLE = [
    PersonRow(
        Participant(
            AnnotatorId(f"p-{number:015x}"), StudyName("sample"), 1, "real", ENGLISH, "socratic", 7,
            NOW - timedelta(minutes=9 * number), ending, None,
        ),
        done, 2, NOW - timedelta(minutes=4 * number), None,
    )
    for number, (ending, done) in enumerate([(None, 0), (None, 1), ("done", 2), ("timed_out", 1), ("withdrawn", 0)], 1)
]  # fmt: skip
OWNER: dict[str, object] = {
    "csrf": "c",
    "owner": "/s/sample/owner",
    "fallen": (),
    "now": NOW,
    "study": "sample",
    "record": "sqlite:////srv/sample/study.db",
    "link_of_people": "https://crito.example/s/sample/",
    "member": Member(StudyName("sample"), AccountId("u-1"), "Ada Rossi", "owner"),
}
REFERENCE = StudyName("sample")
ADA, NOBODY = AccountId("u-1"), AccountId("")
ACCESS: dict[str, object] = {
    "link": "https://crito.example/enter/Yk3q0n2m8T4w6x1Z",
    "fault": "",
    "roles": STUDY_ROLES,
    "access": Access(
        [
            MemberRow(ADA, "Ada Rossi", "owner", NOW - timedelta(days=9), "", None),
            MemberRow(AccountId("u-2"), "Ken Mori", "reader", NOW - timedelta(days=2), "Ada Rossi", None),
            MemberRow(AccountId("u-3"), "Eva Weber", "expert", NOW - timedelta(hours=2), "Ada Rossi", None),
        ],
        [MemberRow(AccountId("u-4"), "Bo Lind", "reader", NOW - timedelta(days=8), "Ada Rossi", NOW)],
        [AccessLink("l-1", REFERENCE, None, "owner", "Mia", False, NOW, ADA, NOW + timedelta(days=14))],
        [(replace(PEOPLE[0].participant, role="expert"), "Lea")],
    ),
}
API_TOKEN = ApiToken(
    "t-1", REFERENCE, "nightly export", ("read:study", "read:labels"), NOW, ADA, NOW + timedelta(days=90)
)
TOKENS: dict[str, object] = {
    "token": "crito_Yk3q0n2m8T4w6x1Z5r7v9",
    "fault": "scopes",
    "scopes": SCOPES,
    "usual": SCOPES[:3],
    "days": 90,
    "most_days": 365,
    "tokens": [
        API_TOKEN,
        replace(API_TOKEN, id="t-2", name="notebook", revoked_at=NOW),
        replace(API_TOKEN, id="t-3", name="dashboard of the lab", scopes=SCOPES, until=NOW - timedelta(days=1)),
    ],
}
DIALOGUE = TalkRow(
    AssignmentId("a-1f0c"), AnnotatorId("p-000000000000001"), TaskName("sarcasm"), ItemId("review-17"), "0" * 64,
    "socratic", RunId("r-1"), 2,
)  # fmt: skip
TRANSCRIPT = Transcript(
    DIALOGUE,
    Item(DIALOGUE.item, "What a triumph: the kettle whistles, and nobody in the house can make it stop."),
    [
        SaidTurn("partner", "script", "Which words made you choose that label?", (), NOW - timedelta(minutes=3)),
        SaidTurn("participant", "person", "The praise is too large for a kettle.", (), NOW - timedelta(minutes=2)),
        SaidTurn("partner", "model", "It is sarcastic, you are right.", ("tells_label",), NOW),
        SaidTurn("participant", "person", None, (), NOW),
    ],
)
LISTED_TALK = ListedTalk(
    DIALOGUE.run, DIALOGUE.assignment, DIALOGUE.annotator, DIALOGUE.task, DIALOGUE.item, DIALOGUE.item_hash, "socratic", "open",
    NOW - timedelta(minutes=9), NOW, 2, 1,
)  # fmt: skip
TRANSCRIPTS: dict[str, object] = {
    "page": ListOfTalks([LISTED_TALK], 1, 1204, frozenset({DIALOGUE.assignment}), "r-1", {}),
    "which": TalkFilter(marked="unseen"),
    "address_of": partial(address_of_talks, TalkFilter(marked="unseen")),
    "all_unseen": True,
    "after": "r-9",
    "tasks": ["sarcasm", "relation"],
    "conditions": ["control", "socratic"],
}
READINGS: dict[str, object] = {
    "readings": [
        Reading(REFERENCE, ADA, "Ada Rossi", DIALOGUE.annotator, DIALOGUE.assignment, NOW),
        Reading(REFERENCE, NOBODY, "nightly export", DIALOGUE.annotator, DIALOGUE.assignment, NOW - timedelta(hours=7)),
    ],
    "n_readings": 1204,
    "before": 7,
    "next_before": 3,
}
HOME: dict[str, object] = {"study_title": "", "base": "", "now": NOW, "fault": ""}
ACCOUNT = Account(ADA, "Ada Rossi", "ada@example.org", "scrypt$", NOW)
SESSION = AccountSession("s-1", ADA, StudyName(""), NOW, NOW + timedelta(days=14))
STUDIES: dict[str, object] = {
    **HOME,
    "who": SignedIn(ACCOUNT, SESSION),
    "n_archived": 1,
    "archived": False,
    "studies": [
        HostedStudy(REFERENCE, text("Sarcasm and relations"), "owner", "open", None, 1047, 1041),
        HostedStudy(StudyName("kettles"), text("Kettles in reviews"), "owner", "paused", NOW, 12, 9),
        HostedStudy(StudyName("pots"), text("Pots"), "reader", "open", None, 3, 0),
    ],
}
YOURS: dict[str, object] = {
    **HOME,
    "who": STUDIES["who"],
    "saved": True,
    "shortest": 10,
    "sessions": [SESSION, replace(SESSION, id="s-2", study=REFERENCE)],
}
INVITATION = AccessLink("l-1", REFERENCE, None, "reader", "Ken Mori", False, NOW, ADA, NOW)
INVITED: dict[str, object] = {
    "opened": Opened(INVITATION, None),
    "fault": "taken",
    "name": "Ken Mori",
    "email": "",
    "here": ACCOUNT,
    "at": "/enter/Yk3q0n2m8T4w6x1Z",
    "shortest": 10,
}
DOOR: dict[str, tuple[str, dict[str, object]]] = {
    "sign_in": ("sign_in", {**HOME, "wait_s": 0, "called": "", "next": ""}),
    "sign_in_wait": ("sign_in", {**HOME, "fault": "wait", "wait_s": 130, "called": "Ada", "next": ""}),
    "enter_invited": ("enter", INVITED),
    "enter_again": ("enter", {**INVITED, "opened": Opened(replace(INVITATION, account=ADA), ACCOUNT)}),
    "studies": ("studies", STUDIES),
    "studies_none": ("studies", {**STUDIES, "studies": []}),
    "account": ("account", YOURS),
    "account_narrow": (
        "account",
        {**YOURS, "who": SignedIn(ACCOUNT, replace(SESSION, study=REFERENCE)), "sessions": []},
    ),
    "closed_paused": ("closed", {"state": "paused", "contact": "ana@example.org"}),
    "closed_archived": ("closed", {"state": "archived", "contact": ""}),
}
SMALL_SAMPLE = make_study(suggestions=Suggestions("reader"))
OVERVIEW = Happening(
    people={"active": 12, "done": 1041, "timed_out": 3, "withdrawn": 1},
    here=[
        Here(
            ActivePerson(AnnotatorId(f"p-{n}"), "socratic", "participant", "talk:a", NOW, NOW, failed=False),
            "talk", "away" if n == 1 else "stuck" if n == 2 else "present",
        )
        for n in range(12)
    ],
    steps={"instructions": 1, "annotate": 4, "confirm": 0, "talk": 5, "survey": 1},
    strips=[
        Strip(
            TaskName(task), "socratic", 1200, each, 61, 9,
            [ItemDone(ItemId(f"i-{n}"), (n * 7 + len(task)) % 4, int(n % 5 == 0)) for n in range(140)],
        )
        for task, each in (("sarcasm", 3), ("relation", 25))
    ],
    needs=[
        Need("stuck", 1),
        Need("crashed", 2),
        Need("uncertain", 3),
        Need("to_review", 7),
        Need("marked", 4),
        Need("budget_reached", 1, "", 4.97, 5.0),
        Need("budget_near", 1, "", 8.5, 10.0),
        Need("revoked", 1, "sarcasm"),
        Need("outdated", 1, "relation"),
        Need("hand_over", 1, "sarcasm"),
        Need("retention", 12),
        Need("blind_sample", 1, next(iter(notes_on_suggestions(SMALL_SAMPLE)))),
    ],
)  # fmt: skip
NOTHING_YET = Happening({}, [], {"instructions": 0, "annotate": 0}, [], [])
LISTED = [
    ListedPerson(row, None, None) if row.participant.ending else ListedPerson(row, presence, "talk")
    for row, presence in zip(PEOPLE, ("present", "stuck", "away", "away", "away"), strict=True)
]  # fmt: skip
LIST: dict[str, object] = {
    "which": PeopleFilter(search="p-", state="talk"),
    "address_of": partial(address_of, PeopleFilter(search="p-", state="talk")),
    "states": STATES,
    "steps": ["annotate", "talk"],
    "conditions": ["control", "socratic"],
    "after": "",
}
TIMING = AnnotatorTiming(
    AnnotatorId("p-1"), "participant", 12,
    timing_signals([TimedLabel(2.0 + n, 80 * n) for n in range(12)]),
)  # fmt: skip
SIGNALS = Signals(TIMING, 1, 2, 2, 7, 14.2, 11.0, 1, 240, 2)
PERSON = OnePerson(
    PEOPLE[2].participant, None, None,
    [
        Moment(NOW, "arrived"), Moment(NOW, "consented"), Moment(NOW, "labelled", 1, "Sarcastic"), Moment(NOW, "talk_began", 1),
        Moment(NOW, "pasted", 1, "240"), Moment(NOW, "failed"), Moment(NOW, "talk_ended", 1, "3"), Moment(NOW, "ended", 0, "done"),
    ],
    [
        TheirLabel(1, AssignmentId("a-1"), TaskName("sarcasm"), ItemId("i-1"), n, "Sarcastic", "very_sure", "The tape.", 12.5, NOW)
        for n in (0, 1)
    ],
    [HeldTalk(1, AssignmentId("a-1"), TaskName("sarcasm"), ItemId("i-1"), 3, 1)],
    SIGNALS,
    [Exclusion(AnnotatorId("p-3"), True, "The same sentence in every message.", "", NOW)],
    "by_decision",
)  # fmt: skip
LISTED_ITEM = ListedItem(
    Item(ItemId("review-17"), "What a triumph: the kettle whistles.", {"stars": "5"}, "Sarcastic"),
    [LabelCount(ItemId("review-17"), "Sarcastic", 3), LabelCount(ItemId("review-17"), "Not sarcastic", 1)], 6, 4, 1,
)  # fmt: skip
LABELLED = [LabelledBy(AnnotatorId("p-1"), "socratic", "Sarcastic", "very_sure", "Not sarcastic", "not_sure")]
ITEMS: dict[str, object] = {
    "page": ItemPage([LISTED_ITEM, LISTED_ITEM._replace(labels=[])], 2, 1040, "review-17"),
    "which": ItemFilter(TaskName("sarcasm"), state="disputed"),
    "address_of": partial(address_of_items, ItemFilter(TaskName("sarcasm"), state="disputed")),
    "after": "review-1",
    "states": ITEM_STATES,
    "tasks": ["sarcasm", "relation"],
}
CALLS = [
    CallSum("openai:gpt-4o", "dialogue", "answered", 1204, 820_000, 0, 96_000, 3.21, 0),
    CallSum("local:qwen.gguf", "vanilla", "error", 3, 0, 0, 0, 0.0, 3),
]
TIMES: dict[Phase, Spread] = {phase: Spread(40, 3.2, 2.1, 4.9) for phase in PHASES}
LOAD = Load(
    Pay(3.0, "GBP"), [FinishedPerson(PersonMinutes(AnnotatorId("p-1"), 14.0, 20.0), "socratic", "en")],
    [
        GroupMinutes("everyone", "", Spread(80, 14.2, 11.0, 19.5), Spread(80, 12.6, 9.2, 16.3), TIMES),
        GroupMinutes("condition", "socratic", Spread(40, 18.2, 14.0, 22.5), Spread(40, 9.9, 8.0, 12.8), TIMES, 1.7),
        GroupMinutes("trait", "Women", Spread(31, 15.2, 14.0, 22.5), None, TIMES, asked="Gender"),
    ],
    1,
    3,
)  # fmt: skip
CLAIMS = ("The library should lend tools.", "The library should stay with books.")
SIDES = tuple(Debater(Stance(side, claim), f"lab:{side.lower()}") for side, claim in zip("AB", CLAIMS, strict=True))
HELD = Debate("tools", "Should the library lend tools?", SIDES)  # type: ignore[arg-type]
SPOKEN = tuple(
    DebateTurn(phase, 1, "Cost", speaker, level, said, flags)  # type: ignore[arg-type]
    for phase, speaker, level, said, flags in (
        ("opening", "agent_a", 0.9, "One shelf serves forty households.", ()),
        (
            "opening",
            "agent_b",
            0.9,
            "Nobody keeps it.",
            (Flag("repeated_argument", "it says the same sentence again", "agent_b"),),
        ),
        ("refutation", "moderator", None, as_text(Intervention("question", "And in winter?")), ()),
    )
)
STANDING = Standing(
    DebateRun(
        StudyName("sample"), HeldDebate(DebateId("d-1"), StudyName("sample"), 1, "tools", "", NOW), HELD, "given",
        AgentRun(RunId("d-1-given"), "d-1", "debate", 1),
    ),
    SPOKEN, None, (Intervention("add_topic", "Noise"),),
)  # fmt: skip
DEBATE = {
    "here": "/s/sample/owner/debates/d-1-given", "standing": STANDING, "debate": HELD, "scenes": scenes(SPOKEN),
    "report": None, "verdict": [], "growing": False, "level": 0.9, "stage": "debate", "topics": ["Cost"],
    "speaker_words": speaker_words, "turn_words": turn_words, "flag_words": flag_words,
}  # fmt: skip
OWNERS_PAGES: dict[str, tuple[str, dict[str, object]]] = {
    name: (template, {**OWNER, **values})
    for name, template, values in [
        ("overview", "overview", {"found": OVERVIEW, "strip_rows": strip_rows}),
        ("overview_empty", "overview", {"found": NOTHING_YET, "strip_rows": strip_rows}),
        (
            "people",
            "people",
            {**LIST, "page": PeoplePage(LISTED, 5, 1047, "p-9"), "people": LISTED, "newer": 2, "since": 5},
        ),
        ("people_empty", "people", {**LIST, "page": PeoplePage([], 0, 0, ""), "people": [], "newer": 0, "since": 0}),
        (
            "signals",
            "signals",
            {
                **LIST,
                "page": SignalsPage([(row, SIGNALS if row.done else None) for row in PEOPLE], 5, ""),
                "typed_per_s": 12,
                "curt": 15,
            },
        ),
        (
            "person",
            "person",
            {
                "found": PERSON,
                "person": PERSON.participant,
                "steps": {"very_sure": text("Very sure")},
                "typed_per_s": 12,
                "curt": 15,
            },
        ),
        ("items", "items", ITEMS),
        ("items_none", "items", {"page": None}),
        ("item", "item", {"found": OneItem(make_task(), LISTED_ITEM, LABELLED), "steps": {}}),
        ("numbers", "numbers", {"calls": CALLS, "cards": [], "begun": False}),
        (
            "numbers_begun",
            "numbers",
            {
                "calls": [],
                "cards": [
                    TaskCard(
                        TaskName("sarcasm"),
                        "",
                        0,
                        None,
                        Phrase("no machine has labelled task %(task)s yet", task="'sarcasm'"),
                    )
                ],
                "begun": True,
                "drawn": True,
            },
        ),
        ("pay", "pay", {"load": LOAD, "phases": PHASES}),
        ("pay_none", "pay", {"load": Load(None, (), ()), "phases": PHASES}),
        ("evidence", "evidence", EVIDENCE),
        ("evidence_full", "evidence", EVIDENCE_FULL),
        ("evidence_handed", "evidence", EVIDENCE_HANDED),
        ("debates", "debates", {"debates": []}),
        ("debates_some", "debates", {"debates": [STANDING]}),
        ("debate", "debate", DEBATE),
        ("debate_over", "debate", {**DEBATE, "stage": "over"}),
        ("data", "data", {}),
        ("access", "access", ACCESS),
        ("access_fault", "access", {**ACCESS, "fault": "last_owner", "link": ""}),
        ("tokens", "tokens", TOKENS),
        ("transcripts", "transcripts", TRANSCRIPTS),
        ("transcripts_none", "transcripts", {**TRANSCRIPTS, "page": ListOfTalks([], 0, 0, frozenset(), "", {})}),
        ("transcript", "transcript", {"transcript": TRANSCRIPT, "live": True}),
        ("readings", "readings", READINGS),
        ("recruit", "recruit", RECRUIT),
        ("recruit_doubts", "recruit", RECRUIT_DOUBTS),
        ("submissions", "submissions", SUBMISSIONS),
        ("submissions_none", "submissions", SUBMISSIONS_NONE),
        ("erasures", "erasures", ERASURES),
        ("erasures_none", "erasures", ERASURES_NONE),
    ]
}
SUGGESTED = ShownSuggestion(LABELS[0].text, LABELS[0].name, 0.82, "The praise is too large for what is praised.")
EXPERT = ExpertPage(
    ExpertFrame(text("Sarcasm in reviews"), ENGLISH, 12, 1040),
    state="label",
    form="expert:a-1",
    title=text("Sarcasm in reviews"),
    question=text("Is this review sarcastic?"),
    item=ITEM,
    labels=LABELS,
    suggestion=SUGGESTED,
    may_undo=True,
)
RESOLVE = ResolvePage(
    frame(), "resolve:a-1", AssignmentId("a-1"), 1, 2, text("Sarcasm in reviews"), ITEM, LABELS[1].text, SUGGESTED, LABELS,
    CONFIDENCE,
)  # fmt: skip
OTHER_PAGES: dict[str, tuple[str, dict[str, object]]] = {
    "consent": ("consent", CONSENT),
    "consent_preview": ("consent", {**CONSENT, "preview": True}),
    "left": ("left", {"return_link": "https://crito.example/s/sample/r/Yk3q0n2m8T4w6x1Z", "lease_minutes": 60}),
    "withdraw": ("withdraw", {}),
    "signed_out": ("signed_out", {"typed": ["The last words give it away.", "I read it\ntwice."]}),
    "error_401": ("error", {"code": 401}),
    "error_408": ("error", {"code": 408}),
    "error_409": ("error", {"code": 409}),
    "error_423": ("error", {"code": 423}),
    "error_413": ("error", {"code": 413}),
    "error_429": ("error", {"code": 429}),
    "error_400": ("error", {"code": 400}),
    "error_404": ("error", {"code": 404, "base": "", "study_title": ""}),
    "error_403": ("error", {"code": 403}),
    "error_500": ("error", {"code": 500, "mark": "7f3a-19c2"}),
    "error_500_stop": ("error", {"code": 500, "mark": "7f3a-19c2", "may_stop": True}),
    "stop": ("stop", {}),
    "error_403_page": ("error", {"code": 403, "asked": "/s/sample/owner"}),
    **OWNERS_PAGES,
    **DOOR,
    "expert": ("expert", {"page": EXPERT}),
    "expert_hidden": ("expert", {"page": replace(EXPERT, suggestion=None, hidden=True)}),
    "expert_resolve": ("expert", {"page": replace(EXPERT, state="resolve", given=LABELS[1].name)}),
    "expert_ready": ("expert", {"page": ExpertPage(EXPERT.frame, "ready")}),
    "expert_handed": (
        "expert",
        {"page": ExpertPage(replace(EXPERT.frame, handed=(HandedTask(text("Sarcasm"), None),)), "empty")},
    ),
    "expert_fallen": (
        "expert",
        {"page": replace(EXPERT, frame=replace(EXPERT.frame, handed=(HandedTask(text("Sarcasm"), "audits"),)))},
    ),
    "resolve": ("resolve", {"page": RESOLVE}),
    "welcome": ("welcome", {"studies": [("/s/sample/", "Sarcasm and relations")], "study_title": "", "base": ""}),
}
