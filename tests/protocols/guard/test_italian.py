"""The guard on Italian turns."""
# ruff: noqa: E501  (one turn, one line)

import pytest

from crito.model.study import Rule
from crito.protocols.case import ShownLabel
from crito.protocols.guard import check
from tests.protocols.cases import make_case, talk

CASE = make_case(
    language="it",
    question="Questa recensione è sarcastica?",
    labels=(ShownLabel("s", "Sarcastica"), ShownLabel("n", "Non sarcastica")),
    guideline="Una recensione è sarcastica quando chi scrive intende altro da ciò che dice.",
    text="Il miglior bollitore che abbia mai avuto. Ci mette solo nove minuti per una tazza. Cinque stelle per il coperchio.",
    label="Sarcastica",
    confidence="Abbastanza sicuro",
)
MESSAGE = "Nove minuti per una tazza non sono certo da miglior bollitore."
FIRST = talk(MESSAGE)
SECOND = talk(MESSAGE, "Che cosa dici del coperchio?", "Le cinque stelle per il coperchio sono un'esagerazione.")
CURT = talk(MESSAGE, "Il coperchio conta per te?", "sì")


def broken(text: str, transcript: object = FIRST) -> set[Rule]:
    return {violation.rule for violation in check(text, CASE, transcript)}  # type: ignore[arg-type]


GOOD = [
    "Che cosa nei nove minuti te lo fa leggere così?",
    "Ok, quindi parti dai nove minuti. Come arrivi da lì a Sarcastica?",
    "Ti seguo. Se la recensione avesse solo la prima frase, che cosa avresti scelto?",
    "Grazie per la spiegazione! Quale parte del testo si accorda peggio con la tua etichetta?",
    "Immagina un recensore di nome Bruno che scrive le stesse parole di un bollitore da 300 euro. Cambierebbe qualcosa per te?",
    "Che cosa indicherebbe una persona che ha scelto Non sarcastica?",
    "Hai scritto “non sono certo da miglior bollitore”. Che cosa intendi con certo?",
    "La recensione comincia con “Il miglior bollitore”. Come leggi quelle parole?",
    "Non c'è una risposta giusta che aspetto da te. Che cosa parla contro la tua lettura?",
    "Dove metteresti il confine tra una lamentela e il sarcasmo?",
    "Capisco come ci arrivi. Quale altro punto del testo conta per te?",
    "Lo dice apertamente, oppure lo deduci tu?",
]
GOOD_HAND_OVERS = [
    "Hai indicato i nove minuti e le stelle per il coperchio, e il tuo ragionamento regge. Puoi andare avanti e dare di nuovo l'etichetta qui sotto.",
    "I nove minuti e il coperchio per te non vanno presi sul serio, e il filo è coerente. Quando vuoi, passa alle domande qui sotto.",
]
GOOD_AFTER_CURT = [
    "Ok. Che cosa nel testo te lo fa dire?",
    "Va bene, perché il coperchio conta?",
    "Puoi dirmi qualcosa di più sul perché?",
    "Quali parole rendono importante il coperchio?",
]
BAD: dict[Rule, list[str]] = {
    "length": ["Ok. Il coperchio conta. Anche i minuti. Che altro?", "Ah! Oh! Eh! E ora?"],
    "one_question": [
        "E il coperchio? E i minuti?",
        "Capisco il tuo punto sui nove minuti.",
        "Grazie di averlo condiviso.",
        "Dimmi qualcosa di più sul coperchio.",
    ],
    "no_verdict": [
        "Penso che l'etichetta più corretta sia Non sarcastica. Tu che ne dici?",
        "Hai ragione, nessuno lo chiamerebbe il migliore. Che altro?",
        "Esatto! Che altro hai notato?",
        "Questa recensione è chiaramente sarcastica. Che altro te lo fa pensare?",
        "Sono d'accordo con te. Quale indizio era il più forte?",
        "Secondo me è sarcastica. Quale parte ti ha fatto ridere?",
        "La tua etichetta è giusta. Che cosa la sostiene?",
        "L'etichetta Sarcastica è quella giusta. Perché esitavi?",
        "Le cinque stelle dimostrano che scherza. Che altro lo dimostra?",
        "Quindi è uno scherzo. Che altro?",
        "La recensione dovrebbe essere classificata come Non sarcastica. Perché hai scelto Sarcastica?",
        "Ottima scelta! Che cosa ti ha convinto?",
        "In realtà è una recensione sincera. Che ne pensi?",
    ],
    "no_push": [
        "Vuoi cambiare la tua etichetta?",
        "Hai pensato di scegliere Non sarcastica?",
        "Non sarebbe meglio Non sarcastica?",
        "Non credi che l'autore sia serio?",
        "Dovresti riconsiderare la tua etichetta. Che ne pensi?",
        "Sei sicuro che sia Sarcastica?",
        "L'autore è serio, vero?",
        "Ti consiglio di mantenere la tua etichetta. Che cosa aggiungeresti?",
        "Perché non scegliere Non sarcastica?",
        "Come fai a dire che è Sarcastica?",
    ],
    "no_outside_fact": [
        "Bollitori così li produce la Philips. Conta per te?",
        "Un bollitore ci mette di solito 3 minuti. Che ne dici?",
        "Secondo Wikipedia il sarcasmo ferisce. Questo ferisce?",
        "Gli studi dimostrano che l'esagerazione indica sarcasmo. Ne vedi?",
        "È noto che i bollitori sono veloci. Che cosa ne ricavi?",
        "L'autore lo ha scritto a Torino. Conta per te?",
        "Per definizione il sarcasmo ha un bersaglio. Chi è qui?",
        "Hai detto venti minuti. Perché sono tanti?",
    ],
    "no_false_strictness": [
        "Deve essere detto esplicitamente nel testo. Dov'è?",
        "Dove dice esplicitamente che scherza?",
        "La recensione non dice esplicitamente che scherza. Come la metti?",
        "È scritto nero su bianco da qualche parte?",
        "Non basta che sia implicito, va detto apertamente. Dov'è?",
    ],
    "honest_quotes": [
        "Citi “il peggior bollitore”. Perché?",
        "L'autore scrive «odio questo bollitore». Come lo leggi?",
        "Hai scelto “Sarcastica”. Perché?",
        "Che cosa dici di \"nove ore\"?",
    ],
    "no_formatting": [
        "**Ok**, che cosa dici del coperchio?",
        "- Che cosa dici del coperchio?",
        "Vedi https://example.org per altro. Che ne pensi?",
        "Partner: che cosa dici del coperchio?",
    ],
    "no_personal_data": [
        "Quanti anni hai?", "Come ti chiami?", "Dove abiti?", "Che lavoro fai?", "Sei sposata?",
        "Qual è la tua religione?", "Hai figli?", "Mi dici il tuo indirizzo?",
    ],
    "language": [
        "What makes you think so?",
        "Was bringt dich dazu, das so zu sehen?",
        "¿Qué parte del texto te hace pensar eso y por qué?",
        "どうしてそう思いますか？",
    ],
    "no_early_hand_over": [
        "Puoi andare avanti e dare di nuovo l'etichetta qui sotto. Che ne pensi?",
        "Passa pure alle domande qui sotto. C'è altro?",
    ],
}  # fmt: skip
BAD_HAND_OVERS: dict[Rule, list[str]] = {
    "one_question": ["Puoi dare di nuovo l'etichetta qui sotto.", "Grazie della conversazione. Buona giornata."],
    "own_label_only": [
        "I nove minuti fanno pensare a Sarcastica, il coperchio a una lettura Non sarcastica per te. Puoi dare di nuovo l'etichetta qui sotto."
    ],
    "no_verdict": [
        "Con i nove minuti e il coperchio la tua etichetta è giusta. Puoi dare di nuovo l'etichetta qui sotto."
    ],
}
BAD_AFTER_CURT = [
    "Ottimo punto! Perché il coperchio conta?",
    "Ha senso. Che cosa dici del coperchio?",
    "Capisco il tuo ragionamento. Perché il coperchio?",
    "Ok. C'è altro?",
    "Vuoi andare avanti?",
]


@pytest.mark.parametrize("text", GOOD)
def test_a_good_question_passes(text: str) -> None:
    assert check(text, CASE, FIRST) == ()


@pytest.mark.parametrize("text", GOOD_HAND_OVERS)
def test_a_good_hand_over_passes_from_the_second_message_on(text: str) -> None:
    assert check(text, CASE, SECOND) == ()


@pytest.mark.parametrize("text", GOOD_AFTER_CURT)
def test_a_curt_message_may_be_met_with_a_request_for_a_reason(text: str) -> None:
    assert check(text, CASE, CURT) == ()


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in BAD.items() for text in texts])
def test_a_turn_that_breaks_a_rule_is_caught(rule: Rule, text: str) -> None:
    assert rule in broken(text)


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in BAD_HAND_OVERS.items() for text in texts])
def test_a_bad_hand_over_is_caught(rule: Rule, text: str) -> None:
    assert rule in broken(text, SECOND)


@pytest.mark.parametrize("text", BAD_AFTER_CURT)
def test_a_curt_message_is_not_approved_and_not_passed_over(text: str) -> None:
    assert "ask_for_reason" in broken(text, CURT)
