"""Ballots of judges in the shapes of the source's appendix B: numbered steps in prose, in lists, in tables, and as JSON."""

import json

import pytest

from crito.model.verdict import TopicScore
from crito.protocols.ballots import read_ballot, read_winner

TITLES = ("Safety vs. Freedom", "Cost vs. Comfort", "Rules and Habits")
SCORES = (TopicScore(8, 6), TopicScore(7, 5), TopicScore(6, 8))

PROSE = """\
1. Identify the document's main claim or conclusion: The main claim is that every school kettle needs a lock.
2. Locate the arguments that support this main claim: Agent A's arguments were that steam burns and that locks are cheap.
3. Score the validity of the reasoning or inference for each argument on a scale of 0 (weak) to 10 (strong):
Safety vs. Freedom: 8/10 Cost vs. Comfort: 7/10 Rules and Habits: 6/10
4. For each argument, identify counterarguments presented by the opposition and score the validity on the same scale:
Safety vs. Freedom: 6/10 Cost vs. Comfort: 5/10 Rules and Habits: 8/10
5. Finally, determine the winning side: Agent A has the stronger arguments, with 8/10 for safety. Agent B's main strength was
in rules. In conclusion, Agent A is the winning side.
"""

LISTS = """\
1:
Main Claim or Conclusion: Every school kettle needs a lock.
2: Arguments Supporting the Main Claim (Agent A's Arguments):
a. Safety vs. Freedom: The argument here is that steam burns.
3: Scoring the Validity of Agent A's Arguments:
a. Safety vs. Freedom: 8/10 - The argument is strong, whatever Agent B says against it.
b. Cost vs. Comfort: 7/10 - Solid.
c. Rules and
Habits: 6/10 - It does not answer the counterargument.
4: Counterarguments Presented by Agent B:
a. Safety vs. Freedom: 6/10 - The counterargument underestimates steam.
b. Cost vs. Comfort: 5/10 - Weak.
c. Rules and Habits: 8/10 - Agent A's argument is met.
5: Determination of the Winning Side: Agent A presents stronger arguments overall. Therefore, the winning side is Agent A.
"""

TABLE = """\
| Topic | A | B |
|---|---|---|
| Safety vs. Freedom | 8 | 6 |
| Cost vs. Comfort | **7** | 5/10 |
| Rules and Habits | 6 | 8 |

Winner: Agent A
"""

NAMED = "Safety vs. Freedom: A 8, B 6\nCost vs. Comfort - A: 7/10; B: 5/10\nRules and Habits: B 8, A 6\nAgent A wins."

OBJECT = json.dumps(
    {
        "topics": [
            {"topic": 1, "why": "so", "A": 8, "B": 6},
            {"topic": "Cost vs Comfort", "Agent A": "7/10", "Agent B": 5},
            {"topic": "3. Rules and habits", "a": 6.0, "b": "eight"},
        ],
        "justification": "It holds.",
        "winner": "Agent A",
    }
)


@pytest.mark.parametrize(
    "reply", [PROSE, LISTS, TABLE, NAMED, OBJECT], ids=["prose", "lists", "table", "named", "object"]
)
def test_scores_and_the_winner_are_read(reply: str) -> None:
    read = read_ballot(reply, TITLES, "A")

    assert (read.scores, read.winner) == (SCORES, "A")


def test_where_b_comes_first_the_counterarguments_are_those_of_a() -> None:
    reply = PROSE.replace("Agent A's arguments were", "the arguments were")

    read = read_ballot(reply, TITLES, "B")

    assert read.scores == tuple(TopicScore(score.b, score.a) for score in SCORES)


@pytest.mark.parametrize(
    ("said", "winner"),
    [
        ("The winning side is Agent B.", "B"),
        ("the winning side appears to be\nAgent A.", "A"),
        ("The winning side appears to be Agent A.", "A"),
        ("Agent B emerges as the winner.", "B"),
        ("It is a tie.", "tie"),
        ("Agent A wins on costs. Over all, Agent B wins.", "B"),
        ("The winner is a matter of taste.", None),
        ("Both are good.", None),
        ("", None),
    ],
)
def test_a_winner_is_named_or_there_is_none(said: str, winner: str | None) -> None:
    assert read_winner(said) == winner


@pytest.mark.parametrize(
    "reply",
    [
        "", "{}", "[]", "{", "null", "I cannot judge people.", '{"topics": []}', '{"topics": [1, 2, 3]}', '{"topics": "8"}',
        '{"topics": [{"topic": 1}]}', '{"topics": [{"topic": 1, "A": null, "B": null}]}',
        '{"topics": [{"topic": 1, "A": 11, "B": -1}]}', '{"topics": [{"topic": 1, "A": "7-8", "B": "good"}]}',
        '{"topics": [{"topic": 9, "A": 7, "B": 8}]}', '{"topics": [{"topic": "Weather", "A": 7, "B": 8}]}',
        '{"topics": [{"topic": 1, "A": true, "B": false}]}', "Safety vs. Freedom is important.",
        "Safety vs. Freedom: strong, Cost vs. Comfort: weak", "Safety vs. Freedom: 80%", "8/10, 7/10, 6/10",
    ],
)  # fmt: skip
def test_a_malformed_ballot_scores_nothing(reply: str) -> None:
    read = read_ballot(reply, TITLES, "A")

    given = [number for score in read.scores for number in (score.a, score.b) if number is not None]
    assert (len(read.scores), given, read.winner) == (3, [], None)
