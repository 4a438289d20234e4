"""Which groups of people may be told about, so that nobody is found by taking one number from another."""

from collections.abc import Collection, Mapping


def shown_groups(sizes: Mapping[str, int], fewest: int) -> Collection[str]:
    """The groups that may stand beside the sum of all of them, in the order of `sizes`.

    One of fewer than `fewest` people is hidden. What is hidden can be had by taking the shown groups from everyone; so
    the next smallest are hidden with it, until what is left over is two groups or more and `fewest` people or more.
    """
    by_size = sorted(sizes, key=lambda name: sizes[name])
    n_hidden = sum(size < fewest for size in sizes.values())
    while 0 < n_hidden < len(by_size) and (n_hidden < 2 or sum(sizes[one] for one in by_size[:n_hidden]) < fewest):
        n_hidden += 1
    hidden = set(by_size[:n_hidden])
    return [name for name in sizes if name not in hidden]
