/** Programs that start the command given in their last words. */
import type { OptionTable } from "./option-set.ts";

export type WrapperRow = OptionTable & {
  /** How many operands stand before the command: the duration of `timeout`. */
  readonly skips?: number;
  /** It adds nothing to what it starts. */
  readonly isTransparent?: boolean;
  /** The words are joined with spaces and given to a shell. */
  readonly joins?: boolean;
  /** `NAME=value` words before the command are set for it. */
  readonly assigns?: boolean;
  /** With one of these the command is not run, or there is none: `command -v`, `taskset -p`. */
  readonly onlyLooksWith?: readonly string[];
  readonly acts?: readonly string[];
  /** Without a command it starts a shell. */
  readonly opensShell?: boolean;
  /** Without a command it only prints something. */
  readonly looksAlone?: boolean;
};

const writes = "writes a file";
const runs = "runs a command";
const loads = "loads other code";

/** Judged by the command they start alone. */
export const transparentWrappers: Readonly<Record<string, WrapperRow>> = {
  command: {
    plain: "-p",
    special: [
      ["-v", "none"],
      ["-V", "none"],
    ],
    onlyLooksWith: ["-v", "-V"],
  },
  builtin: {},
  exec: { plain: "-c -l -a:" },
  nohup: { plain: "--help --version" },
  time: {
    plain: "-p/--portability -v/--verbose -q/--quiet -f/--format: --help -V/--version",
    special: [
      ["-o/--output:", "write", writes],
      ["-a/--append", "none"],
    ],
  },
  timeout: {
    plain: "-f/--foreground -p/--preserve-status -k/--kill-after: -s/--signal: -v/--verbose --help --version",
    skips: 1,
  },
  gtimeout: { plain: "-f/--foreground --preserve-status -k/--kill-after: -s/--signal: -v/--verbose", skips: 1 },
  nice: { plain: "-n/--adjustment: --help --version", takesNumbers: true },
  ionice: {
    plain: "-c/--class: -n/--classdata: -t/--ignore",
    special: [
      ["-p/--pid:", "none"],
      ["-P/--pgid:", "none"],
      ["-u/--uid:", "none"],
    ],
    acts: ["-p", "-P", "-u"],
  },
  stdbuf: { plain: "-i/--input: -o/--output: -e/--error:" },
  setsid: { plain: "-c/--ctty -f/--fork -w/--wait" },
  chrt: {
    plain:
      "-b/--batch -d/--deadline -f/--fifo -i/--idle -o/--other -r/--rr -R/--reset-on-fork -T/--sched-runtime: -P/--sched-period: -D/--sched-deadline: -v/--verbose -a/--all-tasks -m/--max",
    special: [["-p/--pid", "none"]],
    skips: 1,
    acts: ["-p", "-m"],
  },
  taskset: { plain: "-a/--all-tasks -c/--cpu-list", special: [["-p/--pid", "none"]], skips: 1, acts: ["-p"] },
  numactl: {
    plain:
      "-a/--all -i/--interleave: -p/--preferred: -P: -w: -m/--membind: -N/--cpunodebind: -C/--physcpubind: -l/--localalloc -b/--balancing",
    special: [
      ["-H/--hardware", "none"],
      ["-s/--show", "none"],
    ],
    onlyLooksWith: ["-H", "-s"],
  },
  prlimit: {
    plain:
      "-c?/--core? -d?/--data? -e?/--nice? -f?/--fsize? -i?/--sigpending? -l?/--memlock? -m?/--rss? -n?/--nofile? -q?/--msgqueue? -r?/--rtprio? -s?/--stack? -t?/--cpu? -u?/--nproc? -v?/--as? -x?/--locks? -y?/--rttime? -o/--output: --noheadings --raw --verbose",
    special: [["-p/--pid:", "none"]],
    acts: ["-p"],
  },
  choom: { plain: "-n/--adjust:", special: [["-p/--pid:", "none"]], acts: ["-p"] },
  unbuffer: { plain: "-p" },
  caffeinate: { plain: "-d -i -m -s -u -t: -w:" },
  chronic: { plain: "-v -e" },
  catchsegv: {},
  nocache: { plain: "-n:" },
  eatmydata: {},
  uname26: {},
  setarch: { plain: "-R/--addr-no-randomize -v/--verbose -B/--32bit -3/--3gb --4gb -L -X -Z -S -I -T -F", skips: 1 },
};

/** Need a rule of their own beside one for the command they start. */
export const judgedWrappers: Readonly<Record<string, WrapperRow>> = {
  sudo: {
    plain:
      "-A/--askpass -b/--background -B/--bell -C/--close-from: -E/--preserve-env? -g/--group: -H/--set-home -h/--host: -K/--remove-timestamp -k/--reset-timestamp -n/--non-interactive -P/--preserve-groups -p/--prompt: -r/--role: -S/--stdin -t/--type: -T/--command-timeout: -U/--other-user: -u/--user: -v/--validate -l/--list -N/--no-update",
    special: [
      ["-D/--chdir:", "directory"],
      ["-R/--chroot:", "none", "changes the root directory"],
      ["-e/--edit", "change", "edits a file as another user"],
      ["-s/--shell", "none"],
      ["-i/--login", "none"],
    ],
    assigns: true,
    opensShell: true,
    onlyLooksWith: ["-l", "-v", "-k", "-K"],
  },
  doas: {
    plain: "-n -L -u: -a:",
    special: [
      ["-s", "none"],
      ["-C:", "read"],
    ],
    assigns: true,
    opensShell: true,
  },
  pkexec: { plain: "--user: --disable-internal-agent --keep-cwd", opensShell: true },
  gosu: { skips: 1 },
  "su-exec": { skips: 1 },
  please: { plain: "-u: -g: -d: -n" },
  watch: {
    plain:
      "-b/--beep -c/--color -C/--no-color -d/--differences? -e/--errexit -g/--chgexit -n/--interval: -p/--precise -q/--equexit: -r/--no-rerun -t/--no-title -w/--no-wrap -x/--exec",
    joins: true,
  },
  strace: {
    plain:
      "-a: -A -b: -c -C -d/--debug -D -e: -E: -f/--follow-forks -F -h -i -I: -k -n -N -O: -P: -q/--quiet -r -s/--string-limit: -S: -t -tt -ttt -T -u: -U: -v -V -w -x -xx -X: -y -yy -z -Z --trace: --signal:",
    special: [
      ["-o/--output:", "write", writes],
      ["-p/--attach:", "change", "attaches to a process"],
    ],
    acts: ["-p"],
  },
  ltrace: {
    plain: "-a: -A: -b -c -C -d -D: -e: -f -F: -h -i -l: -L -n: -r -s: -S -t -T -u: -V -w: -x:",
    special: [
      ["-o/--output:", "write", writes],
      ["-p:", "change", "attaches to a process"],
    ],
    acts: ["-p"],
  },
  valgrind: {
    plain:
      "-q/--quiet -v/--verbose -h/--help --tool? --leak-check? --track-origins? --trace-children? --error-exitcode?",
    special: [
      ["--log-file?", "write", writes],
      ["--xml-file?", "write", writes],
      ["--massif-out-file?", "write", writes],
      ["--callgrind-out-file?", "write", writes],
      ["--db-command?", "script", runs],
    ],
  },
  rlwrap: {
    plain: "-a -A -b: -c -C: -D: -e: -g: -h -i -I -m -M: -n -N -o -p? -P: -q: -r -R -s: -S: -t: -T -U -v -W -w: -X",
    special: [
      ["-f/--file:", "read"],
      ["-H/--history-filename:", "write", writes],
      ["-l/--logfile:", "write", writes],
      ["-z/--filter:", "script", runs],
    ],
  },
  unshare: {
    plain:
      "-m/--mount? -u/--uts? -i/--ipc? -n/--net? -p/--pid? -U/--user? -C/--cgroup? -T/--time? -f/--fork -r/--map-root-user -c/--map-current-user --map-user: --map-group: --kill-child? --mount-proc? --propagation: --setgroups: --keep-caps -S/--setuid: -G/--setgid:",
    special: [
      ["-R/--root:", "none", "changes the root directory"],
      ["-w/--wd:", "directory"],
    ],
    opensShell: true,
  },
  nsenter: {
    plain:
      "-a/--all -t/--target: -m?/--mount? -u?/--uts? -i?/--ipc? -n?/--net? -p?/--pid? -U?/--user? -C?/--cgroup? -T?/--time? -S/--setuid: -G/--setgid: -F/--no-fork -Z --preserve-credentials",
    special: [
      ["-r?/--root?", "none", "changes the root directory"],
      ["-w?/--wd?", "directory"],
    ],
    opensShell: true,
  },
  setpriv: {
    plain:
      "-d/--dump --clear-groups --groups: --inh-caps: --ambient-caps: --bounding-set: --init-groups --keep-groups --list-caps --no-new-privs --rgid: --regid: --ruid: --euid: --reuid: --egid: --securebits: --selinux-label: --apparmor-profile: --pdeathsig: --reset-env --landlock-access: --landlock-rule:",
  },
  capsh: { plain: "--drop? --caps? --uid? --gid? --user? --print" },
  chroot: { plain: "--groups: --userspec: --skip-chdir", skips: 1, opensShell: true },
  fakeroot: {
    plain: "-u -b: -h -v",
    special: [
      ["-l:", "none", loads],
      ["-f:", "none", runs],
      ["-s:", "write", writes],
      ["-i:", "read"],
    ],
    opensShell: true,
  },
  fakechroot: { opensShell: true },
  proxychains: { plain: "-q", special: [["-f:", "read", "loads a configuration"]] },
  proxychains4: { plain: "-q", special: [["-f:", "read", "loads a configuration"]] },
  torsocks: { plain: "-i" },
  tsocks: {},
  firejail: {
    plain: "--quiet --noprofile --private? --net?",
    special: [
      ["--profile?", "read"],
      ["--output?", "write", writes],
    ],
    opensShell: true,
  },
  "systemd-run": {
    plain:
      "--user --system --scope --slice: -u/--unit: -p/--property: --description: --uid: --gid: --nice: -t/--pty -P/--pipe -q/--quiet -G/--collect -d/--same-dir --no-block --wait -r/--remain-after-exit --send-sighup --service-type: --on-active: --on-boot: --on-calendar: --on-startup: --timer-property: -H/--host: -M/--machine: -E/--setenv: -S/--shell",
    special: [["--working-directory:", "directory"]],
    opensShell: true,
  },
  "systemd-inhibit": { plain: "--what: --who: --why: --mode: --list --no-pager --no-legend" },
  "dbus-run-session": { plain: "--dbus-daemon:", special: [["--config-file:", "read", "loads a configuration"]] },
  "xvfb-run": {
    plain:
      "-a/--auto-servernum -e/--error-file: -f/--auth-file: -l/--listen-tcp -n/--server-num: -p/--xauth-protocol: -s/--server-args: -w/--wait:",
  },
  cgexec: { plain: "-g: --sticky" },
  cpulimit: { plain: "-l/--limit: -z -i -v -p/--pid: -e/--exe: -P/--path:" },
  dotenv: {
    plain: "-o",
    special: [
      ["-e:", "read"],
      ["-f:", "read"],
      ["-c:", "none"],
    ],
  },
  "dotenv-cli": { special: [["-e:", "read"]] },
  "ssh-agent": { plain: "-c -s -D -d -a: -E: -O: -t: -k" },
  "cross-env": { assigns: true },
  "cross-env-shell": { assigns: true, joins: true },
  lldb: {
    plain: "-b/--batch --",
    special: [
      ["-o/--one-line:", "none", runs],
      ["-O/--one-line-before-file:", "none", runs],
      ["-s/--source:", "read", loads],
      ["-S/--source-before-file:", "read", loads],
      ["-p/--attach-pid:", "change", "attaches to a process"],
    ],
  },
};
