"""Dovecot and Exim as unprivileged throw-away instances: own configuration, own folder, free ports of loopback.

Started by root they run as `nobody`, so that no test needs, or has, more rights than a user.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HOST = "127.0.0.1"
PASSWORD = "secret word"
PATIENCE = 20.0
"""Seconds that a server has to be there, or to be gone."""


@dataclass(frozen=True, slots=True)
class User:
    """Who the servers run as."""

    name: str
    group: str
    uid: int
    gid: int


def unprivileged() -> User:
    """Return the user himself, or `nobody` where he is root."""
    entry = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    import grp

    return User(entry.pw_name, grp.getgrgid(entry.pw_gid).gr_name, entry.pw_uid, entry.pw_gid)


@contextlib.contextmanager
def folder(prefix: str) -> Iterator[Path]:
    """Yield a folder with a short path (a Unix socket's may have 107 bytes) that our user owns."""
    user = unprivileged()
    path = Path(tempfile.mkdtemp(prefix=prefix))
    path.chmod(0o755)
    os.chown(path, user.uid, user.gid)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def owned(path: Path, text: str | None = None, mode: int = 0o600) -> Path:
    """Write a file, or make a folder where there is no text, for the servers' user."""
    user = unprivileged()
    if text is None:
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o755)
    else:
        path.write_text(text)
        path.chmod(mode)
    os.chown(path, user.uid, user.gid)
    return path


def free_ports(count: int) -> list[int]:
    """Return ports of loopback that nobody listens on."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((HOST, 0))
        return [each.getsockname()[1] for each in sockets]


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until somebody listens. Raises RuntimeError, with the server's log, where nobody does."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1.0):
            return
        time.sleep(0.05)
    raise RuntimeError(f"no server on port {port}:\n{log.read_text() if log.exists() else ''}")


def start(command: list[str], where: Path) -> subprocess.Popen[bytes]:
    """Start a program in the foreground, as our user, in a process group of its own."""
    user = unprivileged()
    drop = {"user": user.uid, "group": user.gid, "extra_groups": []} if os.geteuid() == 0 else {}
    with open(where / "output", "ab") as output:
        return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=where,
            env={"PATH": os.environ["PATH"], "HOME": str(where)},
            start_new_session=True,
            **drop,
        )


def end(process: subprocess.Popen[bytes]) -> None:
    """End a program that we started, and what it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


# -- certificates ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Papers:
    """A certificate for `localhost` and 127.0.0.1, its key, and the authority that signed it."""

    authority: Path
    certificate: Path
    key: Path


def papers(openssl: str, where: Path, name: str) -> Papers:
    """Make an authority and a certificate of it, good for a day."""
    home = owned(where / name)
    authority, key_of_authority = home / "ca.pem", home / "ca.key"
    certificate, key, request = home / "cert.pem", home / "key.pem", home / "request.pem"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    extras = home / "extras"
    extras.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n")
    sign = ["-CA", authority, "-CAkey", key_of_authority, "-CAcreateserial", "-extfile", extras]
    use = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"]
    signed = ["-keyout", key_of_authority, "-out", authority]
    commands: list[list[str | Path]] = [
        ["req", "-x509", *curve, "-days", "1", "-subj", f"/CN={name} authority", *use, *signed],
        ["req", *curve, "-subj", "/CN=localhost", "-keyout", key, "-out", request],
        ["x509", "-req", "-days", "1", "-in", request, *sign, "-out", certificate],
    ]
    for command in commands:
        subprocess.run([openssl, *command], check=True, capture_output=True)
    user = unprivileged()
    for path in home.iterdir():
        os.chown(path, user.uid, user.gid)
    return Papers(authority, certificate, key)


# -- Dovecot ---------------------------------------------------------------------------------------------------------

DOVECOT = """\
protocols = imap
listen = {host}
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/log
default_internal_user = {user.name}
default_internal_group = {user.group}
default_login_user = {user.name}
first_valid_uid = 1
first_valid_gid = 1
last_valid_uid = 4294967290
mail_location = maildir:{mail}/%n
mail_max_userip_connections = {connections}
disable_plaintext_auth = no
auth_failure_delay = 0
auth_username_format = %Lu
ssl = yes
ssl_cert = <{papers.certificate}
ssl_key = <{papers.key}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {home}/users
}}
userdb {{
  driver = static
  args = uid={user.uid} gid={user.gid} home={home}/%n allow_all_users=yes
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {plain}
  }}
  inet_listener imaps {{
    port = {tls}
  }}
}}
"""


@dataclass(frozen=True, slots=True)
class Dovecot:
    """A running Dovecot. `mail / user` is that user's Maildir; every user named at the start has PASSWORD."""

    plain: int
    tls: int
    mail: Path
    log: Path


@contextlib.contextmanager
def dovecot(
    program: str, where: Path, made: Papers, users: tuple[str, ...], connections: int = 10
) -> Iterator[Dovecot]:
    """Run Dovecot. `connections` is how many a user may have at once; one more is refused as throttled."""
    home, mail = owned(where / "dovecot"), owned(where / "mail")
    for part in ("run", "state"):
        owned(home / part)
    plain, tls = free_ports(2)
    text = DOVECOT.format(
        host=HOST,
        home=home,
        mail=mail,
        user=unprivileged(),
        papers=made,
        plain=plain,
        tls=tls,
        connections=connections,
    )
    config = owned(home / "dovecot.conf", text)
    owned(home / "users", "".join(f"{name}:{PASSWORD}::::::\n" for name in users))
    process = start([program, "-F", "-c", str(config)], home)
    try:
        wait_for(tls, process, home / "log")
        yield Dovecot(plain, tls, mail, home / "log")
    finally:
        end(process)


# -- Exim ------------------------------------------------------------------------------------------------------------

EXIM = """\
primary_hostname = mx.club.example
exim_user = {user.name}
exim_group = {user.group}
spool_directory = {home}/spool
log_file_path = {home}/log-%s
pid_file_path = {home}/pid
local_interfaces = {host}
daemon_smtp_ports = {plain} : {tls}
tls_on_connect_ports = {tls}
tls_advertise_hosts = *
tls_certificate = {papers.certificate}
tls_privatekey = {papers.key}
domainlist ours = club.example : ann.example : bob.example : cat.example
acl_smtp_rcpt = recipient
acl_smtp_data = text
acl_smtp_mail = accept
host_lookup =
helo_allow_chars = _
deliver_drop_privilege = true
keep_environment =
never_users =
queue_run_max = 2
smtp_accept_max = 30
received_header_text = Received: from $sender_helo_name by mx.club.example \
  with $received_protocol id $message_exim_id; $tod_full

begin acl

recipient:
  warn    add_header = :at_start:Delivered-To: $local_part@$domain
  deny    message = 5.1.1 no such person here
          local_parts = nobody
  defer   message = 4.2.0 come again later
          local_parts = later
  defer   message = 421 4.3.2 closing down
          local_parts = closing
  accept  domains = +ours
  accept  authenticated = *
  deny    message = 5.7.1 not for everybody

text:
  warn    remove_header = Authentication-Results
  warn    authenticated = *
          add_header = :at_start:Authentication-Results: mx.club.example; \
            dmarc=pass header.from=${{domain:$h_from:}}
  accept

begin routers

lmtp:
  driver = accept
  condition = ${{if exists{{{home}/lmtp}}}}
  domains = club.example
  local_part_suffix = +*
  local_part_suffix_optional
  transport = lmtp

all:
  driver = accept
  local_part_suffix = +*
  local_part_suffix_optional
  transport = maildir

begin transports

maildir:
  driver = appendfile
  directory = {mail}/${{lookup{{$local_part}}lsearch{{{home}/known}}}}
  maildir_format
  create_directory
  delivery_date_add
  return_path_add
  directory_mode = 0755
  mode = 0600

lmtp:
  driver = lmtp
  socket = {home}/club/lmtp.sock
  rcpt_include_affixes
  batch_max = 1

begin retry

* * F,1h,1s

begin authenticators

plain:
  driver = plaintext
  public_name = PLAIN
  server_condition = ${{if and{{{{eq{{$auth2}}{{referee}}}}{{eq{{$auth3}}{{{password}}}}}}}}}
  server_set_id = $auth2

login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = ${{if and{{{{eq{{$auth1}}{{referee}}}}{{eq{{$auth2}}{{{password}}}}}}}}}
  server_set_id = $auth1
"""


@dataclass(frozen=True, slots=True)
class Exim:
    """A running Exim.

    It gives its mails to the Maildirs of Dovecot, or to LMTP while the file `lmtp` is there. It takes what others say
    of a sender's authenticity out of every mail, and vouches itself for who logs in.
    """

    program: str
    config: Path
    plain: int
    tls: int
    home: Path

    def queue(self) -> None:
        """Let it try again what it could not deliver."""
        process = start([self.program, "-C", str(self.config), "-qff"], self.home)
        process.wait(PATIENCE)


@contextlib.contextmanager
def exim(
    program: str, where: Path, made: Papers, mail: Path, users: tuple[str, ...]
) -> Iterator[Exim]:
    """Run Exim, which delivers into the Maildirs under `mail`."""
    home = owned(where / "exim")
    owned(home / "spool")
    owned(home / "club")
    owned(home / "known", "".join(f"{name}: {name}\n" for name in users))
    plain, tls = free_ports(2)
    text = EXIM.format(
        host=HOST,
        home=home,
        mail=mail,
        user=unprivileged(),
        papers=made,
        plain=plain,
        tls=tls,
        password=PASSWORD,
    )
    config = owned(home / "exim.conf", text)
    process = start([program, "-C", str(config), "-bdf", "-q2s"], home)
    try:
        wait_for(tls, process, home / "output")
        yield Exim(program, config, plain, tls, home)
    finally:
        end(process)
