import json
import math
import subprocess
import sys

import numpy as np
import pytest

from crito.stats.proportions import share
from crito.stats.statistic import Interval, Statistic, as_json


def test_importing_statistics_loads_no_slow_library() -> None:
    program = (
        "import importlib, pkgutil, sys, crito.stats as stats\n"
        "for module in pkgutil.iter_modules(stats.__path__): importlib.import_module('crito.stats.' + module.name)\n"
        "print(*sorted({'scipy', 'pandas', 'statsmodels'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == []


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_number_that_is_not_finite_never_becomes_a_statistic(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Statistic("flip_rate", value, 3, "share")
    with pytest.raises(ValueError, match="finite"):
        Statistic("flip_rate", 0.5, 3, "share", details={"z": value})
    with pytest.raises(ValueError, match="finite"):
        Interval(0.0, value, 0.95, "Wilson")


def test_a_statistic_without_value_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="reason"):
        Statistic("flip_rate", None, 0, "share", status="undefined")
    with pytest.raises(ValueError, match="status"):
        Statistic("flip_rate", None, 0, "share")


def test_a_statistic_prints_on_one_line_with_what_it_rests_on() -> None:
    found = share("flip_rate", 4, 10, dropped={"not_sure": 3, "missing": 1})

    assert str(found) == "flip_rate = 0.4 [0.1682, 0.6873] (95 % Wilson), n = 10; left out: 3 not_sure, 1 missing"


def test_an_absent_statistic_prints_its_reason_and_no_number() -> None:
    found = share("flip_rate", 0, 0, empty="no eligible annotations")

    assert str(found) == "flip_rate: undefined (no eligible annotations), n = 0"


def test_json_keeps_value_counts_method_and_interval() -> None:
    written = json.loads(json.dumps(as_json(share("flip_rate", 4, 10, dropped={"missing": 1}))))

    assert written["value"] == 0.4
    assert written["n"] == 10
    assert written["dropped"] == {"missing": 1}
    assert written["method"] == "share"
    assert written["interval"]["method"] == "Wilson"
    assert written["status"] == "ok"


def test_json_of_arrays_are_lists_and_refuses_nan() -> None:
    assert as_json({"counts": np.array([[1, 2]])}) == {"counts": [[1, 2]]}
    with pytest.raises(ValueError, match="finite"):
        as_json([math.nan])
    with pytest.raises(TypeError, match="no JSON form"):
        as_json(object())
