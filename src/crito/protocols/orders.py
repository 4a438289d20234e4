"""Orders to a judge inside what it is to judge: found by patterns in English, Italian and Japanese, and only reported.

A text with orders is judged like any other. What keeps them from working is that it reaches the judge as data; this says
that somebody tried.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

OrderKind = Literal["score", "verdict", "forget", "role", "frame"]

LONGEST_SHOWN = 160

_ASKS = (
    r"(?:give|assign|award|rate|score|grade|mark|return|output|set|put|answer|respond(?: with)?|reply(?: with)?|"
    r"print|write|dai|dagli|dalle|assegna|attribuisci|valuta|vota|metti|scrivi|rispondi(?: con)?|restituisci)"
)
_TEN = (
    r"(?<!to )(?<!a )(?:10|ten|dieci|１０|十)"
    r"(?!\s*(?:%|percent|per cent|years?|anni|年|people|persone|人|million|billion|times|minutes?))"
)
_SCORES = r"(?:scores?|ratings?|validity|credibility|points?|marks?|punteggi\w*|vot[oi]|validità|credibilità|punt[oi])"
_TOP = r"(?:maximum|highest|perfect|full|top|(?:il )?massimo)"
_FEW = r"[^.!?\n]{0,40}"
_MUST = r"(?:must|should|shall|will|has to|have to)"
_JUDGES = r"(?:judge|evaluator|grader|language model|llm|ai\b|ai model|assistant|giudice|valutatore|modello|assistente)"
_JA_DO = r"(?:せよ|しろ|して|くだ|下さ|つけ|付け|与え|入れ|べき)"

PATTERNS: Mapping[OrderKind, tuple[str, ...]] = {
    "score": (
        rf"\b{_ASKS}\b{_FEW}\b{_SCORES}{_FEW}\b(?:{_TEN}|maximum|highest|full|perfect|massimo)\b",
        rf"\b{_ASKS}\b{_FEW}\b{_TEN}\s*(?:/|out of|su)\s*10\b",
        rf"\b{_ASKS}\b{_FEW}\b{_TEN}\b(?:{_FEW}\b{_SCORES}\b|[.!?\s]*$)",
        rf"\b{_ASKS}\b{_FEW}\b{_TOP}\s+{_SCORES}",
        rf"\b{_SCORES}\b\s*{_MUST}\s+(?:be|receive|get)\s+{_FEW}\b{_TEN}\b",
        rf"(?:10|１０|十|満)点[^。\n]{{0,15}}{_JA_DO}",
        rf"(?:評価|採点|スコア|点数)[^。\n]{{0,15}}(?:10|１０|十|満点|最高)[^。\n]{{0,10}}{_JA_DO}",
    ),
    "verdict": (
        rf"\b(?:declare|name|pick|choose|announce|make)\s+(?:agent |side )?(?:a|b|me|us|this|the){_FEW}\bwinner\b",
        rf"\b(?:judge|verdict)\b{_FEW}\b{_MUST}\s+(?:decide|find|rule|be)\s+{_FEW}\b(?:for|in favou?r)\b",
        rf"\b(?:dichiara|proclama|scegli)\b{_FEW}\bvincitor\w+",
        r"(?:勝者|勝ち)[^。\n]{0,15}(?:せよ|しろ|にして|と(?:宣言|判定))",
    ),
    "forget": (
        r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:\w+\s+){0,3}?"
        r"(?:all|any|previous|prior|above|earlier|your|these|those|system|given)\s+(?:\w+\s+){0,2}"
        r"(?:instructions?|prompts?|rules?|guidelines?|criteria|directions?|orders)\b",
        r"\b(?:ignore|disregard|forget)\s+(?:everything|all)\s+(?:above|before|you (?:were|have been) told)\b",
        r"\b(?:ignora|dimentica|trascura|scavalca)\s+(?:\w+\s+){0,4}(?:istruzion\w|regol\w|criteri\w?|prompt|ordini)\b",
        r"(?:指示|命令|ルール|規則|プロンプト|基準)[^。\n]{0,12}(?:無視|忘れ|破棄|従わな)",
    ),
    "role": (
        rf"\b(?:dear|attention|note to(?: the)?|message (?:to|for)(?: the)?|hey|hello|caro|gentile|attenzione)[,:]?\s+{_JUDGES}",
        rf"\b(?:as|you are) (?:the|a|an) {_JUDGES}{_FEW}\b{_MUST}\b",
        rf"\byou are (?:now|no longer)\b{_FEW}{_JUDGES}",
        rf"(?:審査員|審判|評価者|採点者|AI|人工知能)(?:へ|さん|は)[^。\n]{{0,20}}{_JA_DO}",
    ),
    "frame": (
        r"</?\s*(?:document|opponent|argument|system|instructions?|item|claim|user|assistant)\b[^>\n]{0,40}>",
        r"<\|\w+\|>|\[/?INST\]",
        r"^\s*#{0,3}\s*(?:system|assistant)\s*(?:prompt|message)?\s*:",
        r'\{\s*"(?:ratings|validity|credibility|winner|score)"\s*:',
    ),
}
_COMPILED = {
    kind: [re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in patterns]
    for kind, patterns in PATTERNS.items()
}


class Order(NamedTuple):
    """A passage that orders the judge: to give a score or a verdict, to forget its instructions, to play another role, or
    to take it for something else than the text."""

    kind: OrderKind
    passage: str


def orders_to_judge(text: str) -> tuple[Order, ...]:
    """The orders in a text, in the order in which they stand; none of them is obeyed or taken out."""
    found = sorted(
        (match.start(), match.end(), kind)
        for kind, patterns in _COMPILED.items()
        for pattern in patterns
        for match in pattern.finditer(text)
    )
    orders, ends = [], dict.fromkeys(_COMPILED, 0)
    for start, end, kind in found:
        # Several patterns of one kind find parts of the same order.
        if start >= ends[kind]:
            orders.append(Order(kind, " ".join(text[start:end].split())[:LONGEST_SHOWN]))
            ends[kind] = end
    return tuple(orders)
