/** Programs that only look, with the options under which they do, and those options under which they do not. */
import type { ProgramRow } from "./ordinary-program.ts";

const writes = "writes a file";
const runs = "runs a command";
const loads = "loads other code";

const sum =
  "-b/--binary -c/--check -t/--text -z/--zero --tag --ignore-missing --quiet --status --strict -w/--warn -a: -l/--length: --help --version";
const grep =
  "-E/--extended-regexp -F/--fixed-strings -G/--basic-regexp -P/--perl-regexp -e/--regexp: -i/-y/--ignore-case --no-ignore-case -v/--invert-match -w/--word-regexp -x/--line-regexp -c/--count --color? --colour? -L/--files-without-match -l/--files-with-matches -m/--max-count: -o/--only-matching -q/--quiet/--silent -s/--no-messages -b/--byte-offset -H/--with-filename -h/--no-filename --label: -n/--line-number -T/--initial-tab -Z/--null -A/--after-context: -B/--before-context: -C/--context: -a/--text --binary-files: -D/--devices: -d/--directories: --exclude: --exclude-dir: --include: -r/--recursive -R/--dereference-recursive --line-buffered -U/--binary -z/--null-data -u --help -V/--version";
const grepRow: ProgramRow = {
  plain: grep,
  special: [
    ["-f/--file:", "read"],
    ["--exclude-from:", "read"],
  ],
  operands: "pattern",
  looks: true,
  takesNumbers: true,
};
const unpackedReader: ProgramRow = { operands: "read", looks: true, takesNumbers: true };

export const readerTable: Readonly<Record<string, ProgramRow>> = {
  cat: {
    plain:
      "-A/--show-all -b/--number-nonblank -e -E/--show-ends -n/--number -s/--squeeze-blank -t -T/--show-tabs -u -v/--show-nonprinting -l --help --version",
    operands: "read",
    looks: true,
  },
  bat: {
    plain:
      "-A/--show-all -p/--plain -l/--language: -H/--highlight-line: --tabs: --wrap: -n/--number --color: --decorations: --paging: -r/--line-range: --style: --theme: -d/--diff -u -f",
    special: [
      ["--pager:", "script", runs],
      ["-P", "none"],
    ],
    operands: "read",
    looks: true,
  },
  head: {
    plain: "-c/--bytes: -n/--lines: -q/--quiet/--silent -v/--verbose -z/--zero-terminated --help --version",
    operands: "read",
    looks: true,
    takesNumbers: true,
  },
  tail: {
    plain:
      "-c/--bytes: -f -F --follow? -n/--lines: -q/--quiet/--silent -v/--verbose -s/--sleep-interval: --pid: --retry --max-unchanged-stats: -z/--zero-terminated --help --version",
    operands: "read",
    looks: true,
    takesNumbers: true,
  },
  tac: { plain: "-b/--before -r/--regex -s/--separator:", operands: "read", looks: true },
  nl: {
    plain:
      "-b/--body-numbering: -d/--section-delimiter: -f/--footer-numbering: -h/--header-numbering: -i/--line-increment: -l/--join-blank-lines: -n/--number-format: -p/--no-renumber -s/--number-separator: -v/--starting-line-number: -w/--number-width:",
    operands: "read",
    looks: true,
  },
  rev: { operands: "read", looks: true },
  wc: {
    plain: "-c/--bytes -m/--chars -l/--lines -w/--words -L/--max-line-length --total: --help --version",
    special: [["--files0-from:", "read"]],
    operands: "read",
    looks: true,
  },
  cut: {
    plain:
      "-b/--bytes: -c/--characters: -d/--delimiter: -f/--fields: -n --complement -s/--only-delimited --output-delimiter: -z/--zero-terminated",
    operands: "read",
    looks: true,
  },
  tr: { plain: "-c/-C/--complement -d/--delete -s/--squeeze-repeats -t/--truncate-set1", looks: true },
  paste: { plain: "-d/--delimiters: -s/--serial -z/--zero-terminated", operands: "read", looks: true },
  join: {
    plain: "-a: -e: -i/--ignore-case -j: -o: -t: -v: -1: -2: --check-order --nocheck-order --header -z",
    operands: "read",
    looks: true,
  },
  comm: {
    plain: "-1 -2 -3 --check-order --nocheck-order --output-delimiter: --total -z",
    operands: "read",
    looks: true,
  },
  uniq: {
    plain:
      "-c/--count -d/--repeated -D --all-repeated? -f/--skip-fields: --group? -i/--ignore-case -s/--skip-chars: -u/--unique -z/--zero-terminated -w/--check-chars:",
    operands: "readThenWrite",
    looks: true,
  },
  fold: { plain: "-b/--bytes -s/--spaces -w/--width:", operands: "read", looks: true, takesNumbers: true },
  fmt: {
    plain:
      "-c/--crown-margin -p/--prefix: -s/--split-only -t/--tagged-paragraph -u/--uniform-spacing -w/--width: -g/--goal:",
    operands: "read",
    looks: true,
    takesNumbers: true,
  },
  expand: { plain: "-i/--initial -t/--tabs:", operands: "read", looks: true },
  unexpand: { plain: "-a/--all --first-only -t/--tabs:", operands: "read", looks: true },
  column: {
    plain:
      "-t/--table -s/--separator: -o/--output-separator: -c/--output-width: -n -N/--table-columns: -J/--json -x/--fillrows -R/--table-right: -H/--table-hide: -l: -L",
    operands: "read",
    looks: true,
  },
  strings: {
    plain: "-a/--all -d/--data -f/--print-file-name -n/--bytes: -t/--radix: -e/--encoding: -o",
    operands: "read",
    looks: true,
    takesNumbers: true,
  },
  od: {
    plain:
      "-A/--address-radix: -j/--skip-bytes: -N/--read-bytes: -S/--strings? -t/--format: -v/--output-duplicates -w/--width? -a -b -c -d -f -i -l -o -s -x -An",
    operands: "read",
    looks: true,
  },
  hexdump: {
    plain:
      "-b/--one-byte-octal -c/--one-byte-char -C/--canonical -d/--two-bytes-decimal -e/--format: -n/--length: -o -s/--skip: -v/--no-squeezing -x -X/--one-byte-hex -L/--color?",
    special: [["-f/--format-file:", "read"]],
    operands: "read",
    looks: true,
  },
  xxd: {
    plain: "-a -b -c: -C -d -e -E -g: -i -l: -n: -o: -p/-ps/-plain -s: -u -v",
    special: [["-r/-revert", "none"]],
    operands: "readThenWrite",
    looks: true,
  },
  base64: { plain: "-d/-D/--decode -i/--ignore-garbage -w/--wrap: -b:", operands: "read", looks: true },
  base32: { plain: "-d/--decode -i/--ignore-garbage -w/--wrap:", operands: "read", looks: true },
  grep: grepRow,
  egrep: grepRow,
  fgrep: grepRow,
  ggrep: grepRow,
  zgrep: grepRow,
  rgrep: grepRow,
  rg: {
    plain:
      "-e/--regexp: -A/--after-context: -B/--before-context: -C/--context: -c/--count --count-matches --color: --colors: --column --crlf --debug -E/--encoding: --engine: -F/--fixed-strings -g/--glob: --iglob: --files -l/--files-with-matches --files-without-match -L/--follow --heading --no-heading -./--hidden -i/--ignore-case --include-zero -v/--invert-match --json --line-buffered -n/--line-number -N/--no-line-number -x/--line-regexp -M/--max-columns: --max-columns-preview -m/--max-count: -d/--max-depth: --max-filesize: --mmap --multiline-dotall -U/--multiline --no-config --no-filename -I --no-ignore --no-ignore-vcs --no-messages -0/--null --null-data --one-file-system -o/--only-matching --passthru -P/--pcre2 --path-separator: -p/--pretty -q/--quiet --regex-size-limit: -r/--replace: -S/--smart-case --sort: --sortr: --stats -a/--text -j/--threads: --trim -t/--type: -T/--type-not: --type-add: --type-clear: --type-list -u/--unrestricted --vimgrep -H/--with-filename -w/--word-regexp -s/--case-sensitive -b/--byte-offset -h/--help -V/--version --hyperlink-format: --no-unicode --auto-hybrid-regex --no-ignore-parent --no-ignore-global --glob-case-insensitive --binary",
    special: [
      ["-f/--file:", "read"],
      ["--ignore-file:", "read"],
      ["--pre:", "script", runs],
      ["--pre-glob:", "none"],
      ["--hostname-bin:", "script", runs],
      ["-z/--search-zip", "none", "runs programs that unpack"],
    ],
    operands: "pattern",
    looks: true,
  },
  ag: {
    plain: "-i -l -c -v -w -A: -B: -C: -G: -g: -Q -s -S -u -U --hidden --ignore: --nocolor --color --depth: --nogroup",
    special: [
      ["--pager:", "script", runs],
      ["-p/--path-to-ignore:", "read"],
    ],
    operands: "pattern",
    looks: true,
    takesNumbers: true,
  },
  ack: {
    plain: "-i -l -c -v -w -A: -B: -C: -h -H -n -Q -s --nocolor --color",
    special: [
      ["--pager:", "script", runs],
      ["--ackrc:", "read", loads],
      ["--files-from:", "read"],
    ],
    operands: "pattern",
    looks: true,
  },
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
  sort: {
    plain:
      "-b/--ignore-leading-blanks -d/--dictionary-order -f/--ignore-case -g/--general-numeric-sort -i/--ignore-nonprinting -M/--month-sort -h/--human-numeric-sort -n/--numeric-sort -R/--random-sort -r/--reverse --sort: -V/--version-sort --batch-size: -c/--check? -C --debug -k/--key: -m/--merge -s/--stable -S/--buffer-size: -t/--field-separator: --parallel: -u/--unique -z/--zero-terminated --help --version",
    special: [
      ["-o/--output:", "write", writes],
      ["--compress-program:", "script", runs],
      ["-T/--temporary-directory:", "write", writes],
      ["--files0-from:", "read"],
      ["--random-source:", "read"],
    ],
    operands: "read",
    looks: true,
  },
  shuf: {
    plain: "-e/--echo -i/--input-range: -n/--head-count: -r/--repeat -z/--zero-terminated",
    special: [
      ["-o/--output:", "write", writes],
      ["--random-source:", "read"],
    ],
    operands: "read",
    looks: true,
  },
  diff: {
    plain:
      "--normal -q/--brief -s/--report-identical-files -c -C/--context? -u -U/--unified? -e/--ed -n/--rcs -y/--side-by-side -W/--width: --left-column --suppress-common-lines -p/--show-c-function -F/--show-function-line: --label: -L: -t/--expand-tabs -T/--initial-tab --tabsize: --suppress-blank-empty -r/--recursive --no-dereference -N/--new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case -x/--exclude: -S/--starting-file: -i/--ignore-case -E/--ignore-tab-expansion -Z/--ignore-trailing-space -b/--ignore-space-change -w/--ignore-all-space -B/--ignore-blank-lines -I/--ignore-matching-lines: -a/--text --strip-trailing-cr -D/--ifdef: --GTYPE-group-format: --line-format: --old-line-format: --new-line-format: --unchanged-line-format: --old-group-format: --new-group-format: --changed-group-format: --unchanged-group-format: -d/--minimal --horizon-lines: --speed-large-files --color? --palette: --help -v/--version",
    special: [
      ["-l/--paginate", "none", "runs a command"],
      ["--from-file:", "read"],
      ["--to-file:", "read"],
      ["-X/--exclude-from:", "read"],
    ],
    operands: "read",
    looks: true,
    takesNumbers: true,
  },
  diff3: {
    plain: "-a -A -e -E -i -m -T -x -X -3 -L:",
    special: [["--diff-program:", "script", runs]],
    operands: "read",
    looks: true,
  },
  sdiff: {
    plain: "-i -E -Z -b -W -B -I: -a -w: -l -s -t -d -H",
    special: [
      ["-o/--output:", "write", writes],
      ["--diff-program:", "script", runs],
    ],
    operands: "read",
    looks: true,
  },
  colordiff: { operands: "read", plain: "-u -r -N -q -w -b", looks: true },
  cmp: {
    plain: "-b/--print-bytes -i/--ignore-initial: -l/--verbose -n/--bytes: -s/--quiet/--silent",
    operands: "read",
    looks: true,
  },
  less: {
    plain:
      "-N -n -S -R -r -F -X -i -I -M -m -q -s -g -G -e -E -a -c -C -d -f -u -U -w -W -J -K -L -V -h: -j: -p: -P: -x: -y: -z: -b: -D: -#: --help --version --no-init --quit-if-one-screen --RAW-CONTROL-CHARS --chop-long-lines --line-numbers --LINE-NUMBERS --ignore-case --follow-name --use-color --mouse",
    special: [
      ["-o/--log-file:", "write", writes],
      ["-O/--LOG-FILE:", "write", writes],
      ["-k/--lesskey-file:", "read", "loads commands"],
      ["--lesskey-src:", "read", "loads commands"],
      ["--lesskey-content:", "none", "loads commands"],
      ["-t/--tag:", "none"],
      ["-T/--tag-file:", "read"],
    ],
    operands: "read",
    looks: true,
  },
  more: { plain: "-d -l -f -p -c -s -u -n: -e", operands: "read", looks: true, takesNumbers: true },
  zcat: { plain: "-f -q -v", operands: "read", looks: true },
  bzcat: { plain: "-s -q", operands: "read", looks: true },
  xzcat: { operands: "read", looks: true },
  zstdcat: { operands: "read", looks: true },
  zless: unpackedReader,
  man: {
    plain:
      "-a/--all -f/--whatis -k/--apropos -K/--global-apropos -l/--local-file -w/--where/--path/--location -W -S/-s/--sections: -L/--locale: -m/--systems: -E/--encoding: -e/--extension: -i/--ignore-case -I/--match-case --regex --wildcard --names-only -7/--ascii -d/--debug -D/--default -u/--update -c/--catman --no-justification --no-hyphenation --no-subpages --help -V/--version",
    special: [
      ["-P/--pager:", "script", runs],
      ["-C/--config-file:", "read", "loads a configuration"],
      ["-H/--html?", "none", runs],
      ["-B:", "script", runs],
      ["-T/--troff-device?", "none", runs],
      ["-t/--troff", "none", runs],
      ["-X/--gxditview?", "none", runs],
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
      "-A -a -d -e -f -F -l -j -L -m -M -N -T -w -x -X -y -Z -c -C: -G: -g: -o: -O: -p: -q: -s: -t: -U: -u: --pid: --ppid: --sort: --forest --format: --headers --no-headers --user: --cols: --width: --deselect --info --help -k: -H -E -r -S -v -h",
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
  cksum: { plain: sum, operands: "read", looks: true },
  sum: { plain: "-r -s", operands: "read", looks: true },
  md5: { plain: "-q -r -s: -p -t -x", operands: "read", looks: true },
  iconv: {
    plain: "-f/--from-code: -t/--to-code: -l/--list -c -s/--silent --verbose",
    special: [["-o/--output:", "write", writes]],
    operands: "read",
    looks: true,
  },
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
  xmllint: {
    plain: "--noout --format --xpath: --valid --nonet --html --schema: --recover --pretty:",
    special: [
      ["--output/-o:", "write", writes],
      ["--shell", "none", runs],
    ],
    operands: "read",
    looks: true,
  },
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
  yq: {
    plain: "-r -e -P -o: -p: -n -N -C -M -j -y",
    special: [
      ["-i/--inplace", "change", "changes files in place"],
      ["-f/--from-file:", "read"],
      ["-s/--split-exp:", "change", writes],
    ],
    operands: "pattern",
    looks: true,
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
  ...Object.fromEntries(
    ["sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "md5sum", "b2sum", "shasum", "gsha256sum"].map(
      (name): readonly [string, ProgramRow] => [name, { plain: sum, operands: "read", looks: true }],
    ),
  ),
};
