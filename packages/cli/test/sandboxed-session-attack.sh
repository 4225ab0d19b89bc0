# Tries, inside of a sandbox, what no command of a session may do, and tells of each attempt whether it was held.
# $1: a directory outside the workspace, $2: kedge's own directory, $3: an address that answers outside.
attempt() {
  name=$1
  shift
  if ("$@") > /dev/null 2>&1; then echo "$name: DONE"; else echo "$name: held"; fi
}
append() { echo "x" >> "$1"; }
loosen() { mkdir -p .kedge && append .kedge/config.json; }
fetch() { curl --silent --fail --max-time 5 "$@"; }
attempt "system file" touch /usr/local/kedge-sandbox-canary
attempt "git hook" append .git/hooks/pre-commit
attempt "git settings" git config core.fsmonitor ./canary.sh
attempt "git directory" mv .git moved
attempt "kedge settings" loosen
attempt "environment file" append .envrc
attempt "workflow" mkdir -p .github/workflows/x
attempt "credentials" grep -q . "$2/credentials.json"
attempt "tokens" grep -q . "$2/tokens.json"
attempt "database" grep -rq . "$2/data"
attempt "network" fetch --noproxy '' "$3"
attempt "network without a proxy" fetch --noproxy '*' "$3"
attempt "kedge's process" grep -aq kedge.js /proc/[0-9]*/cmdline
attempt "mount" mount -t tmpfs none /mnt
# Where it lies among temporary files, the command writes to a copy of its own; whoever runs this looks at the file.
append "$1/neighbour.txt" 2> /dev/null
attempt "workspace" touch inside.txt
