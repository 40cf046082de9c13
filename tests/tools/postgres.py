"""PostgreSQL servers for tests: clusters of their own on loopback, by the programs that the system has.

`python -m tests.tools.postgres start FOLDER` makes one, starts it and prints its URL; `stop FOLDER` ends it.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
from pathlib import Path

USER = "referee"
OWNER = "postgres"
"""The system's user that runs servers where the tests are run by root, which PostgreSQL refuses."""


def programs() -> Path | None:
    """Return the folder of PostgreSQL's server programs, None where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: p.parts[-3])
    if found:
        return found[-1].parent
    path = shutil.which("initdb")
    return Path(path).resolve().parent if path else None


def free_port() -> int:
    """Return a port of loopback that nobody uses now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


class Cluster:
    """A server with its data in a folder. Nothing is synced to the disk: no test pulls the machine's plug."""

    def __init__(self, folder: Path, port: int | None = None) -> None:
        found = programs()
        assert found is not None
        self.bin = found
        self.folder = folder
        self.data = folder / "data"
        self.port = port or free_port()

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg://{USER}@127.0.0.1:{self.port}/{database}"

    def make(self) -> Cluster:
        """Make an empty cluster."""
        self._own_folder()
        self._run("initdb", "-D", str(self.data), "-U", USER, "--auth=trust", "-E", "UTF8")
        return self

    def copy_of(self, other: Cluster) -> Cluster:
        """Make a standby of another server."""
        self._own_folder()
        source = ("-h", "127.0.0.1", "-p", str(other.port), "-U", USER)
        self._run(
            "pg_basebackup", "-D", str(self.data), *source, "-R", "-X", "stream", "-c", "fast"
        )
        return self

    def start(self) -> Cluster:
        settings = (
            f"-p {self.port} -h 127.0.0.1 -k {self.folder} -c fsync=off -c full_page_writes=off "
            "-c max_connections=200 -c shared_buffers=64MB -c wal_level=replica -c hot_standby=on"
        )
        self._control("start", "-l", str(self.folder / "log"), "-o", settings)
        return self

    def stop(self, mode: str = "fast") -> None:
        """Stop it; `immediate` is a crash."""
        self._control("stop", "-m", mode)

    def promote(self) -> None:
        """Let a standby be the one that is written to."""
        self._control("promote")

    def _control(self, what: str, *more: str) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", "-s", *more, what)

    def _own_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            owner = pwd.getpwnam(OWNER)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)

    def _run(self, program: str, *words: str) -> None:
        command = [str(self.bin / program), *words]
        if os.geteuid() == 0:
            command = ["runuser", "-u", OWNER, "--", *command]
        with open(self.folder / "told", "ab") as told:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=told, stderr=told)
        if done.returncode:
            raise RuntimeError(f"{program}: {(self.folder / 'told').read_text()[-500:]}")


def main(what: str, folder: str) -> None:
    """Start a server, and print where it is reached; or stop it."""
    cluster = Cluster(Path(folder))
    if what == "start":
        print(cluster.make().start().url())
    else:
        cluster.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
