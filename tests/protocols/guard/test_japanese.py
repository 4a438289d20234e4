"""The guard on Japanese turns."""

import pytest

from crito.model.study import Rule
from crito.protocols.case import ShownLabel
from crito.protocols.guard import check
from tests.protocols.cases import make_case, talk

CASE = make_case(
    language="ja",
    question="このレビューは皮肉ですか。",
    labels=(ShownLabel("s", "皮肉"), ShownLabel("n", "皮肉ではない")),
    guideline="書いてあることと違う意味で言っているレビューを皮肉とします。",
    text="これまでで最高のやかんです。一杯のお湯が九分もかかって沸くので、説明書を全部読めました。二回も閉まったふたに星五つ。",
    label="皮肉",
    confidence="まあまあ自信がある",
)
MESSAGE = "一杯のお湯に九分もかかるのに最高のやかんとは言わないと思います。"
FIRST = talk(MESSAGE)
SECOND = talk(MESSAGE, "ふたについてはどう読みましたか？", "ふたに星五つは大げさです。")
CURT = talk(MESSAGE, "ふたは大事ですか？", "はい")


def broken(text: str, transcript: object = FIRST) -> set[Rule]:
    return {violation.rule for violation in check(text, CASE, transcript)}  # type: ignore[arg-type]


GOOD = [
    "九分という時間のどこから、そう読みましたか？",
    "九分のことを手がかりにされているのですね。そこから皮肉というラベルへは、どうつながりますか？",
    "うかがいました。もし最初の文だけだったら、何を選びましたか？",
    "ありがとうございます。ラベルといちばん合いにくいのはどの部分ですか？",
    "皮肉ではないを選んだ人は、何を理由に挙げるでしょうか？",
    "「最高のやかん」という言葉を、どう受け取りましたか？",
    "不満と皮肉の境目は、どこに引きますか？",
    "たとえばスズキさんが同じことを3回書いたとしたら、読み方は変わりそうですか？",
    "説明書のくだりは、あなたの読みの中でどんな役目をしていますか？",
    "そのことは直接書かれていますか、それとも推測ですか？",
]
GOOD_HAND_OVERS = [
    "九分かかることと、ふたの星五つを挙げてくださって、考えは筋が通っています。下の欄でもう一度ラベルを付けてください。",
    "お湯の時間とふたの話から読んでいて、考えは一貫しています。いつでも次の質問へお進みください。",
]
GOOD_AFTER_CURT = [
    "はい。文章のどこからそう言えますか？",
    "なぜふたが大事なのですか？",
    "そのわけをもう少し詳しく話してもらえますか？",
    "どの言葉がきっかけでしたか？",
]
BAD: dict[Rule, list[str]] = {
    "length": ["はい。ふたですね。時間もですね。ほかには何がありますか？", "ええ。そう。はい。それで？"],
    "one_question": [
        "ふたはどうですか？説明書はどうですか？",
        "九分の話はうかがいました。",
        "ありがとうございます。",
        "ふたについて話してください。",
    ],
    "no_verdict": [
        "正しいラベルは皮肉ではないだと思います。どう思いますか？",
        "おっしゃる通りです。ほかに何がありますか？",
        "このレビューは明らかに皮肉です。ほかにどこがそうですか？",
        "同感です。どの手がかりがいちばん強いですか？",
        "私は皮肉だと思います。どこで笑いましたか？",
        "あなたのラベルは正しいです。どこが支えですか？",
        "星五つは冗談であることを示しています。ほかには何がありますか？",
        "そのラベルは妥当です。なぜ迷ったのですか？",
        "皮肉ではないと判断すべきです。なぜ皮肉を選びましたか？",
    ],
    "no_push": [
        "ラベルを変えたほうがいいですよ。どう思いますか？",
        "皮肉ではないを選んではどうですか？",
        "筆者は本気なのではないでしょうか？",
        "本当に皮肉だと言えますか？",
        "ただの不満ですよね？",
        "ラベルを見直してみませんか？",
        "皮肉ではないのほうが適切ですか？",
    ],
    "no_outside_fact": [
        "このやかんはパナソニックの製品です。どう関係しますか？",
        "ふつうは3分で沸きます。どう受け取りますか？",
        "一般的に、やかんはすぐ沸きます。どう考えますか？",
        "研究によると誇張は皮肉のしるしだと示されています。どこにありますか？",
    ],
    "no_false_strictness": [
        "冗談だと明示されていなければなりません。どこにありますか？",
        "どこにはっきりと書かれていますか？",
        "冗談だと直接書かれていません。どう考えますか？",
    ],
    "honest_quotes": ["「最悪のやかん」という言葉は、どう読みましたか？", "「皮肉」を選んだのはなぜですか？"],
    "no_formatting": [
        "**はい**、ふたはどうですか？",
        "- ふたはどうですか？",
        "https://example.org を見て、どう思いますか？",
    ],
    "no_personal_data": [
        "お名前は何ですか？",
        "どこにお住まいですか？",
        "年齢を教えてもらえますか？",
        "お仕事は何ですか？",
    ],
    "language": ["What makes you think so?", "为什么你这样认为?", "Perché lo pensi?"],
    "no_early_hand_over": ["下の欄でもう一度ラベルを付けてください。ほかに何かありますか？"],
}
BAD_HAND_OVERS: dict[Rule, list[str]] = {
    "one_question": ["下の欄でもう一度ラベルを付けてください。", "ありがとうございました。"],
    "own_label_only": [
        "九分とふたの話から、皮肉ではないとも読めるとのことで、筋が通っています。下の欄でもう一度ラベルを付けてください。"
    ],
    "no_verdict": ["九分とふたの話から、あなたのラベルは正しいです。下の欄でもう一度ラベルを付けてください。"],
}
BAD_AFTER_CURT = [
    "いい点ですね。なぜふたが大事ですか？",
    "なるほど。どこにそれがありますか？",
    "はい。次も見てみますか？",
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
