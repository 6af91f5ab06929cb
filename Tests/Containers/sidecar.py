"""sidecar.py FOLDER: writes what the Job's sidecar runs with, so that a container can be started the same way.

Files: waf-token-proxy.yaml and token-headers from config map and secret; args, startupProbe, livenessProbe and env with
a word a line; trust with the arguments of the container that makes the trust kit.
"""

import pathlib
import sys

import yaml

FOLDER = pathlib.Path(sys.argv[1])
MANIFESTS = pathlib.Path("docker/kubernetes")


def read(name: str) -> dict:
    return yaml.safe_load((MANIFESTS / name).read_text())


def write(name: str, text: str) -> None:
    path = FOLDER / name
    path.write_text(text)
    path.chmod(0o644)


sidecar, trust = read("job.yaml")["spec"]["template"]["spec"]["initContainers"]
write("waf-token-proxy.yaml", read("configmap.yaml")["data"]["waf-token-proxy.yaml"])
write("token-headers", read("secret.yaml")["stringData"]["token-headers"])
write("args", "\n".join(sidecar["args"]) + "\n")
write("trust", "\n".join(trust["args"]) + "\n")
for probe in ("startupProbe", "livenessProbe"):
    write(probe, "\n".join(sidecar[probe]["exec"]["command"]) + "\n")
write("env", "".join(f"{variable['name']}={variable['value']}\n" for variable in sidecar["env"]))
