"""A Ray cluster of three nodes in a process of its own: writes its address, loses a node at the first line it is sent.

It ends with its standard input. Not in the process of the tests: Ray takes over its signals and its end.
"""

import os
import socket
import sys
from contextlib import ExitStack, suppress

from ray.cluster_utils import Cluster

PORTS = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
PATIENCE = {"RAY_raylet_start_wait_time_s": "300", "RAY_agent_register_timeout_ms": "300000"}
TRIES = 4
AHEAD_OF_OTHERS = 10


def node() -> dict[str, object]:
    """One CPU, and ports of its own, so that there is less to wait for."""
    with ExitStack() as stack:
        free = [stack.enter_context(socket.socket()) for _ in PORTS]
        for one in free:
            one.bind(("", 0))
        return {"num_cpus": 1, **{name: one.getsockname()[1] for name, one in zip(PORTS, free, strict=True)}}


def added(cluster: Cluster, **more: object) -> object:
    """A new node of the cluster; the first one is its head."""
    for left in range(TRIES, -1, -1):
        try:
            return cluster.add_node(**node(), **more)
        except Exception:  # Ray has no type for a node that does not start
            if not left:
                raise
    raise AssertionError("the last try returns or raises")


def main() -> None:
    os.environ.update(PATIENCE, RAY_USAGE_STATS_ENABLED="0")
    # A node whose helpers take more than 15 s to start gives up, and tests that run beside it can wait.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with suppress(PermissionError):
        os.nice(-AHEAD_OF_OTHERS)
    cluster = Cluster()
    try:
        added(cluster, include_dashboard=False)
        lost = added(cluster)
        added(cluster)
        print(cluster.address, flush=True)
        if sys.stdin.readline():
            cluster.remove_node(lost, allow_graceful=False)
            print("lost", flush=True)
            sys.stdin.read()
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
