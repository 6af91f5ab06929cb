#!/usr/bin/env python3
"""first_handshakes.py WHAT PROXY CA: handshakes with shop.test:443 inside CONNECT tunnels, as no library would do them.
Prints what came as JSON. WHAT is one of the functions below."""

import concurrent.futures
import json
import os
import socket
import ssl
import struct
import sys
import threading

CONNECT = b"CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test:443\r\n\r\n"


def tunnel(proxy: tuple[str, int]) -> socket.socket:
    connection = socket.create_connection(proxy, timeout=30)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(CONNECT)
    head = b""
    while b"\r\n\r\n" not in head:
        byte = connection.recv(1)
        assert byte, head
        head += byte
    assert b" 200 " in head, head
    return connection


class Kernel:
    """What the kernel knows of a connection between two programs on this machine (sock_diag(7)); /proc/net/tcp takes
    long where there are many, and leaves rows out while others come and go."""

    ESTABLISHED = 1
    INFO = 2  # INET_DIAG_INFO: an attribute with a tcp_info

    def __init__(self):
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4)  # NETLINK_SOCK_DIAG

    def received(self, local: tuple[str, int], remote: tuple[str, int]) -> int:
        """How many bytes the program at `local` has read of what `remote` sent."""
        ends = struct.pack(">HH", local[1], remote[1]) + b"".join(
            socket.inet_aton(host).ljust(16, b"\0") for host, _ in (local, remote)
        )
        ask = struct.pack("=BBBBI", socket.AF_INET, socket.IPPROTO_TCP, 1 << (self.INFO - 1), 0, 0xFFFFFFFF) + ends
        ask += struct.pack("=III", 0, 0xFFFFFFFF, 0xFFFFFFFF)  # any interface, no cookie
        self.socket.send(struct.pack("=IHHII", 16 + len(ask), 20, 1, 0, 0) + ask)  # SOCK_DIAG_BY_FAMILY, a request
        answer = self.socket.recv(8192)
        assert struct.unpack_from("=H", answer, 4)[0] == 20, answer
        assert answer[17] == self.ESTABLISHED, f"state {answer[17]}"
        unread = struct.unpack_from("=I", answer, 16 + 4 + 48 + 4)[0]
        place = 16 + 72
        while struct.unpack_from("=H", answer, place + 2)[0] != self.INFO:
            place += (struct.unpack_from("=H", answer, place)[0] + 3) & ~3
        return struct.unpack_from("=Q", answer, place + 4 + 128)[0] - unread  # tcpi_bytes_received

    def wait_until_read(self, connection: socket.socket, count: int) -> None:
        """Returns once the peer's program has read that many bytes."""
        ours, theirs = connection.getsockname(), connection.getpeername()
        while self.received(theirs, ours) < count:
            os.sched_yield()


kernel = Kernel()


class Handshake:
    """A ClientHello that was made and not sent yet."""

    def __init__(self, context: ssl.SSLContext):
        self.inbound, self.outbound = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.inbound, self.outbound, server_hostname="shop.test")
        assert not self.step()
        self.hello = self.outbound.read()

    def step(self) -> bool:
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        return True

    def run(self, proxy: tuple[str, int], pieces: list[bytes]) -> None:
        """Sends each piece of the hello once those before it were read, then completes the handshake."""
        with tunnel(proxy) as connection:
            count = len(CONNECT)
            for piece in pieces[:-1]:
                connection.sendall(piece)
                count += len(piece)
                kernel.wait_until_read(connection, count)
            connection.sendall(pieces[-1])
            while not self.step():
                data = connection.recv(65536)
                assert data, "the proxy closed the connection"
                self.inbound.write(data)
            connection.sendall(self.outbound.read())


def cut(proxy: tuple[str, int], context: ssl.SSLContext) -> dict:
    """Hellos in two pieces, one for each place to cut; one byte by byte; one in records of a byte each."""
    length = len(Handshake(context).hello)
    for place in range(1, length):
        handshake = Handshake(context)
        assert len(handshake.hello) == length
        handshake.run(proxy, [handshake.hello[:place], handshake.hello[place:]])
    handshake = Handshake(context)
    handshake.run(proxy, [bytes([byte]) for byte in handshake.hello])
    handshake = Handshake(context)
    records = b"".join(handshake.hello[:3] + b"\0\1" + bytes([byte]) for byte in handshake.hello[5:])
    handshake.run(proxy, [records])
    return {"whole": length > 100}


def at_once(proxy: tuple[str, int], context: ssl.SSLContext) -> dict:
    """Fifty connections whose handshakes begin together: how many certificates they were shown."""
    count = 50
    gate = threading.Barrier(count)

    def serial() -> str:
        with tunnel(proxy) as connection:
            gate.wait(timeout=60)
            with context.wrap_socket(connection, server_hostname="shop.test") as inside:
                return inside.getpeercert()["serialNumber"]

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        serials = [future.result() for future in [pool.submit(serial) for _ in range(count)]]
    return {"connections": len(serials), "certificates": len(set(serials))}


def main() -> None:
    what, proxy, ca = sys.argv[1:]
    host, _, port = proxy.rpartition(":")
    print(json.dumps(globals()[what]((host, int(port)), ssl.create_default_context(cafile=ca))))


main()
