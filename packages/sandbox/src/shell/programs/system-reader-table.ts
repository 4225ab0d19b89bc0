/** Programs that tell about files, processes and the machine, with the options under which they only look. */
import type { ProgramRow } from "./ordinary-program.ts";

const writes = "writes a file";
const runs = "runs a command";
const loads = "loads other code";

export const systemReaderTable: Readonly<Record<string, ProgramRow>> = {
  ls: {
    plain:
      "-a/--all -A/--almost-all --author -b/--escape --block-size: -B/--ignore-backups -c -C --color? -d/--directory -D/--dired -f -F/--classify? --file-type --format: --full-time -g --group-directories-first -G/--no-group -h/--human-readable --si -H -L/--dereference --dereference-command-line --hide: --hyperlink? --indicator-style: -i/--inode -I/--ignore: -k/--kibibytes -l -m -n/--numeric-uid-gid -N/--literal -o -p -q/--hide-control-chars --show-control-chars -Q/--quote-name --quoting-style: -r/--reverse -R/--recursive -s/--size -S --sort: --time: --time-style: -t -T: -u -U -v -w/--width: -x -X -Z/--context -1 --zero --help --version -@ -e -O",
    operands: "read",
    looks: true,
  },
  eza: {
    operands: "read",
    looks: true,
    plain: "-a/--all -l/--long -T/--tree -L/--level: -h -g --git -r -s/--sort: -1 -F -R --icons? --color? -D -d",
  },
  exa: {
    operands: "read",
    looks: true,
    plain: "-a/--all -l/--long -T/--tree -L/--level: -h -g --git -r -s/--sort: -1 -F -R -D -d",
  },
  tree: {
    plain:
      "-a -d -l -f -x -L: -R -P: -I: --gitignore --ignore-case --matchdirs --metafirst --noreport --charset: --filelimit: --timefmt: -q -N -Q -p -u -g -s -h --si -D -F --inodes --device -v -t -c -U -r --dirsfirst --filesfirst --sort: --sort? -A -S -n -C -X -J -H: -T: --nolinks --hintro: --houtro: --prune --du --info --fromfile --help --version -i",
    special: [
      ["-o:", "write", writes],
      ["--output:", "write", writes],
      ["--gitfile:", "read"],
      ["--infofile:", "read"],
    ],
    operands: "read",
    looks: true,
  },
  stat: {
    plain: "-L/--dereference -f/--file-system -c/--format: --printf: -t/--terse --cached: -x -s -n -r",
    operands: "read",
    looks: true,
  },
  file: {
    plain:
      "-b/--brief -c/--checking-printout -d -e/--exclude: --exclude-quiet: --extension -F/--separator: -h/--no-dereference -i/--mime --mime-type --mime-encoding -I -k/--keep-going -l/--list -L/--dereference -n/--no-buffer -N/--no-pad -0/--print0 -p/--preserve-date -P/--parameter: -r/--raw -s/--special-files -S/--no-sandbox -v/--version --apple --help",
    special: [
      ["-m/--magic-file:", "read", "loads another magic file"],
      ["-C/--compile", "change", writes],
      ["-f/--files-from:", "read"],
      ["-z/--uncompress", "none", "runs programs that unpack"],
      ["-Z/--uncompress-noreport", "none", "runs programs that unpack"],
    ],
    operands: "read",
    looks: true,
  },
  du: {
    plain:
      "-0/--null -a/--all --apparent-size -B/--block-size: -b/--bytes -c/--total -D/--dereference-args -d/--max-depth: -H -h/--human-readable --inodes -k -L/--dereference -l/--count-links -m -P/--no-dereference -S/--separate-dirs --si -s/--summarize -t/--threshold: --time? --time-style: --exclude: -x/--one-file-system -g",
    special: [
      ["-X/--exclude-from:", "read"],
      ["--files0-from:", "read"],
    ],
    operands: "read",
    looks: true,
  },
  df: {
    plain:
      "-a/--all -B/--block-size: -h/--human-readable -H/--si -i/--inodes -k -l/--local --no-sync --output? -P/--portability --sync --total -t/--type: -T/--print-type -x/--exclude-type: -m -g",
    looks: true,
  },
  man: {
    plain:
      "-a/--all -f/--whatis -k/--apropos -K/--global-apropos -l/--local-file -w/--where/--path/--location -W -S/-s/--sections: -L/--locale: -m/--systems: -E/--encoding: -e/--extension: -i/--ignore-case -I/--match-case --regex --wildcard --names-only -7/--ascii -d/--debug -D/--default -u/--update -c/--catman --no-justification --no-hyphenation --no-subpages --help -V/--version",
    special: [
      ["-P/--pager:", "script", runs],
      ["-C/--config-file:", "read", "loads a configuration"],
      ["-H?/--html?", "none", runs],
      ["-B:", "script", runs],
      ["-T?/--troff-device?", "none", runs],
      ["-t/--troff", "none", runs],
      ["-X?/--gxditview?", "none", runs],
      ["-p/--preprocessor:", "none", runs],
      ["-M/--manpath:", "read", "loads other pages"],
      ["-r/--prompt:", "none", "loads commands"],
      ["-Z/--ditroff", "none"],
      ["-R/--recode:", "none"],
    ],
    looks: true,
  },
  info: {
    plain: "-a -k: -n: -w",
    special: [
      ["-o/--output:", "write", writes],
      ["--restore:", "read", runs],
      ["--init-file:", "read", loads],
      ["-f/--file:", "read"],
      ["-d/--directory:", "read"],
    ],
    looks: true,
  },
  apropos: { plain: "-e -r -w -a -s:", looks: true },
  whatis: { plain: "-r -w -s:", looks: true },
  date: {
    plain:
      "-d/--date: --debug -I? --iso-8601? -R/--rfc-email --rfc-3339: -u/--utc/--universal --resolution -j -v: -n --help --version",
    special: [
      ["-s/--set:", "change", "sets the clock"],
      ["-f/--file:", "read"],
      ["-r/--reference:", "none"],
    ],
    looks: true,
  },
  cal: { plain: "-1 -3 -s -m -j -y -w -n: -h", looks: true },
  ps: {
    plain:
      "-A -a -d -e -f -F -l -j -L -m -M -N -T -w -x -X -y -Z -c -C: -G: -g: -o: -O: -p: -q: -s: -t: -U: -u: --pid: --ppid: --sort: --forest --format: --headers --no-headers --user: --cols: --width: --deselect --info --help -k: -H -r -S -v -h",
    looks: true,
  },
  pgrep: {
    plain: "-c -d: -f -g: -G: -i -l -a -n -o -P: -s: -t: -u: -U: -v -w -x -L -q -r:",
    special: [["-F/--pidfile:", "read"]],
    looks: true,
  },
  pidof: { plain: "-s -c -x -o: -q", looks: true },
  pstree: { plain: "-a -A -c -C -g -G -h -H: -l -n -N -p -s -S -t -T -u -U -V -Z", looks: true },
  top: { plain: "-b -c -d: -e: -E: -H -i -n: -o: -O -p: -s -S -u: -U: -w? -1 -l: -stats:", looks: true },
  uptime: { plain: "-p -s -h -V", looks: true },
  free: { plain: "-b -k -m -g -h/--human -s: -c: -t -w -l --mega --giga --si", looks: true },
  vmstat: { looks: true, plain: "-a -f -m -n -s -d -D -w -t -S:" },
  lsof: {
    plain:
      "-a -b -c: -C -d: -f -F: -g -h -i? -l -L -n -N -o -O -p: -P -r? -R -s? -S? -t -T? -u: -U -v -V -w -x? -X -z? -Z?",
    special: [
      ["-A:", "read", loads],
      ["-k:", "read", loads],
      ["-m:", "read", loads],
      ["-D:", "write", writes],
    ],
    looks: true,
  },
  ss: {
    plain: "-h -V -n -r -a -l -o -e -m -p -i -s -b -Z -z -N: -4 -6 -0 -t -u -d -w -x -S -O -E -f: -A: -H",
    special: [
      ["-D:", "write", writes],
      ["-F:", "read"],
      ["-K/--kill", "change", "closes connections"],
    ],
    looks: true,
  },
  netstat: { plain: "-a -c -e -g -i -l -n -N -o -p -r -s -t -u -v -w -W -x -4 -6 -f:", looks: true },
  id: { plain: "-a -g/--group -G/--groups -n/--name -r/--real -u/--user -z/--zero -Z", looks: true },
  whoami: { looks: true },
  who: { plain: "-a -b -d -H -l -m -p -q -r -s -t -T -u -w --ips --lookup", looks: true },
  w: { plain: "-h -u -s -f -o -i", looks: true },
  groups: { looks: true },
  users: { looks: true },
  last: { plain: "-n: -a -d -F -i -R -w -x", looks: true, takesNumbers: true },
  logname: { looks: true },
  tty: { plain: "-s", looks: true },
  uname: {
    plain:
      "-a/--all -s/--kernel-name -n/--nodename -r/--kernel-release -v/--kernel-version -m/--machine -p/--processor -i/--hardware-platform -o/--operating-system",
    looks: true,
  },
  arch: { looks: true },
  nproc: { plain: "--all --ignore:", looks: true },
  lscpu: { plain: "-a -b -c -e? -p? -J -x -y", looks: true },
  lsblk: { plain: "-a -b -d -e: -f -i -I: -J -l -m -n -o: -O -p -P -r -S -t", looks: true },
  lsb_release: { plain: "-a -c -d -i -r -s -v", looks: true },
  sw_vers: { plain: "-productName -productVersion -buildVersion", looks: true },
  printenv: { plain: "-0/--null", looks: true },
  locale: { plain: "-a -m -c -k", looks: true },
  getconf: { plain: "-a -v:", looks: true },
  echo: { plain: "-n -e -E", looks: true },
  true: { looks: true },
  false: { looks: true },
  ":": { looks: true },
  sleep: { looks: true },
  yes: { looks: true },
  seq: { plain: "-f/--format: -s/--separator: -w/--equal-width", looks: true, takesNumbers: true },
  factor: { looks: true },
  expr: { looks: true },
  bc: { plain: "-l/--mathlib -q/--quiet -s -w -i", operands: "read", looks: true },
  dc: { plain: "-e: -V", special: [["-f:", "read"]], operands: "read" },
  pwd: { plain: "-L -P", looks: true },
  basename: { plain: "-a/--multiple -s/--suffix: -z/--zero", looks: true },
  dirname: { plain: "-z/--zero", looks: true },
  realpath: {
    plain:
      "-e/--canonicalize-existing -m/--canonicalize-missing -L/--logical -P/--physical -q/--quiet --relative-to: --relative-base: -s/--strip/--no-symlinks -z/--zero",
    looks: true,
  },
  readlink: {
    plain:
      "-f/--canonicalize -e/--canonicalize-existing -m/--canonicalize-missing -n/--no-newline -q/--quiet -s/--silent -v/--verbose -z/--zero",
    looks: true,
  },
  namei: { plain: "-l -m -o -v -x -n", looks: true },
  pathchk: { plain: "-p -P", looks: true },
  which: { plain: "-a/--all -s -i", looks: true },
  whereis: { plain: "-b -m -s -u -f -l -B: -M: -S: -g", looks: true },
  tput: { plain: "-T: -S", looks: true },
  clear: { plain: "-x -T: -V", looks: true },
  nm: {
    plain: "-a -A -C -D -g -l -n -o -p -P -r -S -u -U",
    special: [["--plugin:", "none", loads]],
    operands: "read",
    looks: true,
  },
  size: { plain: "-A -B -d -o -x -t", operands: "read", looks: true },
  readelf: { plain: "-a -h -l -S -s -n -r -d -V -W -e -w? -x: -p:", operands: "read", looks: true },
  objdump: {
    plain: "-a -f -p -h -x -d -D -S -s -t -T -r -R -C -l -M: -j: -w",
    special: [["--dwarf?", "none"]],
    operands: "read",
    looks: true,
  },
  ldd: { plain: "-v -u -d -r", operands: "read" },
  lsattr: { plain: "-R -a -d -l -p -v", operands: "read", looks: true },
  getfacl: { plain: "-a -d -c -e -E -s -R -L -P -t -p -n", operands: "read", looks: true },
  tokei: { operands: "read", looks: true },
  cloc: {
    operands: "read",
    looks: true,
    plain: "--quiet --json --csv --by-file --vcs: --exclude-dir:",
    special: [
      ["--out/--report-file:", "write", writes],
      ["--config:", "read", loads],
    ],
  },
  dig: {
    plain: "-4 -6 -x: -t: -p: -q: -c: -u -m",
    special: [
      ["-f:", "read"],
      ["-k:", "read"],
    ],
    looks: false,
  },
  hostname: {
    plain:
      "-a/--alias -A/--all-fqdns -d/--domain -f/--fqdn/--long -i/--ip-address -I/--all-ip-addresses -s/--short -y/--yp/--nis",
    special: [
      ["-F/--file:", "read", "sets the name of the machine"],
      ["-b/--boot", "change", "sets the name of the machine"],
    ],
    looks: true,
  },
  hostnamectl: { suggestedWords: 2 },
  tldr: { looks: true, plain: "-p: -l" },
};
