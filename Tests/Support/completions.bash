#!/usr/bin/env bash
# completions.bash SCRIPT WORD...: prints what the script offers for `waf-token-proxy WORD...`, the last word unfinished.
set -euo pipefail
# shellcheck source=/dev/null
source "$1"
shift
COMP_WORDS=(waf-token-proxy "$@")
COMP_CWORD=$#
read -r _ _ function _ < <(complete -p waf-token-proxy)
compopt() { :; } # works inside a completion by the shell itself alone
"$function" waf-token-proxy "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
