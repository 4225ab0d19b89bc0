# Runs at the end of the user's own start-up files and writes down what they defined, for shells that do not read them.
{
  builtin echo '#kedge shell snapshot'
  builtin compgen -a -A function | command sed 's/^/#word /'
  builtin echo 'builtin unset BASH_ENV'
  builtin echo 'builtin unalias -a'
  builtin shopt -p | command grep -vE ' (login_shell|restricted_shell|expand_aliases|histappend|checkwinsize|cmdhist|lithist|progcomp.*|checkjobs|huponexit|compat[0-9]+)$'
  builtin set +o | command grep -E ' (allexport|braceexpand|errtrace|functrace|hashall|noclobber|noglob|physical|pipefail)$'
  builtin declare -f
  builtin alias -p
  builtin echo 'builtin shopt -s expand_aliases'
  builtin echo '#end'
} > "$KEDGE_SNAPSHOT" 2>/dev/null
builtin exit 0
