"""The same items once through inspect_ai: `python inspect_ai_run.py BASE_URL ITEMS SYSTEM AT_ONCE`, in a venv that has it."""

import json
import sys
import tempfile
from pathlib import Path

import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, system_message


def main() -> None:
    base_url, items, system, at_once = sys.argv[1:]
    samples = [
        Sample(input=item["text"], target="Dovish", id=item["id"])
        for item in map(json.loads, Path(items).read_text().splitlines())
    ]
    task = inspect_ai.Task(samples, solver=[system_message(Path(system).read_text()), generate()], scorer=includes())
    config = GenerateConfig(max_connections=int(at_once), max_tokens=800, temperature=0.0)
    model = get_model("openai/first", base_url=base_url, api_key="none", config=config, responses_api=False)
    with tempfile.TemporaryDirectory() as folder:
        (log,) = inspect_ai.eval(task, model=model, log_dir=folder, display="none", max_samples=int(at_once))
    assert log.status == "success", log.error


if __name__ == "__main__":
    main()
