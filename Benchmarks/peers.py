"""The programs that are measured: how each is configured and started. One worker thread each, no access log, no cache,
everything on 127.0.0.1, in the foreground, so that its process id is the one we started and end."""

import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = ROOT / ".build/release/waf-token-proxy"
SBIN = "/usr/local/sbin:/usr/sbin:/sbin"


def free_port() -> int:
    """A free port below those that the kernel gives to who asks for any: no outgoing connection takes it meanwhile."""
    while True:
        port = random.randrange(20000, 32768)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def find(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{SBIN}")


def version(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0].strip() if lines else "?"


class Server:
    """A running program. `absolute` says whether it wants the whole URL as request target, as forward proxies do."""

    def __init__(self, name: str, command: list[str], port: int, folder: pathlib.Path, absolute: bool, env=None):
        self.name, self.command, self.port, self.absolute = name, command, port, absolute
        self.folder, self.env = folder, env
        self.process: subprocess.Popen | None = None
        self.start_ms = 0.0

    def start(self) -> None:
        """Starts it and waits until it accepts connections."""
        with (self.folder / f"{self.name}.log".replace(" ", "-")).open("wb") as log:
            began = time.perf_counter()
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, env=self.env
            )
        while time.perf_counter() - began < 20:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                self.start_ms = (time.perf_counter() - began) * 1000
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.0005)
        self.stop()
        raise RuntimeError(f"{self.name} did not start: {pathlib.Path(log.name).read_text()[-2000:]}")

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def cpu_seconds(self) -> float:
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self) -> int:
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


def write(path: pathlib.Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def origin(folder: pathlib.Path, large_bytes: int) -> Server:
    """nginx with one small and one large file. The large one is a hole: the disk has no part in what is measured."""
    pages = folder / "pages"
    pages.mkdir()
    (pages / "small").write_bytes(b"x" * 128)
    with (pages / "large").open("wb") as large:
        large.truncate(large_bytes)
    port = free_port()
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = "\n".join(f"{kind}_temp_path {folder}/nginx-{kind};" for kind in ("proxy", "fastcgi", "uwsgi", "scgi"))
    config = f"""
        {user} daemon off; master_process off; worker_processes 1; worker_rlimit_nofile 16384;
        pid {folder}/nginx.pid; error_log {folder}/nginx-error.log;
        events {{ worker_connections 8192; }}
        http {{
            access_log off; sendfile on; tcp_nopush on; keepalive_timeout 3600; keepalive_requests 1000000000;
            client_body_temp_path {folder}/nginx-body; {temporary}
            open_file_cache max=10 inactive=1h;
            server {{ listen 127.0.0.1:{port} backlog=4096; root {pages}; default_type text/plain; }}
        }}"""
    return Server("direct", [find("nginx"), "-c", write(folder / "nginx.conf", config)], port, folder, absolute=False)


def ours(folder: pathlib.Path, binary: pathlib.Path, origin_port: int, token: bool) -> Server:
    """With `token`, the origin is a listed host and every request carries a token; else it is just forwarded."""
    port = free_port()
    host = f"127.0.0.1:{origin_port}" if token else "not-asked-for.test"
    command = [str(binary), "run", "--listen", f"127.0.0.1:{port}", "--admin-listen", "none", "--threads", "1"]
    command += ["--host", host, "--domain-name", "bench.test", "--no-log-access", "--log-level", "warning"]
    environment = {"PATH": os.environ["PATH"], "WAF_TOKEN": "a" * 234, "XDG_DATA_HOME": str(folder)}
    return Server("ours, token" if token else "ours", command, port, folder, absolute=True, env=environment)


def squid(folder: pathlib.Path) -> Server:
    port = free_port()
    work = folder / "squid"
    work.mkdir()
    work.chmod(0o777)  # started by root, it becomes another user
    config = f"""
        http_port 127.0.0.1:{port}
        http_access allow all
        cache deny all
        access_log none
        cache_log {work}/cache.log
        cache_store_log none
        pid_filename none
        netdb_filename none
        pinger_enable off
        coredump_dir {work}
        max_filedescriptors 16384
        client_idle_pconn_timeout 1 hour
        shutdown_lifetime 0 seconds
        via on
        visible_hostname bench.test
        """
    text = "\n".join(line.strip() for line in config.splitlines())
    # A service name of its own: shared memory that a killed squid left behind is not in the way.
    command = [find("squid"), "-N", "-n", f"bench{os.getpid()}", "-f", write(folder / "squid.conf", text)]
    return Server("squid", command, port, folder, absolute=True)


def tinyproxy(folder: pathlib.Path) -> Server:
    port = free_port()
    config = f"Port {port}\nListen 127.0.0.1\nMaxClients 4096\nTimeout 600\nLogLevel Critical\nAllow 127.0.0.1\n"
    config += f'LogFile "{folder}/tinyproxy-log"\n'
    command = [find("tinyproxy"), "-d", "-c", write(folder / "tinyproxy.conf", config)]
    return Server("tinyproxy", command, port, folder, absolute=True)


def haproxy(folder: pathlib.Path, origin_port: int, mode: str = "http") -> Server:
    """A reverse proxy: it need not read the authority of a target. The limit of what can be reached."""
    port = free_port()
    config = f"""
global
    nbthread 1
    maxconn 4096
defaults
    mode {mode}
    timeout connect 5s
    timeout client 1h
    timeout server 1h
    timeout http-keep-alive 1h
listen bench
    bind 127.0.0.1:{port} backlog 4096
    server origin 127.0.0.1:{origin_port}
"""
    if mode == "http":
        config += "    http-reuse always\n"
    command = [find("haproxy"), "-db", "-f", write(folder / f"haproxy-{mode}.cfg", config)]
    return Server("haproxy" if mode == "http" else f"haproxy {mode}", command, port, folder, absolute=False)


def mitmproxy(folder: pathlib.Path) -> Server:
    port = free_port()
    command = [str(mitmdump()), "-q", "--listen-host", "127.0.0.1", "-p", str(port)]
    for option in (
        "flow_detail=0",
        f"confdir={folder}/mitmproxy",
        "stream_large_bodies=1m",
        "server_replay_kill_extra=false",
    ):
        command += ["--set", option]
    return Server("mitmproxy", command, port, folder, absolute=True)


def mitmdump() -> pathlib.Path:
    return pathlib.Path(os.environ.get("MITMDUMP", ROOT / ".venv-bench/bin/mitmdump"))


def versions(binary: pathlib.Path) -> dict[str, str]:
    commands = {
        "ours": (str(binary), "version"),
        "nginx": (find("nginx"), "-v"),
        "squid": (find("squid"), "-v"),
        "tinyproxy": (find("tinyproxy"), "-v"),
        "haproxy": (find("haproxy"), "-v"),
        "mitmproxy": (str(mitmdump()), "--version"),
        "wrk": (find("wrk"), "-v"),
    }
    return {name: version(*command) for name, command in commands.items() if command[0] and os.path.exists(command[0])}
