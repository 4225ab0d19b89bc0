# Ends everything that carries the number $1 once kedge is gone: its end of our standard input closes with it.
# $2: the same as a limit in bytes. $3: a number that nobody looks for, for this shell and its own children.
trap '' HUP INT QUIT TERM PIPE TSTP
ulimit -m "$3" 2>/dev/null || :
while read -r _; do :; done

quiet=0
round=0
while [ "$quiet" -lt 2 ] && [ "$round" -lt 100 ]; do
  living=
  for file in $(grep -lsF -e " $2 " -e "$1" /proc/[0-9]*/limits /proc/[0-9]*/environ); do
    pid=${file#/proc/}
    pid=${pid%/*}
    # A dead one that nobody collects keeps its limits.
    grep -qs '^State:[[:space:]]*[ZX]' "/proc/$pid/status" || living="$living $pid"
  done
  # Until nobody is left, because some may fork while the others are being killed.
  if [ -n "$living" ]; then
    kill -KILL $living 2>/dev/null
    quiet=0
  else
    quiet=$((quiet + 1))
  fi
  round=$((round + 1))
  sleep 0.05
done
