# shellcheck shell=bash
# Sourced by the container tests: the engine of this machine, Docker where there is one, else podman.
#   engine     docker or podman
#   compose    the command for compose files
#   building   options of `build` on this machine
#   strict     options of `run` that leave a container no place to write and no privilege
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
die() {
    say "$*" >&2
    exit 1
}

strict=(--read-only --cap-drop=ALL --security-opt=no-new-privileges)
if docker info >/dev/null 2>&1; then
    engine=docker compose=(docker compose) building=()
else
    eval "$(scripts/container-base)"
    # podman: the toolchain is mounted, as the image that container-base makes has none; no look at a registry for it.
    # The image format of Docker, as the other one has no health checks.
    engine=podman compose=("$PWD/.venv-containers/bin/podman-compose")
    building=(--pull=never --network=host --format=docker -v "$TOOLCHAIN:/opt/swift:ro")
    strict+=(--read-only-tmpfs=false)
fi
export engine compose building strict

# check SENTENCE COMMAND...: says the sentence, ends the test if the command fails
check() {
    local sentence=$1
    shift
    "$@" || die "not so: $sentence"
    say "ok: $sentence"
}

quietly() { "$@" >/dev/null 2>&1; }
no() { ! "$@"; }

# eventually SECONDS COMMAND...: until it succeeds
eventually() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.2
    done
}

# healthy CONTAINER: what the image's health check says now; podman has no timers for it everywhere
healthy() {
    if [[ $engine == docker ]]; then
        [[ $(docker inspect --format '{{.State.Health.Status}}' "$1") == healthy ]]
    else
        podman healthcheck run "$1" >/dev/null 2>&1
    fi
}

# keep_bridge_addresses: for as long as it runs, a network of podman's keeps the MAC address that its bridge has first.
# Left alone, a bridge takes the lowest address among its ports: a container that starts later changes it, and those
# that run already send their look-ups to the old one for up to half a minute (netavark 1.4; Docker gives it one).
keep_bridge_addresses() {
    local bridge
    while :; do
        for bridge in /sys/class/net/podman*; do
            if [[ -d $bridge/bridge && $(<"$bridge/addr_assign_type") != 3 ]]; then # 3: set by somebody
                ip link set dev "${bridge##*/}" address "$(<"$bridge/address")"
            fi
        done
        sleep 0.05
    done 2>/dev/null
}
