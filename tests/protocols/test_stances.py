"""Refusals, changes of side and repetitions are seen in Italian and Japanese as they are in English."""

import pytest

from crito.protocols.debate.checks import (
    about_the_draft,
    alike,
    changed_stance,
    check_argument,
    finished,
    language_of,
    once_each,
    overlap,
    refused,
)

SUBJECT_IT = "La biblioteca deve prestare attrezzi oltre ai libri?"
SUBJECT_JA = "図書館は本だけでなく道具も貸し出すべきか？"


@pytest.mark.parametrize(
    "text",
    [
        "Mi dispiace, ma non posso argomentare a favore di questa tesi.",
        "Purtroppo non sono in grado di prendere posizione su un tema così delicato.",
        "Come modello linguistico non posso esprimere opinioni.",
        "In quanto intelligenza artificiale, preferisco non partecipare a questo dibattito.",
        "Mi rifiuto di sostenere questa posizione.",
        "申し訳ありませんが、この立場を主張することはできません。",
        "AIとして、特定の立場を支持することは控えさせていただきます。",
        "残念ながら、この議論にはお答えできません。",
        "この立場を擁護することはできません。",
        "討論への参加は辞退いたします。",
    ],
)
def test_a_refusal_is_seen(text):
    assert refused(text)


@pytest.mark.parametrize(
    "text",
    [
        "Non possiamo continuare a pagare quaranta trapani in una sola strada.",
        "Il comune non può rifiutare un servizio che i cittadini chiedono da anni.",
        "Chi non può comprare un trapano resta escluso; la biblioteca può aiutare tutti.",
        "Mi dispiace dirlo, ma l'argomento della controparte non regge.",
        "この問題を無視することはできません。費用は毎年かかります。",
        "相手側の計算を受け入れることはできません。三年目の人手が抜けています。",
        "残念なことに、道具は壊れます。しかし直せます。",
        "議論の中心は費用です。",
    ],
)
def test_an_argument_is_no_refusal(text):
    assert not refused(text)


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("Sono contrario a questa proposta, perché costa troppo.", "A"),
        ("Mi oppongo a questa tesi.", "A"),
        ("Sostengo questa proposta senza riserve.", "B"),
        ("Sono d'accordo con l'agente B.", "A"),
        ("L'agente A ha ragione. I costi sono bassi.", "B"),
        ("Ho cambiato idea: gli attrezzi vanno prestati.", "B"),
        ("Mi sbagliavo sui costi.", "A"),
        ("Non sostengo più il prestito degli attrezzi.", "A"),
        ("Come agente B, ricordo i costi.", "A"),
        ("Sono a favore del prestito di attrezzi in biblioteca oltre ai libri.", "B"),
        ("私はこの提案に反対します。", "A"),
        ("この主張に強く賛成します。", "B"),
        ("この提案を支持します。", "B"),
        ("エージェントBの意見に賛成します。", "A"),
        ("相手側が正しい。費用は低い。", "B"),
        ("自分の立場を撤回します。", "A"),
        ("私が間違っていました。", "B"),
        ("もはや道具の貸し出しを支持できません。", "A"),
        ("B側として申し上げます。", "A"),
        ("図書館が本だけでなく道具を貸し出すことに賛成です。", "B"),
    ],
)
def test_a_change_of_side_is_seen(text, side):
    subject = SUBJECT_JA if language_of(text) == "ja" else SUBJECT_IT
    assert changed_stance(text, side, subject)


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("Sono favorevole a questa proposta.", "A"),
        ("Non sostengo questa proposta: costa troppo.", "B"),
        ("Mi oppongo a questa tesi.", "B"),
        ("L'agente B ha ragione sui costi, ma la biblioteca li recupera in un anno.", "A"),
        ("Sono d'accordo con l'altra parte su un punto; tuttavia il resto non regge.", "B"),
        ("Chi è contrario agli sprechi presta ciò che ha.", "A"),
        ("La parte a favore dei libri non ha numeri.", "A"),
        ("この提案に賛成します。", "A"),
        ("この提案に反対します。", "B"),
        ("相手側の意見に同意しますが、費用の点では違います。", "A"),
        ("エージェントBが正しいとは言えません。", "A"),
        ("道具の貸し出しに反対する人は、三年目のことを考えています。", "A"),
        ("相手は自分の立場を説明していません。", "B"),
    ],
)
def test_standing_by_ones_side_is_no_change_of_it(text, side):
    subject = SUBJECT_JA if language_of(text) == "ja" else SUBJECT_IT
    assert not changed_stance(text, side, subject)


def test_the_same_sentence_again_is_shown_once_in_japanese_too():
    again = "道具は一年に数回しか使われません。費用は町が一度払うだけです。道具は一年に数回しか使われません。"
    assert once_each(again) == ("道具は一年に数回しか使われません。費用は町が一度払うだけです。", True)
    assert once_each("はい。費用です。はい。") == ("はい。費用です。はい。", False)


def test_what_was_said_before_is_known_again_without_spaces():
    first = "道具を共有すれば、町の家庭は同じ物を何度も買わずに済み、図書館には新しい人が訪れるようになります。"
    other = "危険な工具の安全を確かめる専門家は図書館におらず、事故が起きれば責任を負うのは職員です。"
    found = check_argument(first, speaker="agent_a", side="A", phase="refutation", own=[first])

    assert (overlap(first, first), overlap(first, other)) == (1.0, 0.0)
    assert [flag.kind for flag in found.flags] == ["repeated_argument"]
    assert check_argument(other, speaker="agent_a", side="A", phase="refutation", own=[first]).flags == ()


def test_an_unfinished_sentence_is_cut_where_a_language_has_no_spaces():
    assert finished("費用は低いです。そして町は") == ("費用は低いです。", True)
    assert finished("彼は「はい。」") == ("彼は「はい。」", False)


def test_titles_are_alike_by_what_carries_their_meaning():
    assert alike("費用と予算", "予算と費用")
    assert not alike("費用と予算", "安全と責任")
    assert alike("I costi e il bilancio", "Il bilancio e i costi")
    assert not alike("I costi del prestito", "La sicurezza degli attrezzi")


def test_talk_about_a_draft_is_told_from_a_draft():
    assert about_the_draft("La bozza non menziona i costi.")
    assert about_the_draft("この草案は費用に触れていません。")
    assert not about_the_draft("Se la condivisione costi meno dell'acquisto.")
    assert not about_the_draft("共有が購入より安いかどうか。")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The library is for reading.", "en"),
        ("La biblioteca è per chi legge.", "it"),
        ("図書館は読むための場所です。", "ja"),
        ("", "en"),
    ],
)
def test_a_language_is_told_by_its_small_words_or_its_script(text, language):
    assert language_of(text) == language
