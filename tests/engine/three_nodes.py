"""A Ray cluster of three nodes in a process of its own: writes its address, loses a node at the first line it is sent.

It ends with its standard input. Not in the process of the tests: Ray takes over its signals and its end.
"""

import os
import socket
import sys
from contextlib import ExitStack

from ray.cluster_utils import Cluster

PORTS = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
PATIENCE = {"RAY_raylet_start_wait_time_s": "300", "RAY_agent_register_timeout_ms": "300000"}


def node() -> dict[str, object]:
    """One CPU, and ports of its own: a node that finds its ports by itself waits 15 s for them, and not longer."""
    with ExitStack() as stack:
        free = [stack.enter_context(socket.socket()) for _ in PORTS]
        for one in free:
            one.bind(("", 0))
        return {"num_cpus": 1, **{name: one.getsockname()[1] for name, one in zip(PORTS, free, strict=True)}}


def main() -> None:
    os.environ.update(PATIENCE, RAY_USAGE_STATS_ENABLED="0")
    cluster = Cluster(initialize_head=True, head_node_args={**node(), "include_dashboard": False})
    try:
        lost = cluster.add_node(**node())
        cluster.add_node(**node())
        print(cluster.address, flush=True)
        if sys.stdin.readline():
            cluster.remove_node(lost, allow_graceful=False)
            print("lost", flush=True)
            sys.stdin.read()
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
