# Installs and builds what changed. Sourced by ./kedge and ./test with `root` set; writes to standard error only.

installed_lock=node_modules/.kedge-installed
set_up_lock=dist/.set-up-lock
lock_wait_seconds=900

say() { printf 'kedge: %s\n' "$*" >&2; }

set_up() {
  is_installed && is_built && return 0
  take_set_up_lock || return 1
  trap 'rm -rf "${root:?}/$set_up_lock"' EXIT
  trap 'exit 130' HUP INT TERM
  # Another start may have done the work while this one waited.
  { is_installed || install; } && { is_built || build; }
  set_up_status=$?
  rm -rf "${root:?}/$set_up_lock"
  trap - EXIT HUP INT TERM
  return $set_up_status
}

is_installed() { cmp -s "$root/package-lock.json" "$root/$installed_lock"; }

# Folders count as well as files: deleting a file changes only the time of its folder.
is_built() {
  [ -f "$root/dist/kedge.js" ] && [ -f "$root/dist/main.cjs" ] && [ -z "$(
    find "$root/packages" "$root/scripts" "$root/package.json" "$root/$installed_lock" \
      \( -name node_modules -o -name test -o -name '*.test.ts' \) -prune -o -newer "$root/dist/kedge.js" -print
  )" ]
}

install() {
  command -v npm >/dev/null 2>&1 || { say "npm is missing; install Node.js 20 or newer with npm and start again."; return 1; }
  say "installing dependencies ..."
  run_logged "installing the dependencies failed" npm ci || return 1
  cp "$root/package-lock.json" "$root/$installed_lock"
}

build() {
  find_node || return 1
  say "building ..."
  run_logged "the build failed" "$node" scripts/build.ts
}

# Runs a command in the root and shows its output only when it fails.
run_logged() {
  sentence=$1
  shift
  log=$(mktemp) || return 1
  if (cd "$root" && "$@") >"$log" 2>&1 </dev/null; then
    rm -f "$log"
    return 0
  fi
  cat "$log" >&2
  say "$sentence; the output is above and in $log."
  return 1
}

# The Node that came with the dependencies, else a system Node that is new enough.
find_node() {
  for node in "$root"/node_modules/node-linux-*/bin/node; do
    [ -x "$node" ] && return 0
  done
  node=$(command -v node) && "$node" -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 22 || (major === 22 && minor >= 19) ? 0 : 1);
  ' && return 0
  say "Node.js 22.19 or newer is needed and was not found; install it and start again."
  return 1
}

# A folder is made by exactly one of several starts. A lock whose process is gone is broken by one of the waiting.
take_set_up_lock() {
  mkdir -p "$root/dist" || return 1
  waited=0
  until mkdir "$root/$set_up_lock" 2>/dev/null; do
    [ $waited -gt 0 ] || say "waiting for another start that is setting up ..."
    if [ $waited -ge $lock_wait_seconds ]; then
      say "another start is still setting up after $lock_wait_seconds s; if there is none, remove $root/$set_up_lock."
      return 1
    fi
    sleep 1
    waited=$((waited + 1))
    break_stale_lock
  done
  echo $$ >"$root/$set_up_lock/pid"
}

break_stale_lock() {
  holder=$(cat "$root/$set_up_lock/pid" 2>/dev/null)
  # No process writes its id later than a moment after making the folder.
  [ -n "$holder" ] || [ $waited -ge 5 ] || return 0
  [ -z "$holder" ] || ! is_alive "$holder" || return 0
  mkdir "$root/$set_up_lock/broken" 2>/dev/null || return 0
  [ "$(cat "$root/$set_up_lock/pid" 2>/dev/null)" != "$holder" ] || rm -rf "${root:?}/$set_up_lock"
}

is_alive() { kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ]; }
