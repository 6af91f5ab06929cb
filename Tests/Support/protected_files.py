#!/usr/bin/env python3
"""protected_files.py FOLDER CERTIFICATE KEY: serves a folder over TLS, to requests with an aws-waf-token
cookie, and below /open/ to all; others are challenged as AWS WAF does. Says where it
listens, then one line for each request."""

import http.server
import ssl
import sys
from functools import partial

from listening import say


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        token = "aws-waf-token=" in self.headers.get("Cookie", "")
        say("request", path=self.path, host=self.headers.get("Host", ""), token=token, via=self.headers.get("Via"))
        if token or self.path.startswith("/open/"):
            super().do_GET()
            return
        self.send_response(202)
        self.send_header("x-amzn-waf-action", "challenge")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args) -> None:
        pass


folder, certificate, key = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
server.socket = context.wrap_socket(server.socket, server_side=True)
host, port = server.server_address[:2]
say("listening", kind="files", address=f"{host}:{port}")
server.serve_forever()
