"""The same annotations through crowd-kit: `python crowd_kit_run.py LABELS_CSV`, in a venv that has it.

Prints as JSON how many seconds each model took, for the computation alone, with the version of crowd-kit.
"""

import json
import sys
import time
from importlib.metadata import version

import pandas as pd
from crowdkit.aggregation import MACE, DawidSkene, MajorityVote


def main() -> None:
    table = pd.read_csv(sys.argv[1], dtype=str)
    models = {
        "dawid_skene": DawidSkene(n_iter=20, tol=-1e9),
        "mace": MACE(n_restarts=1, n_iter=10, random_state=0),
        "majority": MajorityVote(),
    }
    took = {}
    for name, model in models.items():
        begin = time.perf_counter()
        model.fit_predict(table)
        took[name] = time.perf_counter() - begin
    print(json.dumps({"version": version("crowd-kit"), "seconds": took}))


if __name__ == "__main__":
    main()
