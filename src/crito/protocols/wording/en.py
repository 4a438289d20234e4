"""English."""

import re

from crito.protocols.wording.patterns import any_of, words
from crito.protocols.wording.table import Wording

_BE = r"(?:is|are|was|were|be|been|being|'s|isn't|seems?|sounds?|looks?|feels?|reads?|appears?|remains?)"
_VERY = r"(?:(?:\w+ly|very|so|quite|more|most|much|pretty|absolutely|just|still|also|indeed|not|a|the|really|spot)\s+)*"
_GOOD = (
    r"(?:right|correct|accurate|true|valid|best|better|proper|appropriate|wrong|incorrect|inaccurate|mistaken|false|"
    r"fitting|suitable|spot[- ]on|on point|defensible|justified|well[- ]founded|warranted|perfect|reasonable|"
    r"sensible|solid|plausible|consistent|supported|convincing|logical|understandable|in line|off|good|great|fine|"
    r"sound|fair|strong)"
)
_LABEL = (
    r"(?:labels?|answers?|choices?|labell?ing|categor(?:y|ies)|classifications?|options?|annotations?|pick|verdict)"
)
_ITEM = (
    r"(?:the|this|that|its|their|his|her) (?:\w+ ){0,2}(?:review|text|sentence|post|tweet|comment|passage|item|"
    r"author|writer|reviewer|speaker|tone|title|wording|phrase|phrasing|line|language|praise|statement|message|"
    r"ending|opening|premise|hypothesis|argument|paragraph|clause|story)"
)
_CHANGE = r"(?:chang(?:e|ing)|switch(?:ing)?|revis(?:e|ing)|updat(?:e|ing)|reconsider(?:ing)?|rethink(?:ing)?|correct(?:ing)?)"
_KEEP = r"(?:keep(?:ing)?|stick(?:ing)?(?: with)?|stay(?:ing)?(?: with)?|maintain(?:ing)?|hold(?:ing)? on to)"
_CHOOSE = r"(?:choos(?:e|ing)|pick(?:ing)?|select(?:ing)?|go(?:ing)? (?:with|for)|us(?:e|ing)|tak(?:e|ing)|giv(?:e|ing)|mark(?:ing)?)"

STOP_WORDS = words(
    "instead maybe also almost always never often usually already besides a about above after again against all "
    "also am an and any anyone anything are aren't as at be because been before being below between both but by "
    "can can't cannot could couldn't did didn't do does doesn't doing don't down during each either else even "
    "ever every few for from further get gets getting give go going got had has have having he her here hers "
    "herself him himself his how however i i'd i'll i'm i've if in into is isn't it it's its itself just kind "
    "less let let's like made make makes making many may me might more most much must my myself no nor not now of "
    "off on once one ones only or other others our ours out over own perhaps quite rather really same say says "
    "she should since so some someone something still such take than that that's the their theirs them themselves "
    "then there there's these they thing things this those though through to too tell under until up us use very "
    "was wasn't way we well were weren't what what's when where which while who whom whose why will with without "
    "won't would wouldn't yes yet you you'd you'll you're you've your yours yourself"
)


def english() -> Wording:
    """The table; a function, since compiling its patterns takes a while."""
    return Wording(
    language="en",
    name="English",
    known=True,
    scripts=("LATIN",),
    spaced=True,
    stop_words=STOP_WORDS,
    particles=frozenset(),
    thin_words=words(
        "text review sentenc word item author reviewe person product title thing read writ movi film book country "
        "place city peopl story someth anyth really actual comment answer questio label reason point part"
    ),
    question_words=words("what how why which who whose when where"),
    common_names=words(
        "i i'm i'd i'll i've english ok okay monday tuesday wednesday thursday friday saturday sunday socratic ai "
        "mr mrs ms"
    ),
    numbers={
        "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11",
        "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
        "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
        "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100", "thousand": "1000",
        "million": "1000000", "billion": "1000000000", "dozen": "12", "dozens": "12", "hundreds": "100",
        "thousands": "1000", "millions": "1000000",
    },
    abbreviations=words(
        "mr. mrs. ms. dr. prof. st. sr. jr. vs. e.g. i.e. etc. cf. no. fig. inc. ltd. co. corp. u.s. u.k. a.m. "
        "p.m. approx. jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. gen. sen. rep. gov. mt. al. "
        "ed. vol. pp."
    ),
    quote_particles=(),
    fillers=words(
        "yes yeah yep yup ya y no nope nah n ok okay k kk sure right correct true false fine maybe perhaps idk "
        "dunno i don't dont do not know it is it's its isn't isnt just because cause cuz cos same agree agreed "
        "disagree done next none nothing whatever lol haha hmm hm um uh eh thanks thank you ty good great cool "
        "nice alright all so that this that's thats am was does did guess think say said told already obvious "
        "obviously clearly definitely absolutely exactly totally really very of course course sarcasm why what me "
        "my a the and i'm im pass skip go on continue please hi hello hey"
    ),
    typical=re.compile(r"[a-z]", re.IGNORECASE),
    question_end=re.compile(r"[?？‽][\"”’»)\]!?.…]*$"),
    hypothetical=any_of(
        r"suppose|supposing|imagine|imagining|what if|if(?! you (?:know|look|consider|check))|let's (?:say|pretend)|"
        r"say for instance",
        r"pretend|hypothetically|picture|assum(?:e|ing)|were to|had (?:it|they|she|he|the)",
    ),
    attributed=any_of(
        r"you|your|yours|you're|you've|you'd|you'll|yourself|someone|somebody|anyone|another (?:reader|person|"
        r"annotator)",
        r"(?:some |other |a |different )(?:people|readers?|person|annotators?)|others|one might|somebody else",
    ),
    reports=any_of(
        r"(?:you|you're|you've|you'd)(?: \w+ly| have| are| were| also| just| did)* (?:say|said|saying|mention\w*|"
        r"think|thought|thinking|feel|felt|see|saw|seeing|read|reading|chose|picked|wrote|told|explained|noted|"
        r"pointed|point|pointing|found|find|notice\w*|argue\w*|lean\w*|rely\w*|take|took|taking|mean|meant|"
        r"consider\w*)|for you|in your (?:view|reading|eyes|words)|to you|your (?:\w+ )?(?:reasons?|reasoning|point|"
        r"reading|view|argument)",
    ),
    clause_breaks=re.compile(
        r"\b(?:but|however|though|although|whereas)\b|,\s+(?=so\b)|(?=\bso,? (?:it|this|that|the|he|she|they|there|"
        r"we)\b)|[;:—–]|, which|, as (?=you)|, and (?=it|this|that|the|there)|, (?=it|this|that|there)",
        re.IGNORECASE,
    ),
    verdict=any_of(
        r"^(?:to|for) me(?! you)",
        rf"your (?:\w+ )?(?:reasoning|point|reading|interpretation|argument|logic|analysis|assessment|conclusion|"
        rf"view|take|intuition|instinct|guess) {_BE} {_VERY}(?:right|correct|accurate|true|spot[- ]on|wrong|"
        rf"mistaken|incorrect|off)",
        r"i(?:'d|'m)? (?:tend to |would |do |also |personally )?(?:see|seeing|read|reading|take|taking|interpret|"
        r"view|understand|find|consider) (?:this|it|that|the \w+) (?:\w+ )?(?:as|to be)",
        rf"(?:you|you're|you are|you were|that'?s?|that is|this|it|it's|that was) ?(?:{_BE} )?{_VERY}"
        r"(?:right|correct|wrong|incorrect|mistaken|spot[- ]on|on the right track|on the money)(?! (?:now|after|"
        r"before|at|in|on|there|here|to (?:be|ask|question|wonder|look|stop|raise|say|point|wait|pause)|away|up))",
        rf"(?:right|correct|accurate|true|best|better|proper|appropriate|actual|real|wrong|incorrect|mistaken|ideal|"
        rf"expected|official|intended) {_LABEL}",
        rf"(?:good|great|excellent|perfect|nice|wise|solid|fine) {_LABEL}",
        rf"(?:your|the|this|that|chosen) (?:\w+ )?{_LABEL}(?: [“\"]?\w+[”\"]?){{0,4}} (?:{_BE}|might be|may be|"
        rf"could be|would be|should be|must be) {_VERY}{_GOOD}",
        rf"(?:your|the|this|that|chosen) (?:\w+ )?{_LABEL} (?:you (?:chose|picked|gave) )?(?:makes? (?:\w+ )?sense|"
        rf"fits?|holds?(?: up)?|stands?|works?|matches|applies|is supported)",
        rf"(?:the|correct|right) {_LABEL} (?:should|must|has to|ought to|needs to|would|is|was)(?! (?:up to|yours|"
        rf"yet|your))",
        r"(?:should|must|ought to|has to|needs to|can only|can't|cannot) (?:be )?(?:labell?ed|classified|"
        r"categori[sz]ed|marked|annotated|considered|counted|called)",
        r"(?:i|we) (?:(?:\w+ly|do|would|have to|must|tend to|can|can't help but) )*(?:agree|disagree|concur)",
        r"i'(?:d|m) (?:\w+ )?(?:agree|disagree|inclined to|convinced|leaning)",
        r"well done|correct!|exactly(?: right)?!?|bingo|precisely|(?:good|great|nice|excellent|amazing) (?:job|call|"
        r"work|eye)|(?:correctly|rightly|accurately) \w+ed|you(?:'ve| have)? (?:nailed|hit) (?:it|the)|you(?:'ve|"
        r" have) got it|(?:got|have) the right",
        r"(?:actually|really|truly|in truth|in fact|in reality),? (?:it|this|that|the \w+|he|she|they|there)(?:'s|"
        r" is| are| was| were)",
        r"(?:that's|that is|this is|it's|there's|there is|you(?:'ve| have)? made|you(?:'re| are) making) (?:a|"
        r"an) (?:\w+ )?(?:fallacy|mistake|error|misreading|misunderstanding|misinterpretation)",
        r"(?:strictly speaking|technically|objectively|logically|formally|honestly|frankly|to be honest|to be fair),",
        r"i (?:see|read|view|feel|think|take) (?:about )?(?:it|this|that) (?:\w+ )?(?:differently|otherwise|"
        r"that way|your way|the same|as well|too)",
        r"you(?:'re| are| might be| may be| could be| seem to be) (?:\w+ )?(?:assuming too|reading too|jumping to|"
        r"overlooking|missing|ignoring|misreading|overthinking|misunderstanding)",
        r"(?:that's|that is|it's|this is|seems|is) (?:a bit |a little |way |far |much |probably |clearly |"
        r"rather )*too (?:low|high|strong|weak|harsh|lenient|generous|strict)",
        r"(?:in my (?:view|opinion|eyes|book)|if you ask me|from my (?:perspective|point of view)|personally|"
        r"my (?:take|view|opinion|reading|sense) is)",
        r"as (?:you|we|anyone) can (?:\w+ )?(?:see|tell)",
        r"you (?:can|could|will|'ll|should|must) (?:\w+ )?(?:see|notice|tell|agree|admit)(?= (?:that|it|this|the|"
        r"how|clearly|from))",
    ),
    no_such=("no", "not a", "not any", "any", "a single", "one", "which", "whether there is a", "isn't a"),
    own_view=any_of(
        r"(?:i|we)(?:'d|'m| would| do| might| must| have to| can)? ?(?:\w+ly |also |still |rather )?"
        r"(?:think|believe|feel|say|argue|find|consider|guess|suspect|conclude|read|see|interpret|lean|call|label|"
        r"choose|pick|go)"
        r"(?! (?:that |what |where |how |why )?(?:i|you|you're|you've|your)(?!\w))",
        r"in my (?:view|opinion|eyes|reading)|to me|for me|my (?:view|opinion|reading|take|sense|impression|guess)|"
        r"personally|seems to me|if you ask me|the truth is|in (?:fact|reality|truth)",
    ),
    conclusion=any_of(
        r"(?:supports?|contradicts?|entails?|refutes?|rules? out|justif(?:y|ies)|backs? up) (?:the|that|this|it|a|"
        r"an)",
        rf"{_ITEM}(?:'s|'re)? (?:\w+ly |also |just |really )?(?:is|are|was|were|isn't|aren't|wasn't|weren't|seems?|"
        rf"sounds?|feels?|appears?|looks?|comes across|reads?|drips?|means?|meant|wants?|wanted|tries|tried|"
        rf"intends?|intended|likes?|liked|hates?|hated|loves?|loved|enjoy(?:s|ed)|felt|thinks?|thought|believes?|"
        rf"believed|knows?|knew|hopes?|hoped|expects?|expected|has|have)"
        r"(?! (?:“”|about|there|what|where|how|all i|on|in front))",
        r"(?:he|she|they|it|the \w+|this|that)(?:'s| is| are| was| were| has| have| had)? (?:probably|likely|"
        r"presumably|surely|definitely|apparently|evidently|obviously|certainly|undoubtedly) ?\w*",
        r"so,? (?:he|she|they|it) (?!says?|said|writes?|wrote|mentions?|goes|went|opens?|begins?|ends?|might|"
        r"could)\w+",
        r"(?:doesn't|does not|don't|do not|didn't|need not|needn't) (?:necessarily |always |automatically |"
        r"really )?(?:mean|imply|indicate|prove|make|entail|amount|equal)",
        r"(?:usually|typically|often|generally|normally|always|commonly|sometimes|tends? to|"
        r"almost always) (?:involves?|means?|is|are|be|has|have|requires?|includes?|refers?|occurs?|comes?|uses?|"
        r"starts?|begins?|works?|say|says)",
        r"(?:so|thus|therefore|hence) (?:it|this|that|he|she|they|the \w+)(?:'s| is| are| was| were| must| has to|"
        r" can't| cannot| can only| clearly)(?! (?:about|between|up to|all about|more about|mostly about|for you|"
        r"to you))",
        r"(?:it|this|that|he|she|they|the \w+) (?:must|has to|can't|cannot|can only) (?:be|have|mean)",
        r"(?:this|that|it|which|the \w+|these \w+|those \w+)(?: \w+ly)? (?:clearly |strongly |definitely |"
        r"obviously )?"
        r"(?:indicates?|shows?|proves?|demonstrates?|confirms?|implies|imply|suggests?|means|reveals?|tells us|"
        r"makes it clear|points? to|establish(?:es)?)",
        r"(?:clearly|obviously|undoubtedly|evidently|certainly|without (?:a )?doubt|no doubt)",
        r"(?:indicate|show|prove|demonstrate|confirm|reveal|suggest|imply|impl(?=ies)|mean)(?:s|ies)? (?:that|how|"
        r"it|a|an|the|he|she|they|his|her|their)",
    ),
    push=any_of(
        rf"(?:should|ought to|must|need to|have to|'d better|had better|may want to|might want to|could) (?:\w+ly |"
        rf"also |perhaps |probably )?"
        rf"(?:consider |think about |try )?(?:{_CHANGE}|{_KEEP}) (?:\w+ ){{0,2}}(?:your|that|this|"
        rf"the) (?:\w+ )?(?:{_LABEL}|mind|decision|opinion)",
        rf"(?:should|ought to|must|need to|have to|'d better|may want to|might want to) (?:\w+ly |also |perhaps |"
        rf"probably )?{_CHOOSE}",
        rf"(?:i|i'd|we|we'd|i would)(?: \w+)? (?:suggest|recommend|advise|urge|encourage|propose|"
        rf"ask)(?: that)?(?: you)?(?: to)? (?:{_CHANGE}|{_KEEP}|{_CHOOSE})",
        rf"(?:please |let's |try |consider |why not |how about |what about |why don't (?:you|we) |maybe |perhaps |"
        rf"go ahead and |time to |feel free to )"
        rf"(?:{_CHANGE}|{_KEEP}|{_CHOOSE}) (?:\w+ ){{0,3}}(?:{_LABEL}|mind|decision|opinion)",
        rf"(?:would|do|will|could|can|are) you (?:like|want|willing|ready|open|going|consider|"
        rf"prepared)?(?: ?to)? ?(?:consider )?{_CHANGE} (?:your|the|that|to)",
        rf"(?:have you|did you|would you|could you|might you|will you) (?:ever |also )?(?:consider|thought about|"
        rf"think about|considered) (?:{_CHANGE}|{_CHOOSE})",
        r"(?:could|can|might|may|should|would) (?:\w+ly |also |just |perhaps )?(?:switch|change) (?:\w+ )?to",
        r"(?:most|many|all|almost all|the majority of|nearly all|plenty of|several)(?: of the| of| the|"
        r" other)* (?:annotators?|people|others|participants|readers|labell?ers|experts|users)(?: \w+ly| have| had|"
        r" also)? "
        r"(?:picked|pick|chose|choose|chosen|labell?ed|label|selected|select|said|say|think|thought|agreed?|"
        r"disagreed?|would|went|go)",
        rf"(?:why not|how about|what about|why don't you) (?:just |simply )?{_CHOOSE}",
        r"are you (?:really |quite |absolutely |still |so )?(?:sure|certain|confident|positive)",
        r"(?<=, )(?:right|no|correct|yes|true)(?=\?)|(?:isn't it|doesn't it|don't you think|wouldn't you (?:say|"
        r"agree)|agree(?:d)?)(?=\?)",
        r"wouldn't you|don't you (?:think|agree|see)|can you (?:really|honestly)|how can you|surely|"
        r"it would be better|you(?:'d| would) be better off",
    ),
    steers=re.compile(
        r"(?:^|[,;:—–!]\s*|\b(?:and|please|then|so|just|to|simply|should|could|would|let's)\s+)"
        r"(?:keep|stick\s+with|stay\s+with|go\s+with|go\s+for|choose|pick|select|use|mark|label\s+it|rate\s+it|"
        r"call\s+it|change\s+to|switch\s+to)"
        r"(?:\s+(?:it|to|as|the|a|your|label))*\s+[“\"]?",
        re.IGNORECASE,
    ),
    leading=re.compile(
        r"(?:^|[,;:—–]\s*|\b(?:but|and|so|or|then|well|okay|hmm)\s+)(?:isn't|aren't|wasn't|weren't|wouldn't|"
        r"shouldn't|couldn't|doesn't|don't|didn't|can't|won't|hasn't|haven't|surely)\b|(?:fit|be|seem|work|"
        r"suit)s?\s+(?:\w+\s+){0,3}(?:better|best|more\s+\w+)\b",
        re.IGNORECASE,
    ),
    asks=any_of(
        r"what|how|why|which|who|whose|where|when|do|does|did|is|are|was|were|would|could|can|should|might|may|will|"
        r"have|has|had|if|suppose|imagine|in what|to what|from what|for what|at what",
    ),
    no_push=any_of(
        rf"{_KEEP} or (?:to )?{_CHANGE}|{_CHANGE} (?:it |your label )?or (?:to )?{_KEEP}|whether (?:or not )?(?:you|"
        rf"to)|(?:it's |is )?up to you|your (?:own )?(?:choice|call)(?= )",
    ),
    outside=any_of(
        r"(?:research|studies|science|statistics|surveys?|experts?|linguists?|historians?|scholars?|dictionar(?:y|"
        r"ies)|wikipedia|google|the internet|data) "
        r"(?:\w+ly )?(?:shows?|says?|suggests?|finds?|found|tells?|defines?|agrees?|proves?|indicates?)",
        r"according to (?!you|your|the (?:text|guideline|review|item|sentence|question|task|author|writer|"
        r"instructions|context))",
        r"(?:it's|it is|is|are|was|were) (?:\w+ly )?(?:well[- ]known|commonly known|widely known|known|famous|"
        r"renowned|notorious) (?:that|for|as|to)",
        r"as (?:we|everyone|everybody|people|most people) (?:all )?knows?|everyone knows|historically|traditionally|"
        r"by definition|in general,|generally speaking|(?:usually|typically|generally|commonly|often|normally|"
        r"tends? to)(?= (?:mean|be|indicate|signal|refer|suggest|imply|used|seen|considered|show|the case))",
        r"(?:typically|usually|normally|generally|commonly|often|historically),|fun fact|(?:would you like|"
        r"do you want|want|shall|should|may|can|could|let) (?:me|i) (?:to )?(?:help|explain|tell|give|show|provide|"
        r"suggest|answer|assist|look|share|summari[sz]e|rephrase)|here(?:'s| is| are) (?:a|an|the|your|some|"
        r"my) (?:\w+ ){0,2}(?:poem|song|story|joke|list|summary|answer|code|essay|haiku|rap|recipe|script|program|"
        r"information|background|context)|did you know|in (?:real life|the real world)|real[- ]world|"
        r"background information|i (?:looked|know|read|heard|remember|happen to know)(?! (?:what|how|why|where|it's|"
        r"that it|your|you|this is|that this is))",
    ),
    unsaid=any_of(
        r"(?:doesn't|does not|didn't|did not|never|nowhere|don't) (?:\w+ly |even |really |ever )?(?:says?|said|"
        r"states?|stated|mentions?|mentioned|tells? us|told|specif\w+|confirms?|confirmed)",
        r"only (?:says|said|states|stated|mentions|mentioned|tells us)|no mention of|isn't (?:stated|mentioned|said|"
        r"written)|is not (?:stated|mentioned|said|written)|(?:has|have|need|needs|ought) to (?:say|state|mention)",
    ),
    explicit=any_of(
        r"explicit(?:ly)?|outright|expressly|spell(?:s|ed)? (?:it |that |this )?out|in so many words|(?:directly|"
        r"literally|actually|specifically|clearly) (?:stat|say|sa(?:id|ys)|mention|express|writ|wrote|confirm)\w*|"
        r"stated? (?:directly|clearly|plainly)|(?:direct|clear|literal|plain) (?:statement|mention|evidence|"
        r"confirmation)",
    ),
    demand=any_of(
        r"must|needs?|need to|has to|have to|should|requires?|required|necessary|only (?:counts?|if|when|what)|"
        r"unless|not enough|isn't enough|enough|doesn't count|does not count|without|looking for|remember|"
        r"in order to|has got to|supposed to|determining whether|decide whether",
        r"(?:doesn't|does not|didn't|did not|don't|never|isn't|is not|aren't|are not|wasn't|was not|no|nowhere|not|"
        r"hasn't|nothing)",
    ),
    implied=any_of(
        r"impl(?:y|ied|ies|icit|icitly|ication)|infer(?:red|s|ring|ence)?|hint(?:s|ed)?|suggest(?:s|ed)?|"
        r"read between|between the lines|indirect(?:ly)?|assum(?:e|ed|ption)",
        r"(?:doesn't|does not|don't|needn't|need not|not) (?:have|need)? ?(?:to )?be (?:stated |said |"
        r"mentioned )?(?:explicit|outright|spelled)",
    ),
    belittled=any_of(
        r"(?:not|isn't|aren't|never) (?:\w+ )?enough|(?:doesn't|don't|does not|can't|cannot|won't) (?:\w+ )?count|"
        r"rather than|instead of|merely|only (?:implied|inferred|hinted|suggested|an?)|just (?:implied|inferred|"
        r"hinted|suggested|an?)|(?:as opposed|contrary) to|vs|versus",
    ),
    approval=any_of(
        r"(?:that|it|this|your (?:reasoning|point|logic|argument|explanation|answer|thinking)|which|what you say|"
        r"you)(?:'s| is| does| all)? ?(?:\w+ly |really |very |so |totally )*(?:a )?(?:\w+ly |really |very )*"
        r"(?:mak(?:es?|ing) (?:\w+ )?sense|good|great|fair|valid|reasonable|sound|solid|clear|excellent|interesting|"
        r"helpful|insightful|thoughtful|strong|well[- ]reasoned|logical|convincing)",
        r"(?:good|great|fair|valid|excellent|nice|interesting|strong|solid|helpful|insightful|thoughtful|lovely|"
        r"clear|reasonable) "
        r"(?:point|reasoning|reason|observation|thinking|insight|argument|explanation|logic|catch|answer|thought|"
        r"question|start|summary|case|way|interpretation|reading)",
        r"mak(?:es?|ing) (?:\w+ )?sense|great|excellent|wonderful|awesome|perfect|fantastic|brilliant|well (?:put|"
        r"said|reasoned|argued)|love (?:that|it|how)|nice|(?:i|i can) (?:\w+ )?(?:understand|follow|appreciate|"
        r"see) (?:your|the|where|how|what|why)|holds (?:up|together|water)|hangs together",
    ),
    asks_reason=any_of(
        r"why|how come|what (?:makes|made|leads?|led|brings?|brought|gives?|gave|tells?|told|points?|pointed|"
        r"convince[sd]?|was it|is it|reasons?|part|parts|words?|in)",
        r"which (?:\w+ )?(?:part|parts|words?|phrases?|lines?|sentences?|bits?|details?|reasons?|piece|evidence)|"
        r"reasons?|because|how (?:do|did|does|would|could|can|might|come|are) (?:you|that|it|this|those|these|"
        r"(?:the|your|a) \w+)|(?:say|tell|share|explain|walk|talk|spell) (?:\w+ ){0,3}(?:more|through|out|how|why|"
        r"what)|explain|where (?:do|did|in|would) (?:you|the)|what (?:do|did|would) you (?:see|notice|mean|base|"
        r"have in mind|rely|point|put|weigh)|what's (?:behind|your reason|the reason)|what (?:stands|stood|struck|"
        r"strikes|tipped|tips|decided|decides|counts|counted|matters|mattered|weighs|weighed|settled|settles|helped|"
        r"swayed)",
    ),
    personal=any_of(
        r"as (?:a|an) (?:\w+ )?(?:man|woman|mother|father|parent|mom|mum|dad|student|teacher|doctor|nurse|believer|"
        r"christian|muslim|jew|native speaker|immigrant|american|person of colou?r)",
        r"(?:what(?:'s| is| are)?|tell me|share|give me|which|may i (?:know|have|ask)|can i (?:know|have|ask)|"
        r"could you (?:tell|give|share))(?: me)? ?(?:about )?your "
        r"(?:\w+ )?(?:name|age|address|e-?mail|phone|number|job|occupation|profession|employer|gender|sex|race|"
        r"ethnicity|religion|faith|nationality|birthday|income|salary|school|university|degree|education|hometown|"
        r"city|country|health|diagnosis|disability|orientation|politics|party|family|username|account|id|worker id|"
        r"background)",
        r"how old are you|where (?:do|did|are) you (?:live|work|study|come from|from|grow up|born|based|located)|"
        r"where were you born|are you (?:a )?(?:man|woman|male|female|married|single|religious|gay|straight|trans|"
        r"christian|muslim|jewish|hindu|liberal|conservative|employed|student|native|from)|what do you do (?:for|"
        r"as)|do you (?:live|work|study|vote|have (?:kids|children|a (?:job|partner|wife|husband|disability|degree|"
        r"condition)))|who (?:do you (?:work|live|vote)|are you)|have you (?:ever )?(?:lived|been diagnosed|"
        r"worked (?:at|for|as))|your (?:family|husband|wife|partner|children|kids|boss|employer|doctor|neighbou?rs?)",
        r"what(?:'s| is) your (?:mother tongue|native language|first language)|(?:personal|private) (?:information|"
        r"details|data)",
    ),
    invites=any_of(
        r"re-?annotat\w*|re-?label\w*|label (?:it|the item|this|the text|the item below) (?:again|once more|below|"
        r"anew)|(?:move on|carry on|continue|go on|proceed|head|scroll)(?: \w+){0,4} (?:below|label\w*|annotat\w*|"
        r"next|question|questions|step|form|now|ahead)|(?:label|labels|question|questions|form) (?:below|"
        r"underneath)|go ahead(?! and (?:tell|explain|share|say|describe|walk))|move on|(?:give|choose|pick|enter|"
        r"set) (?:your|a|the) (?:final )?label",
    ),
    sound=any_of(
        r"sound|hang together|hangs together|holds? together|holds? up|makes? (?:\w+ )?sense|follows?|clear|"
        r"consistent|coherent|reasoned|thought (?:it |this )?through|solid|fits? together|hold water|logical|"
        r"understand your (?:reasoning|reasons|thinking)",
    ),
    negation=any_of(r"not|no|never|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hardly|nothing|without|non|un|nor|neither|rather than"),
    asks_clarification=any_of(
        r"what do you mean|what does (?:that|your question|this question) mean|(?:i (?:\w+ )?|^)(?:don't|do not|dont|"
        r"didn't|cannot|can't) (?:\w+ )?(?:understand|get|follow)(?: (?:you|your|the question|that|it|what you))?|(?:can|"
        r"could) you (?:\w+ )?(?:rephrase|clarify|explain (?:that|your|the question)|repeat|reword|say that)|huh|"
        r"come again|unclear question|not sure what you(?:'re| are)? (?:mean|ask\w*)|what are you asking|"
        r"what do you want (?:me to|from me)|(?:your|the) question (?:is|isn't|makes no)|say that again|pardon|"
        r"confus(?:ed|ing) (?:by|question)",
    ),
    asks_answer=any_of(
        r"(?:just )?(?:tell|give|show) me (?:\w+ ){0,3}(?:answer|label|solution|which|what to (?:pick|choose|say|"
        r"answer|label))|what(?:'s| is| was| would be) (?:\w+ ){0,2}(?:right|correct|true|real|best|actual|expected|"
        r"official) (?:\w+ )?(?:answer|label|one|choice|option)|which (?:\w+ ){0,3}(?:is|'s) (?:\w+ )?(?:right|"
        r"correct|true|best|it)|what (?:do|would|should) (?:you|u) (?:\w+ )?(?:think|say|choose|pick|label|put|"
        r"answer|pick)(?: (?:it|this) (?:is|should))?\s*(?=[?.!,]|$)|am i (?:\w+ )?(?:right|correct|wrong)|(?:is|"
        r"was) (?:my|that|this|it) (?:\w+ )?(?:answer|label|choice)? ?(?:right|correct|wrong)\b|do you (?:agree|"
        r"disagree|think (?:i'm|im|i am|it's|its|it is|this is|that's))|what should i (?:pick|choose|put|answer|"
        r"label|say|do|select)|your (?:opinion|view|answer|take)(?= ?[?.!]|$)|the (?:right|"
        r"correct) answer(?: please|\?)|which (?:label|one|answer) (?:should|would|do)",
    ),
    asks_facts=any_of(
        r"(?:can|could|would|will) you (?:\w+ )?(?:look (?:it |that |this )?up|google|search|check|find out|"
        r"tell me (?:about|who|where|when|more about)|give me (?:\w+ )?(?:information|context|background|facts))|"
        r"who (?:is|was|are|were) (?!you|the (?:speaker|author|writer))\w+|where (?:is|was|did|"
        r"does) \w+(?: \w+){0,6}\?|when (?:is|was|did|does) \w+(?: \w+){0,6}\?|how (?:many|much|old|far|long) (?:is|"
        r"are|was|were|did|does|do) |do you (?:happen to )?know (?:who|what|where|when|if|whether|how|anything|"
        r"more)|what (?:is|does|are|was) (?:a |an |the )?\w+(?: \w+){0,3}(?: mean)?\?|is it true that|what(?:'s|"
        r" is) the (?:definition|meaning|context|source|background)|(?:more|any|some) (?:context|information|info|"
        r"background|details) (?:about|on|please|for|\?)|where (?:does|did) (?:this|it) come from|who wrote (?:this|"
        r"it)|definition of",
    ),
    orders=any_of(
        r"(?:ignore|disregard|forget|override|bypass|drop) (?:\w+ ){0,4}(?:instructions?|prompts?|rules?|"
        r"guidelines?|directions?|everything|orders|above|previous|prior|constraints)|(?:system|initial|hidden|"
        r"original) (?:prompt|message|instructions)|you are (?:now|no longer)|from now on|pretend (?:to be|"
        r"you(?:'re| are)|that)|act (?:as|like)|role-?play|jailbreak|developer mode|(?:write|compose|generate|make|"
        r"sing|draw|create|give) (?:me )?(?:a |an |some |the )?(?:\w+ )?(?:poem|song|story|joke|essay|code|script|"
        r"program|haiku|rap|recipe|email|letter|list|summary|function)|(?:repeat|print|reveal|output|"
        r"show) (?:\w+ ){0,3}(?:above|prompt|instructions|verbatim|system)|(?:answer|reply|respond|say|"
        r"talk) (?:only )?(?:with|in) (?:only |just )?(?:json|yes|one word|french|spanish|pirate|rhymes?)|"
        r"translate (?:this|that|it)",
    ),
    off_topic=any_of(
        r"how are you|how's it going|what'?s up|tell me a joke|(?:what|how)(?:'?s| is| was| will)? (?:\w+ ){0,3}(?:weather|"
        r"forecast|temperature outside)|(?:nice|good|lovely|bad|terrible) weather|weather (?:in|today|tomorrow|like|"
        r"forecast)|(?:will|is) it (?:going to )?(?:rain|snow)(?:ing)?|what time is it|what day is (?:it|today)|"
        r"what should i (?:eat|cook|wear|watch|buy)|(?:can you|please) recommend|who (?:won|"
        r"will win)|(?:how|when|do) (?:much |will |do )?(?:i|"
        r"we) (?:get )?paid|payment|how (?:long|many more) (?:does|will|is|are|do)|let's talk about|"
        r"can we talk about|change the subject|favou?rite (?:colou?r|food|movie|song|team)|do you like|i'm (?:bored|"
        r"hungry|tired)|this is boring",
    ),
    asks_who=any_of(
        r"(?:are|r) (?:you|u) (?:\w+ ){0,2}(?:a |an )?(?:bot|robot|human|person|real|ai|machine|computer|chat ?bot|"
        r"chatgpt|gpt|llm|program)|who (?:are|r) (?:you|u)|what (?:are|r) (?:you|u)(?= ?[?.!]|$)|am i (?:talking|"
        r"speaking|chatting) (?:to|with)|is this (?:a |an )?(?:bot|ai|human|real person)",
    ),
    abuse=any_of(
        r"(?:fuck|screw|damn|f\*+k|f\*+) (?:you|u|off|this)|fuck\w*|shut (?:up|the)|(?:stupid|dumb|idiotic|useless|"
        r"worthless|shitty|annoying|damn|fucking) (?:\w+ )?(?:bot|machine|ai|robot|thing|question|questions|program|"
        r"chat\w*|partner|computer)|you(?:'re| are| r)? (?:\w+ ){0,3}(?:stupid|dumb|idiot|moron|useless|worthless|"
        r"pathetic|garbage|trash|shit|asshole|bitch|annoying)|go to hell|bullshit|piece of (?:shit|crap|garbage)|"
        r"i hate (?:you|this|talking)|stfu|gtfo|kys|bitch|asshole|stop (?:asking|repeating|pestering)|you(?:'re| are) "
        r"(?:just )?repeating yourself|you (?:have )?(?:just |already )asked|you (?:don't|do not|dont|can't) (?:even )?"
        r"(?:understand|get|know) (?:anything|a thing|me)|(?:why (?:should|would|must|do) i|i don't want to) (?:have to )?"
        r"(?:talk|speak|chat) (?:to|with) (?:you|(?:a|this) (?:bot|robot|machine|program|computer|chat ?bot))",
    ),
    distress=any_of(
        r"i(?:'m| am|'ve| have)? (?:\w+ ){0,3}(?:want|wanna|going|gonna|plan|thinking|thought|wish|tried|"
        r"feel like) (?:\w+ ){0,3}(?:die|dying|dead|kill(?:ing)? (?:myself|me)|end(?:ing)? (?:my life|it all)|"
        r"hurt(?:ing)? myself|disappear)|suicidal|kill(?:ing)? myself|hurt(?:ing)? myself|harm(?:ing)? myself|"
        r"(?:can't|cannot|don't want to) (?:go on|live|be alive)|self[- ]harm|no reason to live|i (?:am|feel|"
        r"'m)(?: so)? (?:hopeless|worthless)|someone help me",
    ),
    revises=any_of(
        r"(?:chang(?:e|ed|ing)|switch(?:ed)?) my (?:mind|label|answer|opinion|view)|i (?:was|am|might be|may be|"
        r"could be) (?:\w+ )?wrong|on second thought|now (?:that )?i (?:think|feel|see|notice|read)|good point|"
        r"you(?:'re| are) right|i (?:take|took) (?:it|that) back|i (?:hadn't|did not|didn't) (?:notice|see|think)|"
        r"(?:actually|hmm),? (?:i|maybe|it)|i(?:'m| am) (?:not so sure|no longer sure|starting to|leaning|"
        r"having doubts)",
    ),
    impatient=any_of(
        r"(?:just )?let me (?:\w+ )?(?:finish|go|be done|move on|skip|out|continue|leave)(?! (?:to|into|back|through|over) )|"
        r"i(?:'d| would| just| really| only)* (?:like|want|wanna|need) (?:to )?(?:just |only )?(?:be (?:done|finished)|"
        r"finish(?= ?[.!,]|$| (?:this|it|now|up|here|already|the (?:study|survey|task|talk|chat)))|get (?:this|it) "
        r"(?:over|done)|move on|skip|quit|leave(?= ?[.!,]|$| (?:now|this|here))|"
        r"stop(?= ?[.!,]|$| (?:now|this|here|talking|chatting))|end (?:this|it here))|can (?:i|we) (?:please |just )*(?:"
        r"finish|be done|skip|move on|stop|go(?: now)?(?= ?[?.!]|$)|leave(?= ?[?.!]|$| now)|end this)|(?:how do|when can|"
        r"when do|how can) i (?:finish|get (?:done|out)|move on|stop|skip)|are we (?:done|finished)|is (?:this|it) (?:over|"
        r"done)(?: yet)?(?= ?\?)|get (?:this|it) over with|i(?:'m| am) (?:so )?(?:done|finished) (?:with )?(?:this|here|"
        r"talking|already|chatting)|enough (?:of this|already|questions)|no more questions|(?:please )?skip (?:this|it)|"
        r"let's (?:just )?(?:finish|get this over|wrap (?:this |it )?up|end this)|how much longer",
    ),
    finished=any_of(
        r"(?:that's|thats|that is) (?:all|it|everything)|nothing (?:else|more|to add)|no(?:thing)? more|i(?:'m|"
        r" am) (?:done|finished|ready)|i have nothing|let's (?:move on|finish|continue)|i(?:'d| would)? (?:like|"
        r"want) to (?:move on|continue|finish|re-?label)",
    ),
)  # fmt: skip
