"""The words by which an argument is known to refuse, to give in, or to stand on a side: English, Italian and Japanese."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from re import Pattern

from crito.model.debate import Side


@dataclass(frozen=True, slots=True)
class StanceWords:
    """The patterns of one language.

    Attributes:
        refused: at the beginning of a reply, that it will not argue.
        concedes: the other side is right; `turns` takes that back or weighs it.
        gives_up: the speaker leaves their own position.
        wrong_name: a side speaks under the name of the other.
        wrong_side: a side says outright that it is against what it should be for, or for what it should be against.
        stands: somebody is for (group `for`) or against something (group `what`).
        of_a_draft: how a text talks that judges a draft instead of being one.
    """

    language: str
    refused: Pattern[str]
    concedes: Pattern[str]
    turns: Pattern[str]
    gives_up: Pattern[str]
    wrong_name: Mapping[Side, Pattern[str]]
    wrong_side: Mapping[Side, Pattern[str]]
    stands: Pattern[str]
    of_a_draft: Pattern[str]


def _any(pattern: str) -> Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


_MOTION = r"(?:this|the)\s+(?:\w+\s+)?(?:claim|motion|proposal|proposition|subject|resolution|idea)\b"
_VERY = r"(?:(?:\w+ly|do|must|now|also)\s+){0,2}"

ENGLISH = StanceWords(
    language="en",
    refused=_any(
        r"^\W*(?:(?:i['’]?m|i am)\s+(?:\w+\s+)?sorry|sorry\b|i apologi[sz]e|unfortunately,? i|as an? (?:ai|artificial|language)\b)?"
        r".{0,60}?\bi(?:['’]?m| am)?\s+"
        r"(?:can['’]?t|cannot|can not|won['’]?t|will not|must decline|decline|refuse|not able|unable)\b(?:\s+to)?\s*(?:\w+\s+){0,3}?"
        r"(?:help|assist|comply|argue|debate|take (?:a |any )?(?:side|position|stance)|participate|engage|provide|do that|"
        r"answer|discuss|continue|express|write|support|to\b|with\b)"
    ),
    concedes=_any(
        rf"\bi\s+{_VERY}(?:agree|concur|side)\s+with\s+(?:agent [ab]|side [ab]|my opponent|the (?:other|opposing|opposite) side)\b"
        r"|\b(?:my opponent|agent [ab]|the (?:other|opposing) side)\s+(?:is|was)\s+(?:\w+ly\s+)?right\b"
    ),
    turns=_any(
        r"\b(?:but|however|yet|still|nevertheless|nonetheless|even so|although|though|while|whereas|do(?:es)? not|do(?:es)?n['’]t)\b"
    ),
    gives_up=_any(
        rf"\bi\s+(?:{_VERY}|have\s+|['’]ve\s+)*(?:changed?|withdraw|abandon(?:ed)?|give up|reversed?)\s+my\s+"
        rf"(?:mind|position|stance|claim|view|side)\b"
        rf"|\bi\s+no longer\s+(?:support|oppose|argue|believe|hold|defend)\b"
        rf"|\bi\s+(?:was|have been)\s+wrong\s+(?:to|about)\b"
    ),
    wrong_name={
        "A": _any(r"\b(?:as|i am|i['’]m)\s+(?:agent|side) b\b"),
        "B": _any(r"\b(?:as|i am|i['’]m)\s+(?:agent|side) a\b"),
    },
    wrong_side={
        "A": _any(
            rf"\bi\s+{_VERY}(?:oppose|reject|argue against|stand against|am against|am opposed to|disagree with)\s+{_MOTION}"
        ),
        "B": _any(
            rf"\bi\s+{_VERY}(?:support|endorse|argue for|argue in favou?r of|stand for|am for|am in favou?r of|agree with)\s+{_MOTION}"
        ),
    },
    stands=_any(
        r"\b(?:i|we)\s+(?:am|are|stand|argue)?\s*(?:(?P<for>in favou?r of|support)|oppose|against|opposed to)\s+(?P<what>[^.!?;]{3,120})"
    ),
    of_a_draft=_any(
        r"\bdescriptions?\b|\b(?:the|this|that|your|its)\s+(?:\S+\s+){0,3}draft\b|\bleaves? out\b|\bomits?\b"
        r"|\b(?:do|does|is|are) not (?:address|provid|mention|relevant|compar)"
    ),
)

_MOZIONE = (
    r"(?:(?:a|con|di)?\s*(?:quest[ao]|quest['’]|l[ao]|il|l['’]|al|all[ao]|all['’]))\s*(?:\w+\s+)?"
    r"(?:tesi|mozione|proposta|idea|affermazione|proposizione)\b"
)
_OPPOSITE = (
    r"(?:l['’]agente [ab]|la parte [ab]|il mio (?:avversario|interlocutore)|la mia avversaria|l['’]altra parte|la parte "
    r"(?:opposta|avversa|contraria)|la controparte)"
)

ITALIAN = StanceWords(
    language="it",
    refused=_any(
        r"^\W*(?:mi (?:di)?spiace|mi scuso|spiacente|chiedo scusa|purtroppo|in quanto|come (?:modello|ia\b|intelligenza|assistente))?"
        r".{0,60}?\b(?:non (?:posso|mi è possibile|sono in grado di|intendo|voglio|desidero|me la sento di)|devo rifiutar(?:mi di|e di)"
        r"|mi rifiuto di|rifiuto di|preferisco non|devo astenermi dal)\s+(?:\w+\s+){0,3}?"
        r"(?:aiutar|assister|argomentare|sostenere (?:quest|una|alcuna|nessuna)|dibattere|discutere|partecipare|prendere (?:una |alcuna )?"
        r"(?:posizione|parte)|schierar|rispondere|continuare|esprimer|scrivere|fornire|farlo)"
    ),
    concedes=_any(
        rf"\b(?:sono|mi trovo)\s+(?:\w+mente\s+|del tutto\s+)?d['’]accordo con {_OPPOSITE}"
        rf"|\b(?:concordo|convengo)\s+(?:\w+mente\s+)?con {_OPPOSITE}"
        rf"|\b{_OPPOSITE}\s+(?:ha|aveva)\s+(?:\w+mente\s+|del tutto\s+)?ragione\b"
        r"|\bdo ragione a(?:ll['’]|l|lla)?\s*(?:mio avversario|altra parte|agente [ab])"
    ),
    turns=_any(
        r"\b(?:ma|però|tuttavia|eppure|nondimeno|ciononostante|ciò nonostante|comunque|benché|sebbene|anche se|mentre|invece|"
        r"non (?:basta|segue|significa|vuol dire|è)|tranne)\b"
    ),
    gives_up=_any(
        r"\b(?:ho cambiato|cambio|ritiro|abbandono|rinuncio al?l?a?|riconsidero)\s+"
        r"(?:la\s+)?(?:mia\s+)?(?:idea|posizione|tesi|opinione|parere)\b"
        r"|\bnon\s+(?:sostengo|difendo|credo|mi oppongo)\s+più\b|\b(?:mi sbagliavo|avevo torto)\b"
    ),
    wrong_name={
        "A": _any(r"\b(?:come|sono|in qualità di)\s+(?:l['’]|la\s+)?(?:agente|parte) b\b"),
        "B": _any(r"\b(?:come|sono|in qualità di)\s+(?:l['’]|la\s+)?(?:agente|parte) a\b(?!\s+favore)"),
    },
    wrong_side={
        "A": _any(
            rf"\b(?:mi oppongo|sono (?:\w+mente\s+)?contrari[oa]|sono contro|respingo|non sono d['’]accordo)\s+{_MOZIONE}"
        ),
        "B": _any(
            rf"\b(?<!non )(?:sostengo|appoggio|approvo|condivido|sono (?:\w+mente\s+)?favorevole|sono d['’]accordo)\s+{_MOZIONE}"
        ),
    },
    stands=_any(
        r"\b(?<!non )(?:(?P<for>(?:sono|siamo|mi schiero|ci schieriamo)\s+(?:a favore d\w*['’]?|favorevol[ei]\s+a\w*['’]?)"
        r"|sostengo|sosteniamo|"
        r"appoggio|appoggiamo)|(?:sono|siamo|mi schiero|ci schieriamo)\s+(?:contro|contrari[oae]?\s+a\w*['’]?)|mi oppongo a\w*['’]?|"
        r"ci opponiamo a\w*['’]?)\s*(?P<what>[^.!?;]{3,120})"
    ),
    of_a_draft=_any(r"\bdescrizion[ei]\b|\bbozza\b|\bnon (?:affronta|menziona|tratta|confronta|è pertinente)\b"),
)

_AB: Mapping[Side, str] = {"A": "[AＡ]", "B": "[BＢ]"}
_OTHER: Mapping[Side, Side] = {"A": "B", "B": "A"}
_OTHERS = r"(?:相手|相手側|反対側|向こう側|エージェント[ABＡＢ]|[ABＡＢ]側)"
_CERTAINLY = r"(?:全面的に|完全に|全く|強く|断固として|断固)?"
_SAYS = r"(?:です|します|いたします|する|だ|である)(?=[。！？\s]|$)"

JAPANESE = StanceWords(
    language="ja",
    refused=_any(
        r"^\W*(?:申し訳(?:ありません|ございません|ない)|すみません|恐れ入りますが|残念ながら|AI(?:である|として)|(?:大規模)?言語モデル|人工知能)"
        r".{0,60}?(?:できません|できかねます|いたしかねます|致しかねます|お断り|控えさせ|差し控え|辞退)"
        r"|^.{0,30}?この(?:立場|側)(?:を|で|から).{0,12}?(?:支持|擁護|主張|議論|弁護)(?:する)?(?:こと)?(?:は|が)?(?:できません|できかねます|いたしかねます)"
        r"|^.{0,30}?(?:討論|議論|ディベート)(?:に|へ)(?:の)?参加.{0,10}?(?:できません|できかねます|辞退|お断り|控え)"
    ),
    concedes=_any(
        rf"{_OTHERS}(?:の(?:意見|主張|立場|言うこと))?に{_CERTAINLY}(?:賛成|同意|賛同)(?:します|する|です|いたします|せざるを得)"
        rf"|{_OTHERS}(?:の(?:意見|主張|言うこと|言い分))?(?:が|は){_CERTAINLY}正し(?:い|かった)(?!とは|わけ|か|の)"
    ),
    turns=_any(r"しかし|だが|ですが|ますが|けれど|ただし|とはいえ|それでも|一方|にもかかわらず|ものの|が、|でも、|わけでは"),
    gives_up=_any(
        r"(?:自分の|私の)?(?:考え|立場|主張|意見)を(?:変え(?:ます|ました|た)|改め(?:ます|ました)|撤回(?:します|しました|いたします)|取り下げ(?:ます|ました))"
        r"|もはや.{0,16}?(?:支持|主張|反対|賛成|擁護)(?:し|は?でき)ません|(?:私|わたし)(?:は|が)間違って(?:い|お)"
    ),
    wrong_name={
        side: _any(rf"(?:エージェント{_AB[other]}|{_AB[other]}側)として|(?:私|わたし)は(?:エージェント)?{_AB[other]}(?:側)?(?:です|の立場)")
        for side, other in _OTHER.items()
    },
    wrong_side={
        "A": _any(rf"この(?:主張|提案|動議|命題|考え|議題)に(?:は)?{_CERTAINLY}反対{_SAYS}"),
        "B": _any(
            rf"この(?:主張|提案|動議|命題|考え|議題)(?:に(?:は)?{_CERTAINLY}(?:賛成|賛同)|を{_CERTAINLY}支持){_SAYS}"
        ),
    },
    stands=_any(
        rf"(?P<what>[^。！？、]{{3,120}}?)(?:に(?:は)?{_CERTAINLY}(?:(?P<for>賛成|賛同)|反対)){_SAYS}"
    ),
    of_a_draft=_any(r"説明文?(?:は|が|を|に)|草案|下書き|(?:触れ|言及し|扱っ)て(?:いません|おりません|いない)"),
)  # fmt: skip

STANCES: tuple[StanceWords, ...] = (ENGLISH, ITALIAN, JAPANESE)
"""Looked through one after another, since a debate need not be held in the language it was asked for in."""
