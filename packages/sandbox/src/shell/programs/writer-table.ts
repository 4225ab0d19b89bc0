/** Programs that write files, with what their words name. */
import type { ProgramRow } from "./ordinary-program.ts";

const runs = "runs a command";
const loads = "loads other code";
const writes = "writes a file";

export const packerRow: ProgramRow = {
  special: [
    ["-o/--output:", "write"],
    ["--output-dir-flat:", "write"],
  ],
  plain:
    "-1 -2 -3 -4 -5 -6 -7 -8 -9 -c/--stdout/--to-stdout -d/--decompress/--uncompress -f/--force -k/--keep -l/--list -n/--no-name -N/--name -q/--quiet -r/--recursive -S/--suffix: -t/--test -v/--verbose -z -T/--threads:",
};

export const patchRow: ProgramRow = {
  plain:
    "-b -B: -c -e -E -f/--force -F: -g: -l -n -N/--forward -p/--strip: -R/--reverse -s/--quiet -t -T -u -v -V: -x: -z: -Z --dry-run --binary --verbose -C",
  special: [
    ["-i/--input:", "read"],
    ["-o/--output:", "write"],
    ["-r/--reject-file:", "write"],
    ["-d/--directory:", "write"],
    ["-D:", "none"],
  ],
  operands: "write",
};

export const writerTable: Readonly<Record<string, ProgramRow>> = {
  tee: { plain: "-a/--append -i/--ignore-interrupts -p --output-error?", operands: "write" },
  sponge: { plain: "-a", operands: "write" },
  cp: {
    plain:
      "-a/--archive --attributes-only -b --backup? --copy-contents -d -f/--force -i/--interactive -H -l/--link -L/--dereference -n/--no-clobber -P/--no-dereference -p --preserve? --no-preserve: --parents -R/-r/--recursive --reflink? --remove-destination --sparse: --strip-trailing-slashes -s/--symbolic-link -S/--suffix: -T/--no-target-directory -u/--update? -v/--verbose -x/--one-file-system -Z --debug -c",
    special: [["-t/--target-directory:", "write"]],
    operands: "copy",
  },
  ln: {
    plain:
      "-b --backup? -d -F -f/--force -i/--interactive -L/--logical -n/--no-dereference -P/--physical -r/--relative -s/--symbolic -S/--suffix: -T/--no-target-directory -v/--verbose",
    special: [["-t/--target-directory:", "write"]],
    operands: "copy",
  },
  install: {
    plain:
      "-b --backup? -c -C/--compare -D -g/--group: -m/--mode: -o/--owner: -p/--preserve-timestamps -s/--strip -S/--suffix: -T/--no-target-directory -v/--verbose",
    special: [
      ["-t/--target-directory:", "write"],
      ["--strip-program:", "script", runs],
      ["-d/--directory", "none"],
    ],
    operands: "copy",
  },
  mkdir: { plain: "-m/--mode: -p/--parents -v/--verbose -Z", operands: "write" },
  rmdir: { plain: "-p/--parents -v/--verbose --ignore-fail-on-non-empty", operands: "write" },
  touch: {
    plain: "-a -c/--no-create -d/--date: -f -h/--no-dereference -m -t: --time: -A:",
    special: [["-r/--reference:", "none"]],
    operands: "write",
  },
  truncate: {
    plain: "-c/--no-create -o/--io-blocks -s/--size:",
    special: [["-r/--reference:", "none"]],
    operands: "write",
  },
  fallocate: { plain: "-c -d -i -l: -n -o: -p -v -x -z", operands: "write" },
  unlink: { operands: "write", suggestedWords: 0 },
  shred: {
    plain: "-f/--force -n/--iterations: --random-source: -s/--size: -u --remove? -v/--verbose -x/--exact -z/--zero",
    operands: "write",
    suggestedWords: 0,
  },
  trash: { operands: "write", suggestedWords: 0 },
  mktemp: {
    plain: "-d/--directory -u/--dry-run -q/--quiet --suffix: -t",
    special: [
      ["-p:", "none"],
      ["--tmpdir?", "none"],
    ],
  },
  mkfifo: { plain: "-m/--mode:", operands: "write" },
  mknod: { plain: "-m/--mode:" },
  csplit: { plain: "-b/--suffix-format: -f/--prefix: -k/--keep-files -n/--digits: -s/--quiet -z" },
  chattr: { operands: "write" },
  setfacl: { plain: "-m: -x: -b -k -R -n", operands: "write" },
  ar: { operands: "text" },
  strip: { operands: "write", special: [["-o:", "write"]] },
  objcopy: { operands: "copy" },
  dos2unix: { operands: "write" },
  unix2dos: { operands: "write" },
  indent: { operands: "write" },
  gpg: {
    plain:
      "--verify --list-keys -k --list-secret-keys -K --armor -a --fingerprint --batch --yes --no-tty -q --quiet --detach-sign -b --sign -s --decrypt -d --encrypt -e --recipient: -r: --import --export",
    special: [
      ["-o/--output:", "write", writes],
      ["--homedir:", "read", "loads a configuration"],
      ["--options:", "read", "loads a configuration"],
      ["--photo-viewer:", "script", runs],
      ["--agent-program:", "script", runs],
      ["--keyserver-options:", "none"],
      ["--export-secret-keys", "none", "reads secret keys"],
      ["--load-extension:", "none", loads],
    ],
    suggestedWords: 0,
  },
  openssl: {
    oneDash: true,
    special: [
      ["-out:", "write", writes],
      ["-keyout:", "write", writes],
      ["-writerand:", "write", writes],
      ["-CAserial:", "write"],
      ["-in:", "read"],
      ["-inkey:", "read"],
      ["-key:", "read"],
      ["-CAfile:", "read"],
      ["-config:", "read", "loads a configuration"],
      ["-engine:", "none", loads],
      ["-provider:", "none", loads],
      ["-provider-path:", "none", loads],
    ],
    suggestedWords: 2,
  },
  pandoc: {
    plain: "-f: -t: -s --toc",
    special: [
      ["-o/--output:", "write", writes],
      ["-F/--filter:", "script", runs],
      ["-L/--lua-filter:", "read", runs],
      ["--pdf-engine:", "script", runs],
      ["-d/--defaults:", "read", loads],
      ["--extract-media:", "write", writes],
    ],
    operands: "read",
  },
  ffmpeg: { suggestedWords: 0 },
  gcc: {
    special: [
      ["-o:", "write"],
      ["-B:", "none", runs],
      ["-wrapper:", "script", runs],
      ["-fplugin?", "none", loads],
      ["-specs?", "none", runs],
    ],
  },
  cc: {
    special: [
      ["-o:", "write"],
      ["-B:", "none", runs],
      ["-wrapper:", "script", runs],
      ["-fplugin?", "none", loads],
    ],
  },
  "g++": {
    special: [
      ["-o:", "write"],
      ["-B:", "none", runs],
      ["-wrapper:", "script", runs],
      ["-fplugin?", "none", loads],
    ],
  },
  clang: {
    special: [
      ["-o:", "write"],
      ["-B:", "none", runs],
      ["-fplugin?", "none", loads],
    ],
  },
  rustc: {
    special: [
      ["-o:", "write"],
      ["--out-dir:", "write"],
      ["-C:", "none"],
    ],
  },
  ctags: {
    special: [
      ["-f/-o:", "write"],
      ["--options:", "read", "loads a configuration"],
      ["--options-maybe:", "read", "loads a configuration"],
    ],
  },
};
