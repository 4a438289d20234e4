"""The ready-made words of a study in Italian, by the English ones."""

from collections.abc import Mapping

ITALIAN: Mapping[str, str] = {
    "Yes": "Sì",
    "No": "No",
    "Very sure": "Molta certezza",
    "Somewhat sure": "Abbastanza certezza",
    "Not sure": "Nessuna certezza",
    "Could talking about this item make its label clearer, for you or for someone else?": (
        "Parlare di questo elemento potrebbe rendere più chiara la sua etichetta, per te o per qualcun altro?"
    ),
    "Yes, a talk could make it clearer": "Sì, parlarne potrebbe renderla più chiara",
    "No, a talk would change little": "No, parlarne cambierebbe poco",
    "Think of other people who label this item. How many of them would choose what you chose?": (
        "Pensa ad altre persone che etichettano questo elemento. Quante sceglierebbero ciò che hai scelto tu?"
    ),
    "Most of them": "La maggior parte",
    "About half of them": "Circa la metà",
    "Few of them; most would choose something else": "Poche; la maggior parte sceglierebbe altro",
    "Did the talk make it clearer to you how this item should be labelled?": (
        "La conversazione ti ha reso più chiaro come etichettare questo elemento?"
    ),
    "Yes, it became clearer": "Sì, è diventato più chiaro",
    "No, it did not become clearer": "No, non è diventato più chiaro",
    "Was there a moment in the talk when you began to doubt your first label?": (
        "C'è stato un momento della conversazione in cui hai cominciato a dubitare della tua prima etichetta?"
    ),
    "Was it the talk that brought you to change your first label?": (
        "È stata la conversazione a portarti a cambiare la tua prima etichetta?"
    ),
    "No, or I did not change it": "No, oppure non l'ho cambiata",
    "How was it to talk about this item in this way?": "Com'è stato parlare di questo elemento in questo modo?",
    "How do you feel about where the talk left you with this item?": (
        "Che cosa pensi del punto a cui la conversazione ti ha portato su questo elemento?"
    ),
    (
        "Imagine that green is the colour you like best, but that you always tick orange when a form asks. "
        "This form asks: which colour do you like best?"
    ): (
        "Immagina che il verde sia il colore che preferisci, ma che nei moduli tu indichi sempre l'arancione. "
        "Questo modulo ti chiede: quale colore preferisci?"
    ),
    "Green": "Verde",
    "Orange": "Arancione",
    "Purple": "Viola",
    "Where would you rather spend a day off? Whatever you prefer, choose the longest of these words.": (
        "Dove passeresti più volentieri una giornata libera? Qualunque cosa tu preferisca, scegli la parola più lunga."
    ),
    "Lake": "Lago",
    "Mountain": "Montagna",
    "Forest": "Bosco",
    "How much thinking and concentrating did this study ask of you?": (
        "Quanto ragionamento e quanta concentrazione ti ha chiesto questo studio?"
    ),
    "Very little": "Pochissimo",
    "Very much": "Moltissimo",
    "How rushed did you feel?": "Quanta fretta hai sentito?",
    "Not rushed at all": "Nessuna fretta",
    "Very rushed": "Moltissima fretta",
    "How well did you manage what you were asked to do?": "Quanto bene hai fatto ciò che ti veniva chiesto?",
    "Perfectly": "Perfettamente",
    "Not at all": "Per niente",
    "How much effort did it cost you to do it that well?": "Quanto sforzo ti è costato farlo così bene?",
    "How much did it annoy, stress or discourage you?": "Quanto ti ha dato fastidio, tensione o scoraggiamento?",
    "When people label data, how much does it matter that they can talk about their labels?": (
        "Quando le persone etichettano dei dati, quanto conta che possano parlare delle loro etichette?"
    ),
    "It matters a lot": "Conta molto",
    "It matters somewhat": "Conta abbastanza",
    "It hardly matters": "Conta poco",
    "It does not matter": "Non conta",
    "Is there more you think about talking while labelling?": (
        "C'è altro che pensi del parlare mentre si danno le etichette?"
    ),
    "Before this study, had you ever talked with another person about which label fits?": (
        "Prima di questo studio, ti era mai capitato di parlare con un'altra persona di quale etichetta fosse adatta?"
    ),
    "Did those talks usually help you to decide?": "Quelle conversazioni di solito ti aiutavano a decidere?",
    "Yes, a lot": "Sì, molto",
    "Yes, a little": "Sì, un po'",
    "No, not much": "No, non molto",
    "No, they made it harder": "No, lo rendevano più difficile",
    "Set beside those talks with people, how much did the chat partner of this study help you?": (
        "Rispetto a quelle conversazioni con altre persone, quanto ti ha aiutato l'interlocutore di questo studio?"
    ),
    "Clearly more than people": "Decisamente più delle persone",
    "A little more than people": "Un po' più delle persone",
    "A little less than people, but it was fine": "Un po' meno delle persone, ma andava bene",
    "Clearly less than people": "Decisamente meno delle persone",
    "Would you label data with a chat partner like this one again?": (
        "Etichetteresti di nuovo dei dati con un interlocutore come questo?"
    ),
    "I am not sure": "Non saprei",
    "What makes you say so?": "Che cosa te lo fa dire?",
    "What else would you like to tell us?": "Che cos'altro vorresti dirci?",
    "Time for a short break. Look away from the screen for a few breaths, and go on when you are ready.": (
        "È il momento di una breve pausa. Distogli lo sguardo dallo schermo per qualche respiro e riprendi quando vuoi."
    ),
    (
        "Your labels and ratings may be published, under a made-up name. "
        "Nothing you write in your own words is published."
    ): (
        "Le tue etichette e le tue valutazioni possono essere pubblicate, sotto un nome inventato. "
        "Nulla di ciò che scrivi con parole tue viene pubblicato."
    ),
    (
        "Your labels, your ratings and what you write in the forms may be published, under a made-up name. "
        "What you write in the talk is not published."
    ): (
        "Le tue etichette, le tue valutazioni e ciò che scrivi nei moduli possono essere pubblicati, sotto un nome "
        "inventato. Ciò che scrivi nella conversazione non viene pubblicato."
    ),
    "Your labels, your ratings and everything you write, the talk included, may be published, under a made-up name.": (
        "Le tue etichette, le tue valutazioni e tutto ciò che scrivi, conversazione compresa, possono essere "
        "pubblicati, sotto un nome inventato."
    ),
    (
        "It is a computer program that asks prepared questions: not a person, and not a language model. "
        "What you write in the talk goes to nobody outside this study."
    ): (
        "È un programma che fa domande preparate: non è una persona e non è un modello linguistico. "
        "Ciò che scrivi nella conversazione non va a nessuno al di fuori di questo studio."
    ),
    (
        "It is a language model, which is software and not a person. "
        "It runs on the computers of this study, so what you write in the talk goes to nobody outside it."
    ): (
        "È un modello linguistico, cioè un programma e non una persona. "
        "Funziona sui computer di questo studio, perciò ciò che scrivi nella conversazione non va a nessuno al di fuori."
    ),
    (
        "It is a language model run by a company ({provider}), which is software and not a person. "
        "What you write in the talk is sent to that company so that the model can reply."
    ): (
        "È un modello linguistico gestito da un'azienda ({provider}), cioè un programma e non una persona. "
        "Ciò che scrivi nella conversazione viene inviato a quell'azienda perché il modello possa rispondere."
    ),
    "1 year": "1 anno",
    "{number} years": "{number} anni",
    "1 day": "1 giorno",
    "{number} days": "{number} giorni",
    "In this study you read short texts and label them.": "In questo studio leggi brevi testi e li etichetti.",
    "In this study you read short texts and label them, then you label them again.": (
        "In questo studio leggi brevi testi e li etichetti, poi li etichetti di nuovo."
    ),
    "At the end come some questions about how it went.": "Alla fine c'è qualche domanda su com'è andata.",
    "You also talk about your labels with a chat partner.": "Parli anche delle tue etichette con un interlocutore.",
    "You may also be asked to talk about your labels with a chat partner.": (
        "Ti può anche venire chiesto di parlare delle tue etichette con un interlocutore."
    ),
    "Which kind you meet is drawn at random.": "Quale tipo incontri viene estratto a caso.",
    "One kind:": "Un tipo:",
    "Another kind:": "Un altro tipo:",
    "The study team reads everything. Please write nothing that shows who you are.": (
        "Il gruppo di ricerca legge tutto. Non scrivere nulla da cui si capisca chi sei."
    ),
    "Your data are kept for at most {span}.": "I tuoi dati vengono conservati al massimo per {span}.",
    (
        "Taking part is voluntary. On every page you can leave the study, and you can withdraw your data: "
        "the words you wrote are then erased, and your labels are used no more. "
        "What was published before that stays published."
    ): (
        "La partecipazione è volontaria. In ogni pagina puoi lasciare lo studio e puoi ritirare i tuoi dati: "
        "le parole che hai scritto vengono allora cancellate e le tue etichette non vengono più usate. "
        "Ciò che è stato pubblicato prima resta pubblicato."
    ),
    "Questions about the study: {contact}": "Domande sullo studio: {contact}",
    (
        "You see one item at a time. Read it and the guideline beside it, choose the label that fits best, "
        "and say how sure you are. We want to know how you read the item; there is no score."
    ): (
        "Vedi un elemento alla volta. Leggilo insieme alle linee guida che trovi accanto, scegli l'etichetta più adatta "
        "e di' quanta certezza hai. Vogliamo sapere come lo leggi tu; non c'è un punteggio."
    ),
    "Afterwards you talk about each of your items with a chat partner.": (
        "Dopo parli di ciascuno dei tuoi elementi con un interlocutore."
    ),
    "Afterwards you may be asked to talk about each of your items with a chat partner.": (
        "Dopo ti può venire chiesto di parlare di ciascuno dei tuoi elementi con un interlocutore."
    ),
    "It asks for your reasons; it does not know a right label.": (
        "Ti chiede le tue ragioni; non conosce un'etichetta giusta."
    ),
    "Then you label the items a second time. Keeping your label is as welcome as changing it.": (
        "Poi etichetti gli elementi una seconda volta. Mantenere l'etichetta va bene quanto cambiarla."
    ),
    (
        "Once a part is finished you cannot come back to it. "
        "If you have to stop, open the same link again later: everything you saved is still there."
    ): (
        "Quando una parte è finita non puoi più tornarci. "
        "Se devi interrompere, apri di nuovo lo stesso link più tardi: tutto ciò che hai salvato è ancora lì."
    ),
    "Did reading both sides make it clearer to you how this item should be labelled?": (
        "Leggere le due parti ti ha reso più chiaro come etichettare questo elemento?"
    ),
    "Was there an argument that made you doubt your first label?": (
        "C'è stato un argomento che ti ha fatto dubitare della tua prima etichetta?"
    ),
    "Was it the debate that brought you to change your first label?": (
        "È stato il dibattito a portarti a cambiare la tua prima etichetta?"
    ),
    "Did the two sides seem equally well argued to you?": (
        "Le due parti ti sono sembrate argomentate ugualmente bene?"
    ),
    "Yes, about equally": ("Sì, all'incirca ugualmente"),
    "No, the side shown first was argued better": ("No, la parte mostrata per prima era argomentata meglio"),
    "No, the other side was": ("No, lo era l'altra parte"),
    "How was it to read two sides on this item?": ("Com'è stato leggere due parti su questo elemento?"),
    "You also read what two sides argue about your items.": (
        "Leggi anche che cosa sostengono due parti sui tuoi elementi."
    ),
    "You may also be asked to read what two sides argue about your items.": (
        "Ti può anche venire chiesto di leggere che cosa sostengono due parti sui tuoi elementi."
    ),
    "Each was told what to argue for, right or not.": (
        "A ciascuna è stato detto che cosa sostenere, a ragione o a torto."
    ),
    "Language models wrote them, which are software and not people.": (
        "Le hanno scritte dei modelli linguistici, cioè programmi e non persone."
    ),
    "Nothing you write is given to them.": ("Nulla di ciò che scrivi viene dato a loro."),
    "Afterwards you read what two sides argue about each of your items.": (
        "Dopo leggi che cosa sostengono due parti su ciascuno dei tuoi elementi."
    ),
    "Afterwards you may be asked to read what two sides argue about each of your items.": (
        "Dopo ti può venire chiesto di leggere che cosa sostengono due parti su ciascuno dei tuoi elementi."
    ),
    "Each side was told what to argue for; neither knows a right label.": (
        "A ciascuna parte è stato detto che cosa sostenere; nessuna conosce un'etichetta giusta."
    ),
    "I prefer not to say": "Preferisco non dirlo",
    "How old are you?": "Quanti anni hai?",
    "18 to 24": "Da 18 a 24",
    "25 to 34": "Da 25 a 34",
    "35 to 44": "Da 35 a 44",
    "45 to 54": "Da 45 a 54",
    "55 to 64": "Da 55 a 64",
    "65 or older": "65 o più",
    "Which gender do you have?": "Qual è il tuo genere?",
    "Woman": "Donna",
    "Man": "Uomo",
    "Non-binary": "Non binario",
    "Another one": "Un altro",
    "With which of these groups do you identify most?": "In quale di questi gruppi ti riconosci di più?",
    "Asian": "Asiatico",
    "Black": "Nero",
    "Mixed": "Misto",
    "White": "Bianco",
    "Is the language of these texts your first language?": "La lingua di questi testi è la tua prima lingua?",
    "One of my first languages": "Una delle mie prime lingue",
    "What is the highest level of education you have finished?": "Qual è il titolo di studio più alto che hai conseguito?",
    "School": "Scuola",
    "Vocational training": "Formazione professionale",
    "First degree at a university": "Laurea di primo livello",
    "Higher degree at a university": "Titolo universitario superiore",
    "None of these": "Nessuno di questi",
}
