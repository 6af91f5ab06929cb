#!/usr/bin/env python3
"""intercepted_names.py PROXY CA FILE: opens a CONNECT tunnel for each line of FILE, {"authority": …, "sni": … or null,
"asks": …}, shakes hands inside, and asks for /headers where "asks" is true. The leaf is verified against CA alone, and
for the authority's host. Prints one line of JSON each: the status of CONNECT, then either "error" or what was found."""

import ipaddress
import json
import re
import socket
import ssl
import sys


def connect(proxy: str, authority: str) -> tuple[socket.socket, int]:
    host, _, port = proxy.rpartition(":")
    connection = socket.create_connection((host, int(port)), timeout=20)
    connection.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        more = connection.recv(4096)
        if not more:
            break
        head += more
    return connection, int(head.split(b" ")[1])


def ask(connection: ssl.SSLSocket, authority: str) -> tuple[int, bytes]:
    connection.sendall(f"GET /headers HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n".encode())
    answer = b""
    while True:
        more = connection.recv(65536)
        if not more:
            head, _, body = answer.partition(b"\r\n\r\n")
            return int(head.split(b" ")[1]), body
        answer += more


def is_for(host: str, names: list[tuple[str, str]]) -> bool:
    """Exact names alone: leaves are made for one host."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return ("DNS", host.rstrip(".").lower()) in names
    return any(kind == "IP Address" and ipaddress.ip_address(text.strip()) == address for kind, text in names)


def visit(proxy: str, context: ssl.SSLContext, case: dict) -> dict:
    authority = case["authority"]
    connection, status = connect(proxy, authority)
    found: dict = {"connect": status}
    with connection:
        if status != 200:
            return found
        try:
            with context.wrap_socket(connection, server_hostname=case["sni"]) as inside:
                names = [tuple(name) for name in inside.getpeercert()["subjectAltName"]]
                found["is_for_host"] = is_for(authority.rpartition(":")[0], names)
                if case["asks"]:
                    found["status"], body = ask(inside, authority)
                    found["token"] = (re.findall(rb"aws-waf-token=([^;\"]*)", body) or [b""])[0].decode()
        except (ssl.SSLError, OSError) as error:
            found["error"] = str(error)
    return found


def main() -> None:
    proxy, ca, cases = sys.argv[1:]
    context = ssl.create_default_context(cafile=ca)
    context.check_hostname = False  # is_for does it: the names are odd, and some are not sent
    with open(cases, encoding="utf-8") as lines:
        for line in lines:
            print(json.dumps(visit(proxy, context, json.loads(line))))


main()
