"""What the commands are called and which options they take; the work is done in the modules beside this folder.

Each module adds its commands to `crito` when it is imported, here in the order in which `crito --help` lists them.
"""

# isort: off
from crito.cli.commands import studies
from crito.cli.commands import people
from crito.cli.commands import models
from crito.cli.commands import evidence
from crito.cli.commands import results
from crito.cli.commands import record
# isort: on

__all__ = ["evidence", "models", "people", "record", "results", "studies"]
