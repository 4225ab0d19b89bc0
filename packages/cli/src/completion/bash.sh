# Completion of kedge for bash. Put into ~/.bashrc: eval "$(kedge completion bash)"

_kedge_files() {
  # Older shells have no compopt; there the names come without marks for folders.
  compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$1"))
}

_kedge() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
  local command="" action="" known="" word="" skip="" index
  COMPREPLY=()
  if [ "$current" = "=" ]; then current=""; fi
  if [ "$previous" = "=" ]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((index = 1; index < COMP_CWORD; index += 1)); do
    word="${COMP_WORDS[index]}"
    if [ -n "$skip" ] && [ "$word" != "=" ]; then skip=""; continue; fi
    case "$word" in
      =) ;;
      ${valued}) skip=yes ;;
      -*) ;;
      *) if [ -z "$command" ]; then command="$word"; elif [ -z "$action" ]; then action="$word"; fi ;;
    esac
  done
  case "$previous" in
${values}
    ${files}) _kedge_files "$current"; return ;;
    ${valued}) return ;;
  esac
  if [[ "$current" == -* ]]; then
    known="${main}"
    case "$command $action" in
${flags}
    esac
  elif [ -z "$command" ]; then
    known="${commands}"
  elif [ -z "$action" ]; then
    case "$command" in
${actions}
      *) _kedge_files "$current"; return ;;
    esac
  else
    _kedge_files "$current"
    return
  fi
  COMPREPLY=($(compgen -W "$known" -- "$current"))
}

complete -F _kedge kedge
