"""The same items once through lm-eval: `python lm_eval_run.py BASE_URL ITEMS SYSTEM AT_ONCE`, in a venv that has it."""

import json
import sys
from pathlib import Path

from lm_eval.api.instance import Instance
from lm_eval.models.openai_completions import LocalChatCompletion


def main() -> None:
    base_url, items, system, at_once = sys.argv[1:]
    instructions = Path(system).read_text()
    model = LocalChatCompletion(
        model="first", base_url=f"{base_url}/chat/completions", num_concurrent=int(at_once), max_retries=1,
        tokenized_requests=False, max_gen_toks=800,
    )  # fmt: skip
    asked = []
    for place, item in enumerate(map(json.loads, Path(items).read_text().splitlines())):
        told = [{"role": "system", "content": instructions}, {"role": "user", "content": item["text"]}]
        prompt = model.apply_chat_template(told)
        asked.append(Instance("generate_until", item, (prompt, {"until": [], "temperature": 0.0}), place))
    replies = model.generate_until(asked)
    assert len(replies) == len(asked)
    assert all(replies)


if __name__ == "__main__":
    main()
