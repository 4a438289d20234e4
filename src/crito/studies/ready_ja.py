"""The ready-made words of a study in Japanese, by the English ones."""

from collections.abc import Mapping

JAPANESE: Mapping[str, str] = {
    "Yes": "はい",
    "No": "いいえ",
    "Very sure": "とても確信がある",
    "Somewhat sure": "ある程度確信がある",
    "Not sure": "確信がない",
    "Could talking about this item make its label clearer, for you or for someone else?": (
        "この項目について話し合うと、あなたやほかの人にとって、ラベルがよりはっきりすると思いますか？"
    ),
    "Yes, a talk could make it clearer": "はい、話し合えばよりはっきりしそうです",
    "No, a talk would change little": "いいえ、話し合ってもあまり変わらないと思います",
    "Think of other people who label this item. How many of them would choose what you chose?": (
        "この項目にラベルを付けるほかの人たちを思い浮かべてください。あなたと同じものを選ぶ人は、どのくらいいるでしょうか？"
    ),
    "Most of them": "ほとんどの人",
    "About half of them": "半分くらいの人",
    "Few of them; most would choose something else": "少しの人（多くの人は別のものを選ぶ）",
    "Did the talk make it clearer to you how this item should be labelled?": (
        "話し合ってみて、この項目にどのラベルを付けるのがよいか、よりはっきりしましたか？"
    ),
    "Yes, it became clearer": "はい、よりはっきりしました",
    "No, it did not become clearer": "いいえ、変わりませんでした",
    "Was there a moment in the talk when you began to doubt your first label?": (
        "話し合いの中で、最初のラベルに疑問を感じ始めたときはありましたか？"
    ),
    "Was it the talk that brought you to change your first label?": (
        "最初のラベルを変えたのは、話し合いがきっかけでしたか？"
    ),
    "No, or I did not change it": "いいえ、または変えていません",
    "How was it to talk about this item in this way?": "この項目についてこのように話し合うのは、いかがでしたか？",
    "How do you feel about where the talk left you with this item?": (
        "話し合いを経て、この項目について落ち着いたところを、どう感じていますか？"
    ),
    (
        "Imagine that green is the colour you like best, but that you always tick orange when a form asks. "
        "This form asks: which colour do you like best?"
    ): (
        "いちばん好きな色は緑だけれど、アンケートではいつもオレンジと答えることにしている、と想像してください。"
        "このアンケートでお尋ねします。いちばん好きな色はどれですか？"
    ),
    "Green": "緑",
    "Orange": "オレンジ",
    "Purple": "紫",
    "Where would you rather spend a day off? Whatever you prefer, choose the longest of these words.": (
        "休みの日を過ごすなら、どこがよいですか？お好みにかかわらず、文字数がいちばん多いものを選んでください。"
    ),
    "Lake": "湖",
    "Mountain": "山のふもと",
    "Forest": "森の中",
    "How much thinking and concentrating did this study ask of you?": (
        "この研究では、考えることや集中することが、どのくらい必要でしたか？"
    ),
    "Very little": "ほとんどない",
    "Very much": "とても大きい",
    "How rushed did you feel?": "どのくらい急かされていると感じましたか？",
    "Not rushed at all": "まったく感じない",
    "Very rushed": "とても強く感じた",
    "How well did you manage what you were asked to do?": "求められたことを、どのくらいうまくできましたか？",
    "Perfectly": "完全にできた",
    "Not at all": "まったくない",
    "How much effort did it cost you to do it that well?": "そこまでやり遂げるのに、どのくらい努力が必要でしたか？",
    "How much did it annoy, stress or discourage you?": ("いら立ち、緊張、落胆を、どのくらい感じましたか？"),
    "When people label data, how much does it matter that they can talk about their labels?": (
        "データにラベルを付けるとき、そのラベルについて話し合えることは、どのくらい大切だと思いますか？"
    ),
    "It matters a lot": "とても大切だと思う",
    "It matters somewhat": "いくらか大切だと思う",
    "It hardly matters": "あまり大切だと思わない",
    "It does not matter": "大切だと思わない",
    "Is there more you think about talking while labelling?": (
        "ラベルを付けながら話し合うことについて、ほかにお考えがあれば聞かせてください。"
    ),
    "Before this study, had you ever talked with another person about which label fits?": (
        "この研究より前に、どのラベルが合うかをほかの人と話し合ったことはありますか？"
    ),
    "Did those talks usually help you to decide?": "そうした話し合いは、決めるうえでふだん役に立ちましたか？",
    "Yes, a lot": "はい、とても",
    "Yes, a little": "はい、少し",
    "No, not much": "いいえ、あまり",
    "No, they made it harder": "いいえ、かえって難しくなりました",
    "Set beside those talks with people, how much did the chat partner of this study help you?": (
        "人との話し合いと比べて、この研究の話し相手はどのくらい役に立ちましたか？"
    ),
    "Clearly more than people": "人よりもずっと役に立った",
    "A little more than people": "人よりも少し役に立った",
    "A little less than people, but it was fine": "人ほどではないが、十分だった",
    "Clearly less than people": "人には遠く及ばなかった",
    "Would you label data with a chat partner like this one again?": (
        "このような話し相手と、またデータにラベルを付けたいですか？"
    ),
    "I am not sure": "わかりません",
    "What makes you say so?": "そう思われるのはなぜですか？",
    "What else would you like to tell us?": "ほかに伝えたいことがあれば、お書きください。",
    "Time for a short break. Look away from the screen for a few breaths, and go on when you are ready.": (
        "短い休憩の時間です。画面から目を離して何度か深呼吸し、準備ができたら続けてください。"
    ),
    (
        "Your labels and ratings may be published, under a made-up name. "
        "Nothing you write in your own words is published."
    ): (
        "あなたのラベルと評定は、仮の名前で公開されることがあります。"
        "ご自身の言葉で書かれたものが公開されることはありません。"
    ),
    (
        "Your labels, your ratings and what you write in the forms may be published, under a made-up name. "
        "What you write in the talk is not published."
    ): (
        "あなたのラベル、評定、フォームに書かれた内容は、仮の名前で公開されることがあります。"
        "話し合いの中で書かれたものは公開されません。"
    ),
    "Your labels, your ratings and everything you write, the talk included, may be published, under a made-up name.": (
        "あなたのラベル、評定、そして話し合いを含めて書かれたものはすべて、仮の名前で公開されることがあります。"
    ),
    (
        "It is a computer program that asks prepared questions: not a person, and not a language model. "
        "What you write in the talk goes to nobody outside this study."
    ): (
        "話し相手は、あらかじめ用意された質問をするコンピュータープログラムで、人でも言語モデルでもありません。"
        "話し合いの中で書かれたことが、この研究の外に渡ることはありません。"
    ),
    (
        "It is a language model, which is software and not a person. "
        "It runs on the computers of this study, so what you write in the talk goes to nobody outside it."
    ): (
        "話し相手は言語モデルというソフトウェアで、人ではありません。"
        "この研究のコンピューターの中で動いているため、話し合いの中で書かれたことが外に渡ることはありません。"
    ),
    (
        "It is a language model run by a company ({provider}), which is software and not a person. "
        "What you write in the talk is sent to that company so that the model can reply."
    ): (
        "話し相手は企業（{provider}）が運用する言語モデルというソフトウェアで、人ではありません。"
        "話し合いの中で書かれたことは、モデルが返事をするために、その企業に送られます。"
    ),
    "1 year": "1年",
    "{number} years": "{number}年",
    "1 day": "1日",
    "{number} days": "{number}日",
    "In this study you read short texts and label them.": "この研究では、短い文章を読んでラベルを付けていただきます。",
    "In this study you read short texts and label them, then you label them again.": (
        "この研究では、短い文章を読んでラベルを付け、その後もう一度ラベルを付けていただきます。"
    ),
    "At the end come some questions about how it went.": "最後に、作業についての質問がいくつかあります。",
    "You also talk about your labels with a chat partner.": "また、付けたラベルについて、話し相手と文字で話し合っていただきます。",
    "You may also be asked to talk about your labels with a chat partner.": (
        "また、付けたラベルについて、話し相手と文字で話し合っていただくことがあります。"
    ),
    "Which kind you meet is drawn at random.": "どの種類の話し相手になるかは、無作為に決まります。",
    "One kind:": "一つは次のとおりです。",
    "Another kind:": "もう一つは次のとおりです。",
    "The study team reads everything. Please write nothing that shows who you are.": (
        "書かれたものはすべて研究チームが読みます。あなたが誰であるかがわかることは書かないでください。"
    ),
    "Your data are kept for at most {span}.": "データの保管期間は最長で{span}です。",
    (
        "Taking part is voluntary. On every page you can leave the study, and you can withdraw your data: "
        "the words you wrote are then erased, and your labels are used no more. "
        "What was published before that stays published."
    ): (
        "参加は任意です。どのページからでも研究を離れることができ、データを撤回することもできます。"
        "撤回すると、書かれた言葉は消去され、ラベルはそれ以降使われません。"
        "それより前に公開されたものは、公開されたままになります。"
    ),
    "Questions about the study: {contact}": "この研究についてのお問い合わせ：{contact}",
    (
        "You see one item at a time. Read it and the guideline beside it, choose the label that fits best, "
        "and say how sure you are. We want to know how you read the item; there is no score."
    ): (
        "項目は一つずつ表示されます。項目とそばにあるガイドラインを読み、いちばん合うラベルを選んで、"
        "どのくらい確信があるかを答えてください。知りたいのはあなたの読み方で、点数はありません。"
    ),
    "Afterwards you talk about each of your items with a chat partner.": (
        "その後、それぞれの項目について、話し相手と文字で話し合っていただきます。"
    ),
    "Afterwards you may be asked to talk about each of your items with a chat partner.": (
        "その後、それぞれの項目について、話し相手と文字で話し合っていただくことがあります。"
    ),
    "It asks for your reasons; it does not know a right label.": (
        "話し相手は理由を尋ねますが、正しいラベルを知っているわけではありません。"
    ),
    "Then you label the items a second time. Keeping your label is as welcome as changing it.": (
        "それから、もう一度ラベルを付けていただきます。ラベルは変えても、そのままでもかまいません。"
    ),
    (
        "Once a part is finished you cannot come back to it. "
        "If you have to stop, open the same link again later: everything you saved is still there."
    ): (
        "終えた部分に戻ることはできません。"
        "中断するときは、あとで同じリンクをもう一度開いてください。保存したものはすべて残っています。"
    ),
    "Did reading both sides make it clearer to you how this item should be labelled?": (
        "双方の主張を読んで、この項目にどのラベルを付けるのがよいか、よりはっきりしましたか？"
    ),
    "Was there an argument that made you doubt your first label?": (
        "最初のラベルに疑問を感じさせる論拠はありましたか？"
    ),
    "Was it the debate that brought you to change your first label?": (
        "最初のラベルを変えたのは、この討論がきっかけでしたか？"
    ),
    "Did the two sides seem equally well argued to you?": (
        "双方の主張は、同じくらいよく論じられていると感じましたか？"
    ),
    "Yes, about equally": ("はい、同じくらいです"),
    "No, the side shown first was argued better": ("いいえ、先に示された側のほうがよく論じられていました"),
    "No, the other side was": ("いいえ、もう一方の側のほうがよく論じられていました"),
    "How was it to read two sides on this item?": ("この項目について二つの主張を読むのは、いかがでしたか？"),
    "You also read what two sides argue about your items.": ("また、項目についての双方の主張を読んでいただきます。"),
    "You may also be asked to read what two sides argue about your items.": (
        "また、項目についての双方の主張を読んでいただくことがあります。"
    ),
    "Each was told what to argue for, right or not.": (
        "それぞれの側は、正しいかどうかにかかわらず、何を主張するかを指示されています。"
    ),
    "Language models wrote them, which are software and not people.": (
        "主張を書いたのは言語モデルというソフトウェアで、人ではありません。"
    ),
    "Nothing you write is given to them.": ("あなたが書かれたものが渡されることはありません。"),
    "Afterwards you read what two sides argue about each of your items.": (
        "その後、それぞれの項目についての双方の主張を読んでいただきます。"
    ),
    "Afterwards you may be asked to read what two sides argue about each of your items.": (
        "その後、それぞれの項目についての双方の主張を読んでいただくことがあります。"
    ),
    "Each side was told what to argue for; neither knows a right label.": (
        "どちらの側も何を主張するかを指示されており、正しいラベルを知っているわけではありません。"
    ),
    "I prefer not to say": "答えたくない",
    "How old are you?": "年齢をお聞かせください。",
    "18 to 24": "18～24歳",
    "25 to 34": "25～34歳",
    "35 to 44": "35～44歳",
    "45 to 54": "45～54歳",
    "55 to 64": "55～64歳",
    "65 or older": "65歳以上",
    "Which gender do you have?": "性別をお聞かせください。",
    "Woman": "女性",
    "Man": "男性",
    "Non-binary": "ノンバイナリー",
    "Another one": "その他",
    "With which of these groups do you identify most?": "次のうち、ご自身に最も当てはまるものはどれですか。",
    "Asian": "アジア系",
    "Black": "黒人",
    "Mixed": "複数のルーツ",
    "White": "白人",
    "Is the language of these texts your first language?": "この文章の言語はあなたの母語ですか。",
    "One of my first languages": "母語の一つです",
    "What is the highest level of education you have finished?": "最終学歴をお聞かせください。",
    "School": "中学・高校",
    "Vocational training": "専門学校・職業訓練",
    "First degree at a university": "大学（学士）",
    "Higher degree at a university": "大学院",
    "None of these": "いずれでもない",
}
