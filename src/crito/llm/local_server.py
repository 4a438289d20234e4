"""llama.cpp's HTTP server for one GGUF file: `python -m crito.llm.local_server`, started by `crito.llm.local`.

It runs in a process of its own, since a fault in native code would end the whole of the process it happens in.
One line of JSON comes in on standard input, one goes out on standard output; after that, the end of standard input
is the end of the process, so it never outlives whoever started it, however that one dies.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

# By default libgomp's threads spin at every barrier, and speed falls to a twentieth when anything else runs beside.
os.environ.setdefault("GOMP_SPINCOUNT", "1000")


def main() -> None:
    order = json.loads(sys.stdin.buffer.readline())
    answers = os.dup(1)
    os.dup2(2, 1)  # whatever native code prints must not be taken for the answer
    try:
        server = serve(**order)
        answer = {"base_url": f"{server.listening_address}/v1"}
    except Exception as error:  # whatever it is, the process that waits for the answer says it
        answer = {"error": " ".join(str(error).split()) or type(error).__name__}
    os.write(answers, json.dumps(answer).encode() + b"\n")
    if "error" not in answer:
        sys.stdin.buffer.read()
    os._exit(0)  # native threads do not wait for anybody


def serve(*, path: str, key: str, port: int, slots: int, context_tokens: int, threads: int, cache_mib: int) -> Any:
    """Serve the file on the loopback interface for as long as the result is referenced; returns when it is loaded."""
    import xllamacpp  # the variable above must be set first

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.model_alias = {Path(path).stem}
    params.n_parallel, params.n_ctx = slots, context_tokens * slots  # the context is shared out over the slots
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.hostnames, params.port = ["127.0.0.1"], port
    params.api_keys = [key]
    params.ui = params.endpoint_slots = False
    params.cors_origins = ""
    params.cache_ram_mib = cache_mib
    params.verbosity = -1
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
