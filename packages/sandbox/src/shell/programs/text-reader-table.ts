/** Programs that print or compare the text of files, with the options under which they only look. */
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

export const textReaderTable: Readonly<Record<string, ProgramRow>> = {
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
      "-A/--address-radix: -j/--skip-bytes: -N/--read-bytes: -S?/--strings? -t/--format: -v/--output-duplicates -w?/--width? -a -b -c -d -f -i -l -o -s -x -An",
    operands: "read",
    looks: true,
  },
  hexdump: {
    plain:
      "-b/--one-byte-octal -c/--one-byte-char -C/--canonical -d/--two-bytes-decimal -e/--format: -n/--length: -o -s/--skip: -v/--no-squeezing -x -X/--one-byte-hex -L?/--color?",
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
      "--normal -q/--brief -s/--report-identical-files -c -C: --context? -u -U: --unified? -e/--ed -n/--rcs -y/--side-by-side -W/--width: --left-column --suppress-common-lines -p/--show-c-function -F/--show-function-line: --label: -L: -t/--expand-tabs -T/--initial-tab --tabsize: --suppress-blank-empty -r/--recursive --no-dereference -N/--new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case -x/--exclude: -S/--starting-file: -i/--ignore-case -E/--ignore-tab-expansion -Z/--ignore-trailing-space -b/--ignore-space-change -w/--ignore-all-space -B/--ignore-blank-lines -I/--ignore-matching-lines: -a/--text --strip-trailing-cr -D/--ifdef: --GTYPE-group-format: --line-format: --old-line-format: --new-line-format: --unchanged-line-format: --old-group-format: --new-group-format: --changed-group-format: --unchanged-group-format: -d/--minimal --horizon-lines: --speed-large-files --color? --palette: --help -v/--version",
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
    operands: "text",
    looks: true,
  },
  more: { plain: "-d -l -f -p -c -s -u -n: -e", operands: "text", looks: true, takesNumbers: true },
  zcat: { plain: "-f -q -v", operands: "read", looks: true },
  bzcat: { plain: "-s -q", operands: "read", looks: true },
  xzcat: { operands: "read", looks: true },
  zstdcat: { operands: "read", looks: true },
  zless: unpackedReader,
  cksum: { plain: sum, operands: "read", looks: true },
  sum: { plain: "-r -s", operands: "read", looks: true },
  md5: { plain: "-q -r -s: -p -t -x", operands: "read", looks: true },
  iconv: {
    plain: "-f/--from-code: -t/--to-code: -l/--list -c -s/--silent --verbose",
    special: [["-o/--output:", "write", writes]],
    operands: "read",
    looks: true,
  },
  xmllint: {
    plain: "--noout --format --xpath: --valid --nonet --html --schema: --recover --pretty:",
    special: [
      ["--output/-o:", "write", writes],
      ["--shell", "none", runs],
    ],
    operands: "read",
    looks: true,
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
  ...Object.fromEntries(
    ["sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "md5sum", "b2sum", "shasum", "gsha256sum"].map(
      (name): readonly [string, ProgramRow] => [name, { plain: sum, operands: "read", looks: true }],
    ),
  ),
};
