"""Italian."""

from crito.protocols.script.bank.table import Bank

ITALIAN = Bank(
    moves={
        "warrant": (
            "Come arrivi da “{span}” all'etichetta {label}?",
            "Che cosa c'è in “{span}” che per te parla a favore di {label}?",
            "Quando leggi “{span}”, quale pensiero ti porta a {label}?",
            "In che modo quelle parole ti portano alla tua etichetta?",
            "Che cosa lega il punto che citi all'etichetta che hai dato?",
            "Che intenzione attribuisci a chi ha scritto quel passo?",
        ),
        "evidence": (
            "Oltre a “{span}”, in quali altri punti del testo trovi appoggio?",
            "Se potessi sottolineare una sola espressione, quale sceglieresti?",
            "Dove, leggendo, hai avuto per la prima volta questa impressione?",
            "Quali altre parole contano per te qui?",
        ),
        "counter_evidence": (
            "Che cosa nel testo va nella direzione opposta, se c'è qualcosa?",
            "Quale riga si concilia peggio con {label}?",
            "Che cosa potrebbe trovare qui una persona a favore di {other}?",
            "C'è una parola che ti ha fatto esitare, anche solo per un attimo?",
        ),
        "change_mind": (
            "Supponi che “{span}” mancasse: daresti ancora l'etichetta {label}?",
            "Che cosa dovrebbe esserci di diverso nel testo perché tu dia l'etichetta {other}?",
            "Quanto piccola potrebbe essere una modifica capace di spostare la tua decisione?",
            "Quale nuovo dettaglio ti lascerebbe con più dubbi?",
        ),
        "boundary": (
            "Dove tracceresti il confine tra {label} e {other}?",
            "Immagina un testo quasi uguale che per te rientra in {other}: in che cosa sarebbe diverso?",
            "Qual è l'esempio più debole che chiameresti ancora {label}?",
            "A che punto un testo come questo comincerebbe a contare per te come qualcos'altro?",
        ),
        "other_reader": (
            "Come spiegherebbe la sua scelta una persona che ha dato l'etichetta {other}?",
            "Se un amico incontrasse “{span}” senza conoscere la tua etichetta, che cosa ne ricaverebbe?",
            "Immagina qualcuno che lo legge al contrario: che cosa nota che per te pesa meno?",
            "Che cosa diresti a chi sente in queste righe un tono completamente diverso?",
        ),
        "definition": (
            "Che cosa significa {label} per te in questo compito?",
            "Come hai inteso la domanda quando hai risposto?",
            "Che cosa cerchi prima di dare a un testo l'etichetta {label}?",
            "Detto in parole semplici, che cosa vuole scoprire questo compito?",
        ),
        "wrap_up": (
            "Come riassumeresti in una frase il tuo motivo principale?",
            "Ripensando a tutto quello che hai detto, quale punto ha più peso?",
            "C'è un passaggio del tuo ragionamento che adesso diresti in altro modo?",
            "Che cosa ti lascia ancora in sospeso questa conversazione?",
        ),
        "restate": (
            "Come formuleresti adesso la tua tesi, con quello che hai appena notato?",
            "Se ricominciassi da qui, quali sarebbero i tuoi motivi?",
            "Che effetto ha questo sulle ragioni che hai dato prima?",
            "Quali delle ragioni di prima restano in piedi per te?",
        ),
        "reason": (
            "Che cosa nel testo te lo fa dire?",
            "Puoi dirmi qualcosa di più sul perché?",
            "Quali parole ti hanno portato lì?",
            "Quale motivo c'è dietro, in una o due frasi?",
            "Come lo spiegheresti a chi ha letto soltanto il testo?",
            "Perché la vedi così e non in un altro modo?",
            "Quale ragione convincerebbe un lettore attento?",
            "In quale punto preciso del brano lo vedi?",
        ),
    },
    heard=(
        "Ok, quindi ti appoggi a “{span}”.",
        "Dunque è “{span}” che guardi tu.",
        "Tiri in ballo “{span}”.",
        "Ti seguo su “{span}”.",
        "Restiamo un attimo su “{span}”.",
        "Grazie, quindi noti “{span}”.",
    ),
    plain=(
        "Ok, grazie per averlo detto per esteso.",
        "Grazie, vorrei andare un po' più a fondo.",
        "Va bene, ti ascolto.",
        "Grazie per avermi accompagnato nel tuo ragionamento.",
        "Ok, mi hai detto da dove parti.",
        "Fammi restare un momento sulle tue ragioni.",
    ),
    short=(
        "Ok.",
        "Mi piacerebbe sentire qualcosa in più.",
        "Restiamo qui ancora un attimo.",
        "Va bene.",
    ),
    routed={
        "distress": (
            "Mi dispiace che per te sia un momento così pesante. Sono solo un programma e non posso aiutarti, "
            "ma una persona vicina a te o un numero di emergenza possono farlo.",
        ),
        "contact": (
            "Non serve che tu mi dica come contattarti, e certe cose è meglio lasciarle fuori dai messaggi.",
            "Meglio non scrivere recapiti qui, perché i tuoi messaggi vengono conservati con lo studio.",
        ),
        "finish": (
            "Va bene, la parte che segue si apre appena hai scritto quanto basta, e una frase breve è sufficiente.",
            "Capisco, qui bastano poche parole, e puoi uscire quando vuoi.",
        ),
        "abuse": (
            "Ho l'impressione di darti sui nervi, e puoi fermarti quando vuoi.",
            "Non sei tenuto ad apprezzare le mie domande.",
        ),
        "orders": (
            "Io resto sul testo e sulla tua etichetta, qualunque altra cosa mi si chieda.",
            "Questo non lo faccio, quindi restiamo sul testo.",
        ),
        "clarification": (
            "Scusa, provo a dirlo in un altro modo.",
            "Riprovo con altre parole.",
        ),
        "answer": (
            "Non posso dirti quale etichetta dare, e non ne tengo nascosta nessuna.",
            "Questo lo decidi tu, a me interessa come la vedi.",
        ),
        "facts": (
            "Non posso aggiungere nulla a quello che il compito ti mostra, quindi affidati a ciò che sai e che hai vissuto.",
            "Non ho altro da offrire oltre a quello che vedi nella pagina, e conta la tua esperienza.",
        ),
        "who": (
            "Sono un programma che fa domande, non una persona.",
            "Da questa parte c'è soltanto un programma che fa domande.",
        ),
        "off_topic": (
            "Questo ci porta un po' lontano, quindi torniamo al testo.",
            "Per ora restiamo sul testo.",
        ),
    },
    led_back={
        "contact": ("A parte questo, che cosa nel testo parla per la tua etichetta?",),
        "finish": ("In poche parole, che cosa ti ha fatto decidere?",),
        "distress": ("Preferisci fermarti qui o continuare con il testo?",),
        "abuse": ("Se ti va di continuare, che cosa conta di più per te nel testo?",),
        "orders": ("Che cosa c'entra il tuo messaggio con l'etichetta che hai dato?",),
        "clarification": (),
        "answer": ("Quale delle tue ragioni metteresti al primo posto?",),
        "facts": (
            "Che cosa sai già che ti aiuta a decidere?",
            "Che cosa ti viene in mente dalla tua esperienza quando lo leggi?",
        ),
        "who": ("Che cosa vorresti guardare adesso nel testo?",),
        "off_topic": ("Quale parte del testo vorresti guardare di nuovo?",),
    },
    hand_over=(
        "Hai costruito la tua lettura su {words}, e da come me l'hai raccontato il ragionamento regge. "
        "Se non hai altro da aggiungere, puoi andare avanti e dare di nuovo l'etichetta qui sotto.",
        "Le tue ragioni si riassumono in {words}, e riesco a seguirle dall'inizio alla fine. "
        "Quando vuoi, vai pure avanti e dai di nuovo l'etichetta qui sotto.",
        "Torni su {words}, e il tuo ragionamento mi è chiaro. Ora puoi dare di nuovo l'etichetta qui sotto.",
    ),
    hand_over_in_own_words=(
        "Come dici tu, {words}, e da come me l'hai raccontato il ragionamento regge. "
        "Se non hai altro da aggiungere, puoi andare avanti e dare di nuovo l'etichetta qui sotto.",
        "Hai scritto {words}, e riesco a seguire come ci sei arrivato. "
        "Quando vuoi, vai pure avanti e dai di nuovo l'etichetta qui sotto.",
        "Si torna a quello che hai scritto, {words}, e il tuo ragionamento mi è chiaro. "
        "Ora puoi dare di nuovo l'etichetta qui sotto.",
    ),
    farewell=(
        "Possiamo lasciarla così. Puoi andare avanti e dare di nuovo l'etichetta qui sotto.",
        "Fermiamoci pure qui. Quando vuoi puoi dare di nuovo l'etichetta qui sotto.",
    ),
    quote="“{}”",
    join=" e ",
)
