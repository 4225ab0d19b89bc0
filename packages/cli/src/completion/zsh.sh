#compdef kedge
# Completion of kedge for zsh. Put into ~/.zshrc, after compinit: eval "$(kedge completion zsh)"

_kedge() {
  local current="$words[CURRENT]" previous="$words[CURRENT-1]" command="" action="" word="" skip=""
  local -a known
  local index
  for ((index = 2; index < CURRENT; index += 1)); do
    word="$words[index]"
    if [[ -n "$skip" ]]; then skip=""; continue; fi
    case "$word" in
      ${valued}) skip=yes ;;
      -*) ;;
      *) if [[ -z "$command" ]]; then command="$word"; elif [[ -z "$action" ]]; then action="$word"; fi ;;
    esac
  done
  case "$previous" in
${values}
    ${files}) _files; return ;;
    ${valued}) return ;;
  esac
  if [[ "$current" == -* ]]; then
    known=(${main})
    case "$command $action" in
${flags}
    esac
  elif [[ -z "$command" ]]; then
    known=(
${commands}
    )
    _describe command known
    return
  elif [[ -z "$action" ]]; then
    case "$command" in
${actions}
      *) _files; return ;;
    esac
  else
    _files
    return
  fi
  compadd -- $known
}

if [[ "$funcstack[1]" == _kedge ]]; then
  _kedge "$@"
else
  compdef _kedge kedge
fi
