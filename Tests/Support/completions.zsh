#!/usr/bin/env zsh
# completions.zsh SCRIPT WORD...: prints what the script offers for `waf-token-proxy WORD...`, the last word unfinished.
# zsh completes in its line editor alone, and that wants a terminal: zpty gives it one. The inner shell asks compadd,
# through which all matches go, for them; calls of it that fill arrays of the completion's own add nothing.
zmodload zsh/zpty
rm -f $1.found $1.done
mkfifo $1.done
script=$1 line="waf-token-proxy ${(j: :)argv[2,-1]}"
zpty completing zsh -f -i
zpty -w completing "PROMPT= RPROMPT=; stty -echo; autoload -Uz compinit; compinit -u -D; source ${(q)script}
compadd() {
    if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd \"\$@\"; return; fi
    local -a found
    builtin compadd -O found \"\$@\"
    ((\$#found == 0)) || print -rl -- \$found >>${(q)script}.found
}
finish() { : >>${(q)script}.found; zle complete-word; print -r done >${(q)script}.done; exit }
zle -N finish
bindkey '^X' finish
print rea''dy"
zpty -r completing output '*ready*'
zpty -n -w completing "$line"$'\C-X'
read -r answer <$script.done
zpty -d completing
sort -u $script.found
