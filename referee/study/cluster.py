"""Games on a Dask cluster: the same batches, handed to its scheduler (extra `cluster`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from referee.errors import RefereeError

PATIENCE = "15s"
"""How long a scheduler has to answer."""
ADDRESS = re.compile(r"(tcp|tls|ws|wss)://[^\s/]+:[0-9]{1,5}")


@contextmanager
def connected(address: str) -> Iterator[tuple[Executor, int]]:
    """Give an executor of the cluster at `tcp://host:port`, and how many batches it plays at a time.

    Raises RefereeError without Dask, for what is no address, without an answer, or where no worker has joined.
    """
    if not ADDRESS.fullmatch(address):  # Dask would close for half a minute, and complain
        raise RefereeError(
            f"--scheduler {address!r} is no scheduler's address; write tcp://HOST:PORT, such as tcp://localhost:8786"
        )
    try:
        from distributed import Client
    except ImportError:
        raise RefereeError(
            "--scheduler needs Dask; install the package with its extra: pip install 'pnp-referee[cluster]'"
        ) from None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RefereeError(
            f"no Dask scheduler answers at {address} ({error}); write --scheduler tcp://HOST:8786"
        ) from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise RefereeError(
                f"the scheduler at {address} has no workers yet; start some: dask worker {address}"
            )
        yield client.get_executor(pure=False), threads
