"""The product behind a certificate of its own, as clients that speak nothing but https want it."""

import contextlib
import os
import pathlib
import socket
import ssl
import subprocess
import threading
import time

import httpx


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def make_certificate(folder):
    """A key and a certificate of this machine for itself, in one file."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    done = subprocess.run([*command, "-keyout", key, "-out", certificate], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return key, certificate


def carry(source, target):
    """Takes what comes from one to the other until it ends."""
    with contextlib.suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


class Front:
    """Ends TLS in front of a server on this machine."""

    def __init__(self, port, server_port, folder):
        key, self.certificate = make_certificate(folder)
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(self.certificate, key)
        self.server_port = server_port
        self.listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with contextlib.suppress(OSError), self.tls.wrap_socket(client, server_side=True) as secure:
            with socket.create_connection(("127.0.0.1", self.server_port)) as server:
                back = threading.Thread(target=carry, args=(server, secure), daemon=True)
                back.start()
                carry(secure, server)
                back.join()

    def close(self):
        self.listener.close()


@contextlib.contextmanager
def product(folder: pathlib.Path):
    """Another server of the same data, and the names under which clients reach it: of its own, and of fal's queue."""
    server_port, port = free_port(), free_port()
    names = {"origin": f"https://localhost:{port}", "fal_host": f"127.0.0.1:{port}"}
    command = [os.environ["REELMILL_BIN"], "serve", "--port", str(server_port), "--data", os.environ["REELMILL_DATA"]]
    command += ["--models", os.environ["REELMILL_MODELS"], "--site", str(folder)]
    command += ["--public-url", names["origin"], "--fal-host", names["fal_host"]]
    # It sends webhooks like the first one, to whoever has its turn.
    command += ["--webhook-allow", "127.0.0.0/8"]
    front = Front(port, server_port, folder)
    with open(folder / "log", "wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as server:
        try:
            until_up(f"http://127.0.0.1:{server_port}/healthz", server)
            yield {**names, "certificate": str(front.certificate)}
        finally:
            server.terminate()
            front.close()


def until_up(url, server):
    patience = time.monotonic() + 120
    while time.monotonic() < patience:
        assert server.poll() is None, "the server has ended"
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(url, trust_env=False).status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the server does not answer")
