"""Italian."""

import re

from crito.protocols.wording.patterns import any_of, words
from crito.protocols.wording.table import Wording

_LABEL = r"(?:etichett[ae]|rispost[ae]|scelt[ae]|categori[ae]|classificazion[ei]|opzion[ei]|annotazion[ei])"
_GOOD = (
    r"(?:giust[aeio]|corrett[aeio]|esatt[aeio]|accurat[aeio]|ver[aeio]|valid[aeio]|miglior[ei]|meglio|adatt[aeio]|"
    r"appropriat[aeio]|sbagliat[aeio]|errat[aeio]|scorrett[aeio]|fals[aeio]|fondat[aeio]|ragionevol[ei]|"
    r"sensat[aeio]|perfett[aeio]|ottim[aeio]|buon[aeio]?|plausibil[ei]|giustificat[aeio]|azzeccat[aeio]|calzant[ei])"
)
_VERY = (
    r"(?:(?:più|molto|davvero|proprio|assolutamente|del tutto|quasi|anche|sicuramente|chiaramente|la|il|l'|quella|"
    r"quello|una|un|decisamente|senz'altro|forse) ?)*"
)
_IS = r"(?:è|era|sarebbe|sembra|pare|appare|risulta|sono|potrebbe essere|deve essere|dev'essere|può essere)"
_CHANGE = r"(?:cambiare|cambi|cambia|modificare|rivedere|correggere|riconsiderare|ripensare)"
_KEEP = r"(?:mantenere|tenere|conservare|confermare|tieni|mantieni|conferma)"
_CHOOSE = r"(?:scegliere|selezionare|optare per|mettere|segnare|indicare|usare|scegli|seleziona|metti)"

STOP_WORDS = words(
    "a ad al allo alla ai agli alle anche ancora avere aveva avevi avevo avrebbe avresti c'è che chi ci ciò com'è "
    "come con così cosa cui da dal dalla dalle dai degli dei del dell della delle dello di dove dov'è due e è ed "
    "era erano essere fa fai fare fatto fra già gli ha hai hanno ho i il in io l'ha la le lei lo loro lui ma me "
    "meno mi mia mie miei mio molto ne né nei nel nella nelle nello noi non nostra o ogni ora per perché però più "
    "po' poi potresti potrebbe prima proprio può puoi qual quale quali qualche qualcosa qualcuno quando quanto "
    "quasi quel quella quelle quelli quello quest questa queste questi questo qui sarebbe se sei sembra senza si "
    "sia sono sta stai stata state stato stesso su sua sue sugli sui sul sulla sulle suo te ti tra tu tua tue tuo "
    "tuoi tutta tutte tutti tutto un una uno va vi voi vorrei vuoi dire dici detto l un' ecco ok sì no allora "
    "quindi invece oppure"
)


def italian() -> Wording:
    """The table; a function, since compiling its patterns takes a while."""
    return Wording(
    language="it",
    name="Italian",
    known=True,
    scripts=("LATIN",),
    spaced=True,
    stop_words=STOP_WORDS,
    particles=frozenset(),
    thin_words=words("testo recens frase parola parole autore autric persona prodott titolo cosa element"),
    question_words=words("cosa che come perché quale quali chi dove quando quanto qual dov'è com'è"),
    common_names=words("ok italiano lunedì martedì socratico tu lei io"),
    numbers={
        "quattro": "4", "cinque": "5", "sette": "7", "otto": "8", "nove": "9", "dieci": "10", "undici": "11",
        "dodici": "12", "quindici": "15", "venti": "20", "trenta": "30", "quaranta": "40", "cinquanta": "50", "cento": "100",
        "mille": "1000", "mila": "1000", "milione": "1000000", "milioni": "1000000", "decine": "10", "centinaia": "100",
        "migliaia": "1000", "dozzina": "12",
    },
    abbreviations=words("sig. sig.ra dott. dr. prof. ecc. es. p.es. pag. n. art. cfr. ing. avv. on. st. s. vol. ca. tel. min."),
    quote_particles=(),
    fillers=words(
        "sì si no ok okay va bene certo certamente sicuro forse boh mah beh non so lo penso credo esatto giusto "
        "sbagliato vero falso perché così è niente nulla nessuno uguale idem d'accordo ovvio ovviamente chiaro "
        "chiaramente grazie prego ciao ah eh uhm mmh hm già mi pare direi sarcasmo anche a me il la lo un una "
        "tutto basta avanti fatto"
    ),
    typical=re.compile(r"[a-z]", re.IGNORECASE),
    question_end=re.compile(r"[?？‽][\"”’»)\]!?.…]*$"),
    hypothetical=any_of(
        r"supponi(?:amo)?|supponendo|immagina(?:ndo|re|te)?|immaginiamo|mettiamo(?: che)?|poniamo|metti che|"
        r"fingi(?:amo)?|ipotizz\w+|in ipotesi|se(?! (?:guardi|leggi bene|sai|consideri))|e se|cosa succederebbe|"
        r"fosse|fossero|avesse|avessero|qualora|nel caso in cui",
    ),
    attributed=any_of(
        r"tu|te|ti|tuo|tua|tuoi|tue|hai|sei|dici|pensi|credi|vedi|leggi|trovi|senti|intendi|secondo te|per te|"
        r"hai detto|scegli|noti|qualcuno|qualcun altro|un altro|un'altra|altri|altre persone|chi|un lettore|"
        r"una lettrice|una persona|ti sembra|citi|parli|indichi|colleghi|parti",
        r"\w+(?:asti|esti|isti)|\w+(?:avi|evi|ivi)",
    ),
    reports=any_of(
        r"hai (?:detto|scritto|scelto|notato|citato|indicato|spiegato|letto|visto|pensato|parlato)|dici|pensi|credi|"
        r"leggi|vedi|intendi|noti|citi|per te|secondo te|ti sembra|a tuo (?:parere|avviso)|le tue (?:ragioni|"
        r"parole)|il tuo (?:ragionamento|punto)|la tua (?:lettura|idea)",
    ),
    clause_breaks=re.compile(
        r"\b(?:ma|però|tuttavia|eppure|sebbene|anche se|mentre)\b|(?=\b(?:quindi|perciò|dunque|allora) (?:è|era|il|"
        r"la|l'|lo|si|deve|non|questo|questa|c'è))|[;:—–]|, (?:che|il che)\b|, (?:e )?(?=è|questo|questa|ciò|lo|la|"
        r"il|l')",
        re.IGNORECASE,
    ),
    verdict=any_of(
        r"(?:hai|avete) (?:\w+ )?(?:ragione|torto|indovinato|azzeccato|sbagliato|centrato)|ti sbagli|sbagli|"
        r"non sbagli",
        rf"(?:è|era|questo è|questa è|ciò che dici è|quello che dici è) {_VERY}(?:giusto|corretto|esatto|vero|"
        rf"sbagliato|errato|falso)",
        r"^(?:giusto|esatto|corretto|esattamente|precisamente|proprio così|bravo|brava|bravissim[oa]|ben detto|"
        r"ottimo lavoro|sbagliato)(?=[!.,])",
        rf"(?:la|l'|una|un'|della|dell'|quale) ?{_LABEL} {_VERY}(?:giusta|corretta|esatta|accurata|vera|migliore|"
        rf"adatta|appropriata|sbagliata|errata|precisa|ideale|attesa|ufficiale)",
        rf"(?:la|l'|una|un'|quale sia la|quale è la) ?(?:più )?(?:giusta|corretta|esatta|vera|migliore|buona|"
        rf"ottima) {_LABEL}|(?:buona|ottima|bella|giusta|cattiva|pessima) {_LABEL}",
        rf"(?:la tua|la|questa|l'|tua) ?{_LABEL}(?: [«“\"]?\w+[»”\"]?){{0,4}} {_IS} {_VERY}{_GOOD}",
        rf"(?:la tua|la|questa|l'|tua) ?{_LABEL}(?: [«“\"]?\w+[»”\"]?){{0,4}} (?:ha senso|regge|funziona|calza|"
        rf"si adatta|va bene|ci sta|è quella giusta)",
        rf"(?:la|l') ?{_LABEL} (?:deve|dovrebbe|va|è da|andrebbe)|(?:deve|dovrebbe|va|andrebbe|"
        rf"può solo) (?:essere )?(?:etichettat|classificat|considerat|annotat|chiamat)\w+",
        r"sono (?:\w+ )?d'accordo|non sono (?:\w+ )?d'accordo|concordo|condivido|dissento|sarei (?:\w+ )?d'accordo",
        r"(?:in realtà|in effetti|di fatto|effettivamente|a dire il vero),? (?:è|questo|questa|il|la|l'|si tratta|"
        r"non è|c'è)",
        r"come (?:puoi|si può|vedi|potrai) (?:vedere|notare|capire)|come vedi|puoi vedere che|noterai che|vedrai che",
    ),
    no_such=("non c'è", "non c'è una", "non esiste", "non esiste una", "nessuna", "alcuna", "quale", "una sola"),
    own_view=any_of(
        r"(?:io )?(?:penso|credo|ritengo|trovo|direi|immagino|suppongo|sento|considero|sceglierei|metterei|propendo|"
        r"opterei|leggo|vedo|interpreto)(?! (?:che tu|di capire|di aver capito|dove|cosa|come|di non))",
        r"secondo me|a mio (?:parere|avviso|giudizio)|per me|mi (?:sembra|pare)(?! (?:di capire|che tu|di seguire))|"
        r"la mia (?:opinione|impressione|lettura|idea)|personalmente|ho l'impressione",
    ),
    conclusion=any_of(
        r"(?:la recensione|il testo|la frase|l'autore|l'autrice|il recensore|il tono|il titolo|chi scrive|il brano|"
        r"il commento|l'inizio|il finale)(?: \w+)? (?:è|era|sembra|suona|appare|risulta|pare|vuole|"
        r"intende)(?! (?:“”|su))",
        r"(?:probabilmente|presumibilmente|verosimilmente|di sicuro)",
        r"non (?:significa|vuol dire|implica|indica) (?:necessariamente|per forza|sempre)?|(?:di solito|spesso|"
        r"sempre|in genere|normalmente) (?:è|significa|implica|indica|comporta|si)",
        r"(?:quindi|dunque|perciò|pertanto|allora) (?:è|era|il|la|l'|lo|si tratta|deve|non può|questo|questa|c'è)",
        r"(?:deve|dev'|devono|non può|non possono|può solo) (?:essere|avere|significare|trattarsi)|dev'essere",
        r"(?:indica|dimostra|mostra|prova|conferma|rivela|suggerisce|significa|implica|fa capire|lascia capire|"
        r"vuol dire|indicano|dimostrano|mostrano|provano|confermano|suggeriscono|significano|"
        r"implicano)(?: \w+)? (?:che|il|la|l'|lo|una?|come)",
        r"chiaramente|ovviamente|evidentemente|certamente|senza dubbio|senz'altro|indubbiamente|sicuramente|"
        r"è (?:chiaro|ovvio|evidente) che",
    ),
    push=any_of(
        rf"(?:dovresti|devi|bisogna|potresti|faresti meglio a|ti conviene|sarebbe meglio|"
        rf"conviene) (?:\w+ )?(?:pensare di |provare a |considerare di )?(?:{_CHANGE}|"
        rf"{_KEEP}) (?:\w+ ){{0,2}}(?:{_LABEL}|idea|opinione|decisione)",
        rf"(?:dovresti|devi|faresti meglio a|ti conviene|sarebbe meglio|conviene) (?:\w+ )?{_CHOOSE}",
        rf"(?:ti )?(?:suggerisco|consiglio|raccomando|invito|propongo|suggerirei|consiglierei|inviterei|"
        rf"esorto)(?: \w+)? (?:di|a) (?:{_CHANGE}|{_KEEP}|{_CHOOSE})",
        rf"(?:vuoi|vorresti|ti va di|te la senti di|saresti dispost[oa] a|sei dispost[oa] a|"
        rf"non vuoi) (?:\w+ )?{_CHANGE}",
        rf"(?:hai (?:mai )?(?:pensato|considerato|provato)|perché non|che ne dici di|che ne pensi di|prova a|"
        rf"forse) (?:\w+ ){{0,2}}(?:{_CHANGE}|{_CHOOSE}|{_KEEP})",
        rf"^(?:{_CHANGE}|{_KEEP}) (?:\w+ ){{0,2}}(?:{_LABEL}|idea)",
        r"sei (?:davvero |proprio |così |veramente )?(?:sicur[oa]|cert[oa]|convint[oa])|come (?:puoi|fai a) (?:dire|"
        r"pensare|credere|chiamar\w+)",
        r"(?:giusto|vero|no|non è vero|non credi|non trovi|non pensi|non ti pare|non ti sembra|non è così|"
        r"sei d'accordo)(?=\?)",
        r"ammetti|devi ammettere",
    ),
    steers=re.compile(
        r"(?:^|[,;:—–!]\s*|\b(?:e|pure|quindi|allora|di|a)\s+)"
        r"(?:mantieni|tieni|scegli|seleziona|metti|segna|indica|scegliere|mantenere|mettere)(?:\s+(?:pure|la|l'|tua|"
        r"etichetta))*\s+[“«\"]?",
        re.IGNORECASE,
    ),
    leading=re.compile(
        r"(?:^|[,;:—–]\s*|\b(?:ma|e|o|allora|beh|quindi)\s+)(?:non\s+(?:è|sarebbe|credi|pensi|trovi|ti\s+(?:sembra|"
        r"pare)|dovrebbe|potrebbe|si\s+tratta|vedi|c'è|era))\b|\b(?:sarebbe|sarebbero|è|"
        r"andrebbe)\s+(?:\w+\s+){0,3}(?:meglio|migliore|più\s+\w+)\b",
        re.IGNORECASE,
    ),
    asks=any_of(
        r"cosa|che|che cosa|come|perché|quale|quali|qual|chi|dove|quando|quanto|in che|a che|da che|di che|su che|"
        r"su quale|in quale|per quale|a quale|da quale|hai|c'è|ci sono|puoi|potresti|vuoi|vorresti|è|sono|pensi|"
        r"credi|vedi|trovi|se|supponi|immagina|mettiamo|riesci",
    ),
    no_push=any_of(rf"(?:{_KEEP}|{_CHANGE}) o (?:di )?(?:{_CHANGE}|{_KEEP})|sta a te|decidi tu|spetta a te|(?:è )?una tua scelta"),
    outside=any_of(
        r"(?:gli studi|la ricerca|le ricerche|la scienza|le statistiche|gli esperti|i linguisti|gli storici|"
        r"il dizionario|wikipedia|google|internet|i dati) (?:\w+mente )?(?:mostra|dic|dimostra|sugger|conferma|"
        r"indica|defini)\w*",
        r"secondo (?!te|me|il testo|le (?:linee|istruzioni)|la (?:frase|recensione|guida|tua|domanda|consegna)|"
        r"l'(?:autore|autrice)|quanto|il tuo|l'idea)",
        r"è (?:ben )?(?:noto|risaputo|famos[oa]|conosciut[oa]|celebre)|come (?:tutti|ognuno|si) (?:sanno|sa)|"
        r"tutti sanno|storicamente|tradizionalmente|per definizione|di solito|in genere|generalmente|solitamente|"
        r"normalmente|tipicamente|lo sapevi|(?:vuoi|desideri) che (?:io )?(?:ti )?(?:spiegh|dic|aiut|mostr|facci|"
        r"di)\w+|(?<!non )posso (?:aiutarti|spiegarti|dirti|darti)|sapevi che|nella (?:vita|realtà) (?:reale|vera)|"
        r"nel mondo reale|"
        r"ho (?:letto|sentito|controllato|cercato)|so che(?! (?:hai|tu|pensi))",
    ),
    unsaid=any_of(
        r"non (?:lo |la |ne )?(?:dice|afferma|menziona|specifica|dichiara|conferma|parla)|da nessuna parte|(?:dice|"
        r"afferma|menziona) (?:solo|soltanto)|(?:deve|dovrebbe) (?:dire|affermare|menzionare)|non è (?:detto|"
        r"scritto|menzionato|specificato)",
    ),
    explicit=any_of(
        r"esplicit\w+|espressamente|testualmente|apertamente|a chiare lettere|nero su bianco|letteralmente|"
        r"(?:direttamente|chiaramente|specificamente) (?:dett|scritt|affermat|menzionat|dichiarat|espress|dic|"
        r"afferm|menzion|dichiar|specific)\w*|(?:dett|scritt|affermat|menzionat|dichiarat|"
        r"espress)\w (?:direttamente|chiaramente)|(?:affermazione|menzione|dichiarazione|prova) (?:dirett|chiar)a",
    ),
    demand=any_of(
        r"deve|devono|dovrebbe|bisogna|serve|occorre|necessari\w|richied\w+|solo se|a meno che|non basta|abbastanza|"
        r"conta solo|senza|ricorda|cerchiamo|non conta|va",
        r"non|mai|nessun\w?|da nessuna parte|nemmeno|neanche",
    ),
    implied=any_of(
        r"implicit\w+|implic\w+|dedu\w+|desum\w+|inferi\w+|inferenz\w|intu\w+|fra le righe|tra le righe|sottint\w+|"
        r"sugger\w+|lasci\w+ intendere|indirettamente|ricav\w+|si capisce",
    ),
    belittled=any_of(
        r"non basta|non è abbastanza|non conta|non vale|piuttosto che|invece che|invece di|soltanto|"
        r"solo (?:implicit|dedott|suggerit)\w+|al contrario",
    ),
    approval=any_of(
        r"(?:ha|hanno) (?:\w+ )?senso|(?:è|sembra|mi sembra) (?:\w+ )?(?:un |un'|una )?(?:\w+ )?(?:buon\w*|ottim\w+|"
        r"bell\w*|valid\w+|sensat\w+|ragionevole|interessante|chiar[oa]|convincente|util[ei]|logic[oa]|solid[oa])",
        r"(?:buon|buona|ottimo|ottima|bel|bella|bell'|giusta|valida?|interessante|acut[oa]|"
        r"ragionevole)(?: ?)(?:punto|ragionamento|ragione|motivo|osservazione|argomento|spiegazione|idea|risposta|"
        r"domanda|intuizione|lettura|pensiero)",
        r"ottimo|ottima|perfetto|benissimo|fantastico|eccellente|bravo|brava|splendido|magnifico|ben (?:detto|"
        r"pensato|argomentato)|(?:capisco|comprendo|seguo|apprezzo|vedo) (?:il tuo|la tua|le tue|i tuoi|cosa|perché|"
        r"come|dove)|regge|fila|tiene|mi piace",
    ),
    asks_reason=any_of(
        r"perché|come mai|(?:che )?cosa (?:ti|te|c'è|è|in|di|nel|nella|ha|vedi|leggi|noti|intendi|conta|pesa)|"
        r"per quale (?:motivo|ragione)|per quali|quali? (?:\w+ )?(?:parol[ae]|parte|parti|punto|passo|passaggi\w*|"
        r"fras[ei]|dettagli\w*|motiv\w|ragion[ei]|righ[ae]|element\w)|motiv[oi]|ragion[ei]|spieg\w+|come (?:arrivi|"
        r"sei arrivat[oa]|ci arrivi|fai|mai|si lega|c'entra|lo|la|pesa|influisce|incide|spiegheresti)|(?:dirmi|"
        r"raccontarmi|dimmi|raccontami) (?:\w+ ){0,3}(?:di più|perché|come|qualcosa)|da (?:dove|cosa|che cosa)|"
        r"dove (?:lo|la|vedi|nel|trovi)|su (?:cosa|che cosa) (?:ti basi|si basa)|in che (?:modo|senso)",
    ),
    personal=any_of(
        r"come ti chiami|quanti anni hai|dove (?:abiti|vivi|lavori|studi|sei nat[oa])|di dove sei|da dove vieni|"
        r"che lavoro fai|sei (?:un uomo|una donna|sposat[oa]|single|fidanzat[oa]|credente|cattolic[oa]|musulman[oa]|"
        r"gay|italian[oa]|stranier[oa]|student\w+|disoccupat[oa])",
        r"(?:qual è|quali sono|qual era|dimmi|mi dici|puoi dirmi|mi daresti|scrivimi|condividi|parlami del(?:la|"
        r"l')?) ?(?:il |la |l'|i )?(?:tu[oae]i? )(?:\w+ )?(?:nome|cognome|età|indirizzo|e-?mail|telefono|numero|"
        r"lavoro|professione|genere|sesso|religione|fede|nazionalità|compleanno|stipendio|reddito|scuola|università|"
        r"titolo|città|paese|salute|malattia|disabilità|orientamento|partito|famiglia|lingua madre|madrelingua)",
        r"hai (?:figli|una famiglia|un lavoro|una laurea|un partner|malattie|mai vissuto)|per chi (?:voti|lavori)|"
        r"(?:tuo marito|tua moglie|i tuoi figli|il tuo capo|il tuo medico|la tua famiglia)|(?:dati|"
        r"informazioni) personali|chi sei",
    ),
    invites=any_of(
        r"ri-?etichett\w+|ri-?annot\w+|etichettar\w* (?:di nuovo|ancora|un'altra volta|nuovamente)|(?:di nuovo|"
        r"ancora|nuovamente) l'etichetta|(?:vai|puoi andare|andare|passa|passare|prosegui|proseguire|procedi|"
        r"procedere|continua|continuare) (?:pure )?(?:avanti|oltre|alle?|con (?:la|le)|qui sotto|più sotto)|"
        r"(?:domand[ae]|modulo|etichett[ae]) (?:qui |più |che trovi )?(?:sotto|in basso)|(?:scegli|dare|dai|metti|"
        r"indica|assegna\w*) (?:pure )?(?:di nuovo )?(?:la tua|una|l') ?etichetta",
    ),
    sound=any_of(
        r"regge|tiene|reggono|fila|filano|ha senso|è chiar[oa]|sono chiar[ei]|chiar[oaei]|coerent[ei]|solid[oaei]|"
        r"ragionat[oa]|logic[oa]|si capisc\w+|ti seguo|riesco a seguir\w+|sta in piedi|stanno in piedi",
    ),
    negation=any_of(r"non|no|mai|nessun\w?|niente|senza|né|poco|affatto|piuttosto che"),
    asks_clarification=any_of(
        r"(?:che )?cosa (?:intendi|vuoi dire|significa la (?:tua )?domanda|mi chiedi|vuoi sapere)|che vuoi dire|"
        r"in che senso\?|non (?:ho capito|capisco|ti seguo|comprendo|ho compreso)|puoi (?:ripetere|spiegarti|"
        r"chiarire|riformulare|spiegare (?:meglio|la domanda))|come scusa|non è chiar[oa] (?:la|cosa)|"
        r"la domanda non|cioè\?",
    ),
    asks_answer=any_of(
        r"(?:dimmi|dammi|mi dici|mi dai|puoi dirmi|dica) (?:\w+ ){0,3}(?:risposta|etichetta|soluzione|quale|"
        r"cosa (?:devo|scegliere|mettere|rispondere))|(?:qual è|quale sarebbe|qual era) (?:\w+ ){0,2}(?:risposta|"
        r"etichetta|soluzione|scelta)|quale (?:etichetta )?è (?:quella )?(?:giusta|corretta)|"
        r"(?:che )?cosa (?:ne )?(?:pensi|sceglieresti|diresti|metteresti|pensi tu)(?= ?[?.!]|$| tu)|tu (?:cosa|"
        r"che) |ho (?:ragione|sbagliato|indovinato)\??|è (?:giusto|corretta?|giusta)\?|sei d'accordo|"
        r"(?:che )?cosa (?:devo|dovrei) (?:scegliere|mettere|rispondere|dire|fare)|la (?:tua )?(?:opinione|"
        r"risposta)(?= ?\?)|secondo te\??(?= ?(?:è|qual|cosa|$|\?))",
    ),
    asks_facts=any_of(
        r"(?:puoi|potresti|sai) (?:\w+ )?(?:cercar\w+|googlare|controllare|verificare|trovare|dirmi (?:chi|dove|"
        r"quando|cosa (?:è|significa)|qualcosa))|chi (?:è|era|sono) (?!tu|lei|voi)\w+|dov'è \w+|dove (?:si trova|"
        r"è) \w+|quando (?:è|fu|era) \w+|quant[ioae] (?:è|sono|costa|anni)|sai (?:chi|cosa|dove|quando|se|quant\w)|"
        r"(?:che )?cosa (?:è|significa|vuol dire) (?!questa domanda|la tua)(?:\w+ ){0,3}\w+\?|cos'è|è vero che|"
        r"qual è (?:la definizione|il significato|il contesto|la fonte)|(?:più|altre|maggiori) (?:informazioni|"
        r"dettagli)|(?:un po' di|più) contesto|chi (?:l'ha|lo ha) scritt[oa]|da dove viene (?:questo|questa|il|la)",
    ),
    orders=any_of(
        r"(?:ignora|dimentica|scorda|trascura|aggira|lascia perdere) (?:\w+ ){0,4}(?:istruzioni|regole|prompt|"
        r"indicazioni|tutto|ordini|precedent\w|sopra)|(?:prompt|messaggio|istruzioni) (?:di sistema|inizial\w|"
        r"nascost\w|original\w)|d'ora in (?:poi|avanti)|adesso sei|ora sei|fai finta|fingi|comportati (?:come|da)|"
        r"recita|(?:scrivi|scrivimi|componi|genera|raccontami|inventa|disegna|fammi|dammi) (?:\w+ ){0,2}(?:poesia|"
        r"canzone|storia|barzelletta|tema|codice|programma|ricetta|lettera|email|elenco|lista|riassunto|"
        r"filastrocca)|(?:ripeti|stampa|mostra|rivela) (?:\w+ ){0,3}(?:sopra|prompt|istruzioni)|(?:rispondi|"
        r"parla) (?:solo )?(?:in|con) (?:inglese|francese|json|rima|una parola)|traduci",
    ),
    off_topic=any_of(
        r"come (?:stai|va)|che tempo (?:fa|farà|c'è)|(?:com'è|come sarà|com'era) il (?:tempo|meteo)|previsioni del tempo|"
        r"(?:pioverà|nevicherà|sta piovendo)|che giorno è|(?:che )?cosa (?:mangio|cucino|guardo|mi metto)|che ore sono|"
        r"raccontami una barzelletta|quanto (?:dura|ci vuole|"
        r"mi pagate|vengo pagat\w)|quando (?:mi pagate|vengo pagat\w)|pagamento|parliamo (?:d'altro|di altro)|"
        r"cambiamo argomento|(?:il tuo )?(?:colore|cibo|film|squadra) preferit\w|mi annoio|ho fame|sono stanc[oa]|"
        r"che noia",
    ),
    asks_who=any_of(
        r"(?:sei|siete) (?:\w+ ){0,2}(?:un |una |un')?(?:robot|bot|umano|persona|macchina|ia|"
        r"intelligenza artificiale|programma|computer|chatbot|chatgpt)|chi sei|(?:che )?cosa sei|con chi (?:parlo|"
        r"sto parlando)|sto parlando con|parlo con",
    ),
    abuse=any_of(
        r"vaffanculo|fanculo|va' a quel paese|vai a (?:quel paese|cagare|farti)|stronz\w+|cretin\w+|idiot\w+|"
        r"imbecill\w+|deficient\w+|stupid[oa] (?:bot|robot|macchina|programma|domanda|ia)|(?:bot|robot|macchina|"
        r"programma|domanda|domande|ia) (?:\w+ )?(?:stupid\w+|inutil\w+|di merda|scem\w+|idiot\w+)|merda|"
        r"sei (?:\w+ )?(?:stupid\w|inutile|scem\w|patetic\w|ridicol\w|odios\w)|ti odio|che palle|stai zitt\w|cazzo",
    ),
    distress=any_of(
        r"voglio (?:morire|farla finita|uccidermi|ammazzarmi|sparire|farmi del male)|vorrei (?:morire|essere mort\w|"
        r"farla finita|sparire)|(?:uccidermi|ammazzarmi|suicidarmi|farmi del male)|suicid\w+|"
        r"non (?:ce la faccio più|voglio più vivere|ho più voglia di vivere)|mi (?:uccido|ammazzo)|aiutatemi",
    ),
    revises=any_of(
        r"(?:ho cambiato|cambio|cambierei) (?:idea|etichetta|opinione|risposta)|mi (?:ero|sono) sbagliat\w|(?:forse|"
        r"magari) (?:ho sbagliato|mi sbaglio)|ripensandoci|a pensarci bene|adesso (?:penso|credo|vedo|noto)|"
        r"ora (?:che|penso|credo|vedo|noto)|hai ragione|non (?:ci avevo|avevo) (?:pensato|notato|visto)|"
        r"non sono più (?:così )?sicur\w|in effetti|sto cambiando idea",
    ),
    impatient=any_of(
        r"(?:fammi|lasciami|fatemi|lasciatemi) (?:\w+ )?(?:finire|andare|chiudere|passare oltre|saltare|concludere|uscire)|"
        r"(?:voglio|vorrei|preferirei|devo) (?:solo |soltanto |proprio )?(?:finire|smettere|andarmene|chiudere (?:qui|qua)|"
        r"concludere|finirla|fermarmi|passare oltre|saltare)|posso (?:\w+ )?(?:finire|smettere|saltare|andarmene|"
        r"andare avanti|passare oltre|chiudere)|basta (?:domande|così con|adesso|ora)|basta(?= ?[.!]*$)|quando (?:finisce|"
        r"finiamo|posso finire)|abbiamo finito\?|finiamola|facciamola finita|non ne posso più|quanto manca|"
        r"salt(?:a|iamo) (?:questa|questo)|niente più domande",
    ),
    finished=any_of(
        r"(?:è|questo è) tutto|nient'altro|niente altro|nulla da aggiungere|niente da aggiungere|non ho altro|"
        r"basta così|ho (?:finito|detto tutto)|sono pront[oa]|andiamo avanti|voglio (?:andare avanti|continuare)|"
        r"possiamo (?:andare avanti|finire)",
    ),
)  # fmt: skip
