"""What commands print and which status they end with."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from crito.cli import cli, run
from crito.store.schema import REVISIONS
from crito.studies.bundled import TEMPLATES

Said = pytest.CaptureFixture[str]


def command_names() -> list[str]:
    return [info.name or str(info.callback and info.callback.__name__) for info in cli.registered_commands]


@pytest.mark.parametrize("command", [*command_names(), "db upgrade"])
def test_every_command_shows_an_example(command: str, capsys: Said) -> None:
    assert run([*command.split(), "--help"]) == 0

    assert f"crito {command}" in capsys.readouterr().out.partition("Example:")[2]


def test_help_loads_neither_server_nor_database() -> None:
    code = (
        "import sys; from crito.cli import run; run(['--help']); "
        "print(*sorted({'fastapi', 'uvicorn', 'sqlalchemy', 'pandas', 'aiohttp'} & set(sys.modules)), file=sys.stderr)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stderr.strip() == ""


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_makes_a_study_that_can_be_used(template: str, tmp_path: Path) -> None:
    assert run(["init", str(tmp_path / "mine"), "--template", template]) == 0

    assert run(["check", str(tmp_path / "mine" / "study.yaml")]) == 0


def test_a_check_tells_people_and_the_next_command_only_where_people_take_part(tmp_path: Path, capsys: Said) -> None:
    said = {}
    for template in ("socratic", "solo", "models"):
        run(["init", str(tmp_path / template), "--template", template])
        capsys.readouterr()
        run(["check", str(tmp_path / template)])
        said[template] = " ".join(capsys.readouterr().out.split())

    assert "People 48 at least" in said["socratic"]
    assert "People whom you invite" in said["solo"]
    assert "crito serve" in said["solo"]
    assert "People none take part" in said["models"]
    assert "places" not in said["models"]
    assert "crito label" in said["models"]


def test_only_a_study_that_is_open_to_anyone_is_rehearsed(tmp_path: Path, capsys: Said) -> None:
    run(["init", str(tmp_path / "study"), "--template", "models"])

    assert run(["rehearse", str(tmp_path / "study")]) == 2

    assert "this one is open to models" in capsys.readouterr().err


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path, capsys: Said) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")

    assert run(["init", str(tmp_path)]) == 2

    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    assert "name another" in capsys.readouterr().err


def test_a_study_is_rehearsed_before_it_is_served_in_the_hints_as_in_the_readme(tmp_path: Path, capsys: Said) -> None:
    folder = str(tmp_path / "study")
    run(["init", folder])
    after_init = capsys.readouterr().out
    run(["check", folder])
    after_check = capsys.readouterr().out

    assert after_init.strip().endswith(f"Next: crito check {folder}")
    assert after_check.strip().endswith(f"Next: crito rehearse {folder} --people 20")
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    places = [readme.index(f"crito {word} my-study") for word in ("init", "check", "rehearse", "serve")]
    assert places == sorted(places)


def test_a_plan_is_a_document_for_programs_too(study_file: Path, capsys: Said) -> None:
    assert run(["check", str(study_file), "--json"]) == 0

    plan = json.loads(capsys.readouterr().out)
    assert {task["task"]: task["places"] for task in plan["tasks"]} == {
        task["task"]: 3 * task["items"] for task in plan["tasks"]
    }


def test_a_mistake_in_a_study_file_is_told_with_its_line_and_no_traceback(study_file: Path, capsys: Said) -> None:
    lines = study_file.read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if line.startswith("flow:"))
    lines[number - 1] = "flaw: [consent, annotate]"
    study_file.write_text("\n".join(lines))

    assert run(["check", str(study_file)]) == 2

    said = capsys.readouterr()
    assert f"{study_file}, line {number}" in said.err
    assert "flow" in said.err
    assert "Traceback" not in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "nowhere.yaml"],
        ["serve", "nowhere.yaml"],
        ["owner", "nobody"],
        ["fly"],
        ["check"],
        ["check", "--fast"],
    ],
)
def test_wrong_usage_ends_with_two(arguments: list[str], capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRITO_DB", raising=False)

    assert run(arguments) == 2

    assert "Traceback" not in capsys.readouterr().err


def test_no_database_is_made_where_a_record_was_expected(study_file: Path, capsys: Said) -> None:
    assert run(["owner", str(study_file)]) == 1

    assert "crito serve" in capsys.readouterr().err
    assert not study_file.with_suffix(".db").exists()


def test_a_database_is_made_beside_the_study(study_file: Path, capsys: Said) -> None:
    assert run(["db", "upgrade", str(study_file)]) == 0

    assert study_file.with_suffix(".db").exists()
    assert REVISIONS[-1] in capsys.readouterr().out


def test_a_study_that_was_never_served_has_no_owner(study_file: Path, capsys: Said) -> None:
    run(["db", "upgrade", str(study_file)])

    assert run(["owner", str(study_file)]) == 1

    assert "there is no study 'sarcasm-and-relation'" in capsys.readouterr().err
