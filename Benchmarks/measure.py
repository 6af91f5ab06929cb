"""What is measured of one running program."""

import json
import pathlib
import re
import resource
import socket
import subprocess
import time

from peers import Server, find

LUA = pathlib.Path(__file__).with_name("absolute.lua")


def target(server: Server, origin: Server, path: str) -> str:
    return f"http://127.0.0.1:{origin.port}{path}" if server.absolute else path


def load(server: Server, origin: Server, seconds: float, connections: int) -> dict:
    """wrk with one thread, for whole seconds, as it takes no others: requests a second, latency in µs, the program's
    own CPU time for each request in µs."""
    command = [find("wrk"), "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--latency", "-s", str(LUA)]
    command += [f"http://127.0.0.1:{server.port}", "--"]
    command += [target(server, origin, "/small"), f"127.0.0.1:{origin.port}"]
    before = server.cpu_seconds()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    used = server.cpu_seconds() - before
    found = json.loads(done.stdout.strip().splitlines()[-1])
    answered = max(found["requests"], 1)
    return {
        "requests_per_second": found["requests"] * 1e6 / found["microseconds"],
        "p50_us": found["p50"],
        "p99_us": found["p99"],
        "cpu_us_per_request": used * 1e6 / answered,
        "errors": found["errors"] + found["non2xx"],
    }


def resting(server: Server, origin: Server, count: int) -> float | None:
    """Resident bytes for each connection that made one request and now rests; None if it does not keep them."""
    text = f"GET {target(server, origin, '/small')} HTTP/1.1\r\nHost: 127.0.0.1:{origin.port}\r\n\r\n".encode()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    open_ones: list[socket.socket] = []

    def rest_one() -> bool:
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        open_ones.append(connection)
        connection.sendall(text)
        received = b""
        while b"\r\n\r\n" not in received or len(received.partition(b"\r\n\r\n")[2]) < 128:
            more = connection.recv(65536)
            if not more:
                return False
            received += more
        return b"connection: close" not in received.lower()

    try:
        if not rest_one():
            return None
        before = server.resident_bytes()
        for _ in range(count):
            if not rest_one():
                return None
        time.sleep(0.2)
        return (server.resident_bytes() - before) / count
    except OSError:
        return None
    finally:
        for connection in open_ones:
            connection.close()


def bulk(server: Server, origin: Server, tunnel: bool) -> float | None:
    """MB/s of one large download, as a forwarded body or through CONNECT."""
    through = f"http://127.0.0.1:{server.port}"
    command = ["curl", "-sS", "--fail", "-o", "/dev/null", "-w", "%{speed_download}", "--noproxy", ""]
    if server.absolute:
        command += ["-x", through] + (["-p"] if tunnel else []) + [f"http://127.0.0.1:{origin.port}/large"]
    else:
        command += [f"{through}/large"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not re.fullmatch(r"[0-9.]+", done.stdout):
        return None
    return float(done.stdout) / 1e6
