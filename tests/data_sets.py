"""Where the published data sets are that some tests read; they are no part of this project."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = (ROOT / os.environ.get("CRITO_DATA", "../shared/data")).resolve()
"""`CRITO_DATA` names the folder; tests that want it are skipped where it is absent."""
