"""The floors of the house: which part may import what, read from the imports in the code."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).parent.parent / "src"

# From the ground up; a part imports only from the floors below its own.
FLOORS = [
    {"model"},
    {"protocols", "prompts", "studies", "stats"},
    {"evidence"},
    {"services"},
    {"llm", "store", "formats", "platforms", "report", "engine"},
    {"web"},
    {"rehearsal"},
    {"bootstrap"},
    {"api"},
    {"cli"},
    {"__init__", "__main__"},
]

# What a part may import from outside: everywhere, and only inside a function (slow to load). Parts not named: anything.
NUMERIC = {"numpy"}, {"numpy", "scipy", "pandas", "statsmodels"}
OUTSIDE = {
    "model": (set(), set()),
    "protocols": (set(), set()),
    "studies": (
        {"pydantic", "pydantic_core", "ruamel"},
        {"pydantic", "pydantic_core", "ruamel", "openpyxl", "pyarrow"},
    ),
    "stats": NUMERIC,
    "evidence": NUMERIC,
}

# These parts touch no file, network, database, process, thread, clock or chance of their own.
PURE = {"model", "protocols", "studies", "stats", "evidence"}
IMPURE_CALLS = {
    "open",
    "print",
    "input",
    "now",
    "utcnow",
    "today",
    "uuid4",
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
}
IMPURE_MODULES = {
    "asyncio",
    "http",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "urllib.request",
}

SLOW_LIBRARIES = {"pandas", "pyarrow", "pydantic_ai", "scipy", "statsmodels"}


class Import(NamedTuple):
    """One import statement: who imports what, where, and whether at once or when a function runs."""

    importer: str
    imported: str
    line: int
    at_once: bool

    def __str__(self) -> str:
        return f"{self.importer.replace('.', '/')}.py:{self.line} imports {self.imported}"


def part_of(module: str) -> str:
    """`crito.web.app` -> `web`; the package itself is `__init__`."""
    return [*module.split("."), "__init__"][1]


def floor_of(module: str) -> int:
    return next(number for number, parts in enumerate(FLOORS) if part_of(module) in parts)


def module_name(path: Path) -> str:
    names = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


MODULES = {module_name(path): path for path in sorted((SOURCE / "crito").rglob("*.py"))}


def imports_of(module: str) -> Iterator[Import]:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    in_functions = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # `from crito.model import ids` is the module; `from crito.model import Study` would be the package.
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else str(node.module) for name in names]
        else:
            continue
        for name in dict.fromkeys(names):
            yield Import(module, name, node.lineno, at_once=id(node) not in in_functions)


IMPORTS = [found for module in MODULES for found in imports_of(module)]
INSIDE = [found for found in IMPORTS if found.imported.split(".")[0] == "crito"]
FROM_OUTSIDE = [found for found in IMPORTS if found not in INSIDE]


def table(faults: list[Import]) -> str:
    return "\n".join(["", *(str(fault) for fault in faults)])


def test_every_part_has_its_floor() -> None:
    parts = {part_of(module) for module in MODULES}

    assert parts <= set().union(*FLOORS), "a new part needs a floor in the design and in FLOORS"


def test_parts_import_only_from_lower_floors() -> None:
    upward = [
        found
        for found in INSIDE
        if part_of(found.importer) != part_of(found.imported) and floor_of(found.imported) >= floor_of(found.importer)
    ]

    assert not upward, table(upward)


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph: dict[str, set[str]] = {module: set() for module in MODULES}
    for found in INSIDE:
        graph[found.importer].add(found.imported)

    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("a circle of imports: " + " <- ".join(error.args[1]), pytrace=False)


def test_low_floors_stand_on_few_libraries() -> None:
    unwanted = []
    for found in FROM_OUTSIDE:
        library = found.imported.split(".")[0]
        if library in sys.stdlib_module_names or part_of(found.importer) not in OUTSIDE:
            continue
        everywhere, in_functions = OUTSIDE[part_of(found.importer)]
        if library not in (everywhere if found.at_once else in_functions):
            unwanted.append(found)

    assert not unwanted, table(unwanted)


def test_the_core_imports_nothing_that_does_input_or_output() -> None:
    impure = [
        found
        for found in FROM_OUTSIDE
        if part_of(found.importer) in PURE and {found.imported, found.imported.split(".")[0]} & IMPURE_MODULES
    ]

    assert not impure, table(impure)


def test_the_core_is_told_the_time_and_given_its_texts() -> None:
    impure = [
        f"{module.replace('.', '/')}.py:{node.lineno} calls {ast.unparse(node.func)}()"
        for module in MODULES
        if part_of(module) in PURE
        for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in IMPURE_CALLS
    ]

    assert not impure, "\n".join(["", *impure])


@pytest.mark.parametrize("module", ["crito", "crito.cli"])
def test_importing_crito_loads_no_slow_library(module: str) -> None:
    if find_spec(module) is None:
        pytest.skip(f"{module} is not there yet")
    code = f"import sys, {module}; print(*sorted(set(sys.modules) & {SLOW_LIBRARIES}))"

    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(SOURCE)}
    )

    assert loaded.stdout.split() == []
