#!/usr/bin/env python3
"""tunnel_client.py WHAT PROXY CA: speaks HTTP inside TLS inside a CONNECT tunnel to shop.test:443, as no library would.
Prints what came as JSON. WHAT is one of the functions below."""

import contextlib
import hashlib
import json
import socket
import ssl
import sys

HOST = b"Host: shop.test\r\n"


class Tunnel:
    """TLS over memory BIOs, so that a test can end TLS, or the connection without TLS's end, when it wants."""

    def __init__(self, proxy: str, ca: str):
        host, _, port = proxy.rpartition(":")
        self.connection = socket.create_connection((host, int(port)), timeout=20)
        self.connection.sendall(b"CONNECT shop.test:443 HTTP/1.1\r\n" + b"Host: shop.test:443\r\n\r\n")
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.connection.recv(1)
        assert b" 200 " in head, head
        self.inbound, self.outbound = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.create_default_context(cafile=ca)
        self.tls = context.wrap_bio(self.inbound, self.outbound, server_hostname="shop.test")
        while not self.step(self.tls.do_handshake):
            pass

    def flush(self) -> None:
        if self.outbound.pending:
            self.connection.sendall(self.outbound.read())

    def step(self, action) -> bool:
        """Whether `action` went through; else what it needed was read."""
        try:
            action()
        except ssl.SSLWantReadError:
            self.flush()
            self.more()
            return False
        self.flush()
        return True

    def more(self) -> None:
        """Hands on what comes next; a reset is an end without TLS's own as well."""
        data = b""
        with contextlib.suppress(ConnectionResetError):
            data = self.connection.recv(65536)
        if data:
            self.inbound.write(data)
        else:
            self.inbound.write_eof()

    def send(self, data: bytes) -> None:
        self.tls.write(data)
        self.flush()

    def receive(self, until=lambda data: False) -> tuple[bytes, str]:
        """What came until `until` says it is enough, or the end, and how it ended: "enough", "close_notify", "cut"."""
        data = b""
        while not until(data):
            try:
                more = self.tls.read(65536)
                if not more:
                    return data, "close_notify"
                data += more
            except ssl.SSLWantReadError:
                self.more()
            except (ssl.SSLEOFError, ssl.SSLSyscallError):
                return data, "cut"
            except ssl.SSLZeroReturnError:
                return data, "close_notify"
        return data, "enough"

    def finish(self) -> None:
        """Sends close_notify; the connection stays open in both directions."""
        with contextlib.suppress(ssl.SSLWantReadError):
            self.tls.unwrap()
        self.flush()


def answers(data: bytes, count: int) -> bool:
    """Whether `count` answers with Content-Length are whole in it."""
    for _ in range(count):
        head, separator, rest = data.partition(b"\r\n\r\n")
        if not separator:
            return False
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        if len(rest) < length:
            return False
        data = rest[length:]
    return True


def pipelined(tunnel: Tunnel) -> dict:
    """A hundred requests on one connection, ten at a time."""
    for batch in range(10):
        paths = [f"/status/{400 + batch * 10 + number}" for number in range(10)]
        tunnel.send(b"".join(b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n" for path in paths))
        data, ending = tunnel.receive(lambda data: answers(data, 10))
        statuses = [int(part[:3]) for part in data.split(b"HTTP/1.1 ")[1:]]
        if statuses != [int(path[8:]) for path in paths]:
            return {"batch": batch, "statuses": statuses, "ending": ending}
    return {"batches": 10}


def expecting(tunnel: Tunnel) -> dict:
    """A body that is sent only when 100 comes, to a path that challenges at first."""
    body = b"abc" * 10000
    tunnel.send(
        b"POST /upload HTTP/1.1\r\n"
        + HOST
        + b"Expect: 100-continue\r\n"
        + f"Content-Length: {len(body)}\r\n\r\n".encode()
    )
    interim, _ = tunnel.receive(lambda data: b"\r\n\r\n" in data)
    tunnel.send(body)
    data, ending = tunnel.receive(lambda data: answers(data, 1))
    return {
        "interim": interim.split(b"\r\n")[0].decode(),
        "status": data.split(b"\r\n")[0].decode(),
        "whole": hashlib.sha256(body).hexdigest().encode() in data,
        "ending": ending,
    }


def chunked(tunnel: Tunnel) -> dict:
    """A chunked upload in pieces of every size up to 600 bytes."""
    body = bytes(index % 251 for index in range(180300))
    tunnel.send(b"POST /upload HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n")
    place = 0
    for size in range(1, 601):
        piece = body[place : place + size]
        tunnel.send(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        place += size
    assert place == len(body)
    tunnel.send(b"0\r\n\r\n")
    data, ending = tunnel.receive(lambda data: answers(data, 1))
    return {
        "status": data.split(b"\r\n")[0].decode(),
        "whole": hashlib.sha256(body).hexdigest().encode() in data,
        "ending": ending,
    }


def half_closed(tunnel: Tunnel) -> dict:
    """The client ends its side of TLS behind its request, and reads on."""
    tunnel.send(b"GET /delay/300 HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
    tunnel.finish()
    data, ending = tunnel.receive()
    return {"status": data.split(b"\r\n")[0].decode(), "ending": ending}


def cut_upload(tunnel: Tunnel) -> dict:
    """The connection ends without TLS's end in the middle of a body."""
    tunnel.send(b"POST /upload HTTP/1.1\r\n" + HOST + b"Content-Length: 1000\r\n\r\nhalf")
    tunnel.connection.shutdown(socket.SHUT_WR)
    data, ending = tunnel.receive()
    return {"status": data.split(b"\r\n")[0].decode(), "ending": ending}


def ended_upload(tunnel: Tunnel) -> dict:
    """TLS is ended in order, in the middle of a body."""
    tunnel.send(b"POST /upload HTTP/1.1\r\n" + HOST + b"Content-Length: 1000\r\n\r\nhalf")
    tunnel.finish()
    data, ending = tunnel.receive()
    return {"status": data.split(b"\r\n")[0].decode(), "ending": ending}


def download(tunnel: Tunnel, path: str) -> dict:
    """An answer that the origin ends in its own way."""
    tunnel.send(b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
    data, ending = tunnel.receive()
    return {"bytes": data.partition(b"\r\n\r\n")[2].count(b"x"), "ending": ending}


def main() -> None:
    what, proxy, ca, *more = sys.argv[1:]
    print(json.dumps(globals()[what](Tunnel(proxy, ca), *more)))


main()
