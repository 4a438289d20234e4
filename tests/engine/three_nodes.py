"""A Ray cluster of three nodes in a process of its own: writes its address, loses a node at the first line it is sent.

It ends with its standard input. Not in the process of the tests: Ray takes over its signals and its end.
"""

import os
import sys

from ray.cluster_utils import Cluster


def main() -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        lost = cluster.add_node(num_cpus=1)
        cluster.add_node(num_cpus=1)
        print(cluster.address, flush=True)
        if sys.stdin.readline():
            cluster.remove_node(lost, allow_graceful=False)
            print("lost", flush=True)
            sys.stdin.read()
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
