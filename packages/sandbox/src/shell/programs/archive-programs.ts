/** Packers and unpackers: where they write, and the commands some of their options start. */
import type { ShellWord } from "../shell-command.ts";
import { ordinaryProgram } from "./ordinary-program.ts";
import {
  addFile,
  addFileOfOption,
  addRisk,
  addScript,
  type Findings,
  literalWord,
  type Program,
  type Programs,
} from "./program-call.ts";
import { findOption, hasOption } from "./read-options.ts";

const runs = "runs a command";
const writes = "writes a file";

const tarProgram = ordinaryProgram(
  {
    plain:
      "-A/--catenate/--concatenate -c/--create -d/--diff/--compare --delete -r/--append -t/--list --test-label -u/--update -x/--extract/--get -j/--bzip2 -J/--xz -z/--gzip/--gunzip/--ungzip -Z/--compress --lzma --lzip --lzop --zstd -a/--auto-compress --no-auto-compress -f/--file: -v/--verbose -w/--interactive/--confirmation -k/--keep-old-files --keep-newer-files --skip-old-files --overwrite --overwrite-dir -U/--unlink-first --recursive-unlink --no-overwrite-dir -W/--verify -O/--to-stdout -m/--touch --mode: --mtime: --owner: --group: --owner-map: --group-map: --numeric-owner -p/--preserve-permissions/--same-permissions --no-same-permissions --same-owner --no-same-owner -s/--preserve-order --sort: --acls --selinux --xattrs -b/--blocking-factor: -B/--read-full-records -i/--ignore-zeros --record-size: -H/--format: --old-archive --portability --pax-option: --posix -V/--label: --backup? --exclude: --exclude-vcs --exclude-vcs-ignores --exclude-backups --exclude-caches --anchored --ignore-case --wildcards --no-wildcards -h/--dereference --hard-dereference -K/--starting-file: --newer-mtime: -N/--newer/--after-date: --no-null --null --no-recursion --recursion --one-file-system -P/--absolute-names --remove-files --strip-components: --suffix: --transform: --xform: --checkpoint? --full-time --index-file: -l/--check-links --no-quote-chars: --quote-chars: --quoting-style: -R/--block-number --show-defaults --show-omitted-dirs --show-transformed-names --totals? --utc --warning: -S/--sparse -G/--incremental -n/--seek --occurrence? -M/--multi-volume -L/--tape-length: --help --version -o --restrict",
    special: [
      ["-I/--use-compress-program:", "script", runs],
      ["--to-command:", "script", runs],
      ["--checkpoint-action:", "none"],
      ["-F/--info-script/--new-volume-script:", "script", runs],
      ["--rmt-command:", "script", runs],
      ["--rsh-command:", "script", runs],
      ["-C/--directory:", "none"],
      ["-T/--files-from:", "read"],
      ["-X/--exclude-from:", "read"],
      ["-g/--listed-incremental:", "write", writes],
      ["--index-file:", "write", writes],
      ["--volno-file:", "write", writes],
      ["--remove-files", "change", "removes what it packed"],
      ["-P/--absolute-names", "none", "takes absolute names"],
    ],
    looks: true,
  },
  ({ read }, findings) => {
    const isPacking = hasOption(read, "-c", "-r", "-u", "-A", "--delete");
    const isUnpacking = hasOption(read, "-x") && !hasOption(read, "-O");
    if (isPacking || isUnpacking) findings.readOnly = false;
    const archive = findOption(read, "-f");
    if (archive !== undefined)
      judgeArchive(
        archive.value?.text ?? "",
        () => addFileOfOption(findings, isPacking ? "write" : "read", archive),
        findings,
      );
    const directory = findOption(read, "-C");
    if (directory !== undefined) addFileOfOption(findings, isUnpacking ? "write" : "read", directory);
    else if (isUnpacking) addFile(findings, "write", literalWord("."));
    if (isPacking) for (const word of read.operands) addFile(findings, "read", word);
    for (const option of read.options) {
      if (option.name !== "--checkpoint-action" || option.value === undefined) continue;
      const code = /^exec=(.*)$/s.exec(option.value.text)?.[1];
      if (!/^(dot|echo|ttyout|bell|totals|sleep|wait|\.|=)/.test(option.value.text))
        addRisk(findings, ["--checkpoint-action"], runs);
      if (code !== undefined) addScript(findings, option.value.word, code);
    }
  },
);

/** `host:file` is fetched over a remote shell. */
function judgeArchive(text: string, addIt: () => void, findings: Findings): void {
  if (/^[\w.@-]+:/.test(text)) findings.outward = "packs to or from another machine";
  else addIt();
}

/** The first word may hold the options without a dash: `tar xzf a.tgz`. */
const tar: Program = (call, findings) => {
  const [first, ...rest] = call.words;
  if (first === undefined || first.text.startsWith("-") || !/^[A-Za-z]+$/.test(first.text))
    return tarProgram(call, findings);
  tarProgram({ ...call, words: [...spreadOldOptions(first.text, rest)] }, findings);
};

/** Values of joined letters without a dash follow in the order of the letters. */
function spreadOldOptions(letters: string, rest: readonly ShellWord[]): readonly ShellWord[] {
  const takesValue = /[fbCTXgHIKLNVF]/;
  const words: ShellWord[] = [];
  let used = 0;
  for (const letter of letters) {
    words.push(literalWord(`-${letter}`));
    const value = takesValue.test(letter) ? rest[used] : undefined;
    if (value === undefined) continue;
    words.push(value);
    used += 1;
  }
  return [...words, ...rest.slice(used)];
}

const unzip = ordinaryProgram(
  {
    plain: "-a -b -B -C -f -j -K -L -M -n -o -p -P: -q -t -T -u -v -V -W -X -z -Z -l -x -h",
    special: [["-d:", "write"]],
    operands: "text",
  },
  ({ read }, findings) => {
    const [archive] = read.operands;
    if (archive !== undefined) addFile(findings, "read", archive);
    const onlyLooks = hasOption(read, "-l", "-t", "-v", "-p", "-Z", "-z");
    findings.readOnly = onlyLooks;
    if (!onlyLooks && !hasOption(read, "-d")) addFile(findings, "write", literalWord("."));
  },
);

const zip = ordinaryProgram(
  {
    plain: "-r -q -v -j -m -d -u -f -F -FF -e -P: -0 -1 -9 -x: -i: -y -X -o -@ -l -n: -s: -D -A -g",
    special: [
      ["-T", "none"],
      ["-TT/--unzip-command:", "script", runs],
      ["-O/--output-file:", "write", writes],
      ["-b:", "write"],
    ],
  },
  ({ read, words }, findings) => {
    const [archive, ...files] = read.operands;
    if (archive !== undefined) addFile(findings, "write", archive);
    for (const word of files) addFile(findings, "read", word);
    // The command may also be joined: `-TT'cmd'`.
    if (words.some((word) => (/^-[A-Za-z]*TT/.test(word.text) && word.text !== "-TT") || /^--unzip/.test(word.text)))
      addRisk(findings, ["-TT"], runs);
  },
);

const sevenZip = ordinaryProgram(
  { plain: "-y -bd -r", oneDash: true, special: [["-so", "none"]] },
  ({ read, words }, findings) => {
    const [action, archive, ...files] = read.operands;
    const packs = /^[aud]$|^rn$/.test(action?.text ?? "");
    const unpacks = /^[ex]$/.test(action?.text ?? "");
    findings.readOnly = /^[lt]$/.test(action?.text ?? "");
    if (archive !== undefined) addFile(findings, packs ? "write" : "read", archive);
    if (packs) for (const word of files) addFile(findings, "read", word);
    const target = words.find((word) => /^-o./.test(word.text));
    if (target !== undefined) addFile(findings, "write", target, target.text.slice(2));
    else if (unpacks) addFile(findings, "write", literalWord("."));
  },
);

const cpio = ordinaryProgram(
  {
    plain:
      "-i/--extract -o/--create -t/--list -p/--pass-through -d/--make-directories -m -u -v -a -b -B -c -C: -H/--format: -k -l -L -n -r -s -S -V -0 --quiet --no-absolute-filenames",
    special: [
      ["-F/--file:", "write"],
      ["-O:", "write"],
      ["-I:", "read"],
      ["-E/--pattern-file:", "read"],
      ["-D/--directory:", "write"],
      ["--rsh-command:", "script", runs],
      ["--to-stdout", "none"],
    ],
  },
  ({ read }, findings) => {
    if (hasOption(read, "-i", "-p") && !hasOption(read, "-t", "-D")) addFile(findings, "write", literalWord("."));
    if (hasOption(read, "-p")) for (const word of read.operands) addFile(findings, "write", word);
  },
);

export const archivePrograms: Programs = new Map<string, Program>([
  ["tar", tar],
  ["gtar", tar],
  ["bsdtar", tar],
  ["unzip", unzip],
  ["zip", zip],
  ["7z", sevenZip],
  ["7za", sevenZip],
  ["7zz", sevenZip],
  ["cpio", cpio],
  ["unrar", ordinaryProgram({ operands: "copy" })],
]);
