"""Verifies chains with Python's ssl, as strictly as Python 3.13 does without being asked, by a handshake in memory.

python verify_chains.py FOLDER NAME...    FOLDER/NAME holds root.pem, chain.pem (leaf first), key.pem and host

Prints one line a name: "NAME ok" or "NAME refused: REASON".
"""

import contextlib
import pathlib
import ssl
import sys


def verify(folder: pathlib.Path) -> None:
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "chain.pem", folder / "key.pem")
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.load_verify_locations(folder / "root.pem")
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    host = (folder / "host").read_text().strip()
    near = client.wrap_bio(down, up, server_hostname=host)
    far = server.wrap_bio(up, down, server_side=True)
    for end in (near, far, near):
        with contextlib.suppress(ssl.SSLWantReadError):
            end.do_handshake()


for name in sys.argv[2:]:
    try:
        verify(pathlib.Path(sys.argv[1], name))
        print(name, "ok")
    except ssl.SSLCertVerificationError as refusal:
        print(name, "refused:", refusal.verify_message)
