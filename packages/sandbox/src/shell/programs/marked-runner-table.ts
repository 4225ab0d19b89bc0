/** Programs that start another command which a word, an option or its place among the words marks. */

export type MarkedRow = {
  /** What follows this word is the command. */
  readonly after?: RegExp;
  /** Shell code is the value of one of these options. */
  readonly scripts?: readonly string[];
  /** The command begins with this operand, counted from 0, once the options below are skipped. */
  readonly from?: number;
  /** Options that take the next word, for `from`. */
  readonly valued?: string;
  /** Every operand is shell code of its own. */
  readonly listsScripts?: true;
  /** It does so only as this sub-command. */
  readonly verb?: string;
};

const dashes = /^--$/;
const terminal: MarkedRow = { after: /^(?:-e|-x|--|--command|--execute)$/ };
const direct: MarkedRow = { from: 0 };
const loader: MarkedRow = { from: 0, valued: "--library-path --preload --audit --argv0 --inhibit-rpath" };
const emulator: MarkedRow = { from: 0, valued: "-L -E -U -0 -cpu -s -d -D -p -R -B -g -r" };

export const markedRunnerTable: Readonly<Record<string, MarkedRow>> = {
  adb: { from: 0, verb: "shell" },
  alacritty: terminal,
  ansible: { scripts: ["-a", "--args"] },
  ccache: direct,
  chokidar: { scripts: ["-c", "--command"] },
  chpst: { from: 0, valued: "-u -U -b -e -/ -C -n -l -L -m -d -o -p -f -c -t -r" },
  cmake: { after: /^env$/, verb: "-E" },
  cmd: { after: /^[/-]{1,2}[ckCK]$/ },
  concurrently: { listsScripts: true },
  "dbus-launch": direct,
  distcc: direct,
  "dumb-init": { from: 0, valued: "-r --rewrite" },
  envdir: { from: 1 },
  envuidgid: { from: 1 },
  faketime: { from: 1 },
  fly: { scripts: ["-C", "--command"] },
  flyctl: { scripts: ["-C", "--command"] },
  gcloud: { scripts: ["--command"] },
  gh: { after: dashes, verb: "codespace" },
  "gnome-terminal": terminal,
  heaptrack: { from: 0, valued: "-o --output -p --pid" },
  heroku: { from: 0, verb: "run", valued: "-a --app -s --size -e --env" },
  i386: direct,
  i486: direct,
  i586: direct,
  i686: direct,
  ifne: direct,
  incus: { after: dashes, verb: "exec" },
  infisical: { after: dashes, scripts: ["--command"] },
  just: { after: /^(?:-c|--command)$/, scripts: ["-c"] },
  kitty: { from: 0, valued: "-o --override -c --config -d --directory --title -T" },
  konsole: terminal,
  kubectl: { after: dashes, verb: "run" },
  lckdo: { from: 1, valued: "-W" },
  "ld-linux-aarch64.so.1": loader,
  "ld-linux-armhf.so.3": loader,
  "ld-linux-x86-64.so.2": loader,
  "ld-linux.so.2": loader,
  "ld-musl-aarch64.so.1": loader,
  "ld-musl-x86_64.so.1": loader,
  "ld.so": loader,
  linux32: direct,
  linux64: direct,
  lxc: { after: dashes, verb: "exec" },
  machinectl: { from: 1, verb: "shell", valued: "-E --setenv --uid" },
  mispipe: { listsScripts: true },
  "nix-shell": { scripts: ["--run", "--command"] },
  nodemon: { scripts: ["-x", "--exec"] },
  pdsh: { from: 0, valued: "-w -x -l -t -u -f -R -g -G -N -a" },
  pee: { listsScripts: true },
  proot: { from: 0, valued: "-r --rootfs -b --bind -w --cwd --pwd -q --qemu -k -i -R -S" },
  "qemu-aarch64": emulator,
  "qemu-arm": emulator,
  "qemu-i386": emulator,
  "qemu-x86_64": emulator,
  rr: { from: 0, verb: "record", valued: "-o -c -t -v -p" },
  rush: { listsScripts: true },
  "s6-setuidgid": { from: 1 },
  sccache: direct,
  setuidgid: { from: 1 },
  sg: { from: 1, scripts: ["-c"] },
  softlimit: { from: 0, valued: "-a -c -d -f -l -m -o -p -r -s -t" },
  sshpass: { from: 0, valued: "-p -f -d -P" },
  startx: direct,
  "systemd-nspawn": {
    from: 0,
    valued: "-D --directory -M --machine -u --user --bind --bind-ro -i --image --setenv -E",
  },
  tini: { from: 0, valued: "-p -e" },
  tox: { after: dashes },
  vagrant: { scripts: ["-c", "--command"] },
  watchexec: {
    from: 0,
    valued:
      "-e --exts -w --watch -W -i --ignore -f --filter -s --signal -d --debounce -o --on-busy-update -E --env --shell",
  },
  wezterm: { after: dashes },
  wsl: { from: 0, valued: "-d --distribution -u --user --cd" },
  x86_64: direct,
  xinit: direct,
  xterm: terminal,
};
