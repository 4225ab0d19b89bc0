/** Programs that remove, move or change files, guarded where that could end a workspace. */
import type { ShellWord } from "../shell-command.ts";
import { isBlockDevice, isVitalPath } from "./guard.ts";
import { ordinaryProgram, type ReadCall } from "./ordinary-program.ts";
import {
  addFile,
  addRisk,
  addScript,
  type Findings,
  literalWord,
  type Program,
  type Programs,
} from "./program-call.ts";
import { findOption, hasOption } from "./read-options.ts";
import { packerRow, patchRow, writerTable } from "./writer-table.ts";

const rm = ordinaryProgram(
  {
    plain:
      "-f/--force -i -I --interactive? --one-file-system --no-preserve-root --preserve-root? -r/-R/--recursive -d/--dir -v/--verbose -P -W -x",
    operands: "write",
    suggestedWords: 0,
  },
  (call, findings) => {
    if (hasOption(call.read, "-r", "-R", "--recursive")) guardVital(call, call.read.operands, "remove", findings);
  },
);

const mv = ordinaryProgram(
  {
    plain:
      "-b --backup? -f/--force -i/--interactive -n/--no-clobber --strip-trailing-slashes -S/--suffix: -T/--no-target-directory -u/--update? -v/--verbose -Z --exchange -h",
    special: [["-t/--target-directory:", "write"]],
    operands: "write",
  },
  (call, findings) => {
    const { operands } = call.read;
    const moved = hasOption(call.read, "-t", "--target-directory") ? operands : operands.slice(0, -1);
    guardVital(call, moved, "move", findings);
  },
);

/** `chmod` and `chown`: a mode or owner first, unless a reference gives it. */
const changeMode = ordinaryProgram(
  {
    plain:
      "-c/--changes -f/--silent/--quiet -v/--verbose -R/--recursive --no-preserve-root --preserve-root -h/--no-dereference --dereference -H -L -P --from: -w -x -r -X -s -t",
    special: [["--reference:", "none"]],
  },
  (call, findings) => {
    const { operands } = call.read;
    // `chmod -x file` has its mode where others have options.
    const isModeGiven =
      hasOption(call.read, "--reference") || call.words.some((word) => /^-[rwxXst]+$/.test(word.text));
    const files = isModeGiven ? operands : operands.slice(1);
    for (const word of files) addFile(findings, "write", word);
    if (hasOption(call.read, "-R", "--recursive")) guardVital(call, files, "change", findings);
  },
);

function guardVital(call: ReadCall, words: readonly ShellWord[], verb: string, findings: Findings): void {
  const vital = words.find((word) => isVitalPath(word, call.command.directory, call.place));
  if (vital !== undefined) findings.guard = `it would ${verb} ${vital.text}, with everything in it`;
}

const dd: Program = ({ words }, findings) => {
  for (const word of words) {
    const [key, ...value] = word.text.split("=");
    const path = value.join("=");
    if (key === "of") {
      addFile(findings, "write", word, path);
      if (isBlockDevice(path)) findings.guard = `it would overwrite the device ${path}`;
    }
    if (key === "if") addFile(findings, "read", word, path);
  }
};

/** Formatting and partitioning. */
const diskTool: Program = ({ name, words }, findings) => {
  findings.suggestedWords = 0;
  const onlyLists = words.some((word) => /^(-l|--list|-n|--no-act|print|list|--version|-V|--help)$/.test(word.text));
  if (onlyLists && name !== "mkfs") return;
  findings.guard = `${name} changes a disk`;
};

const split = ordinaryProgram(
  {
    plain:
      "-a/--suffix-length: --additional-suffix: -b/--bytes: -C/--line-bytes: -d -x -e/--elide-empty-files -l/--lines: -n/--number: -t/--separator: -u --verbose",
    special: [["--filter:", "script", "runs a command"]],
    takesNumbers: true,
  },
  ({ read }, findings) => {
    const [source, prefix] = read.operands;
    if (source !== undefined) addFile(findings, "read", source);
    if (prefix !== undefined) addFile(findings, "write", prefix);
  },
);

/** Editors can run anything once they are open; without a terminal only their commands matter. */
const editor = ordinaryProgram(
  {
    plain: "-R -n -b -u: -N -e -s -E -y -Z -O? -o? -p? -d -g -f -v --noplugin -nw --no-init-file -q -Q --batch",
    special: [
      ["-c/--cmd/--command:", "none", "runs editor commands"],
      ["-S:", "read", "runs editor commands"],
      ["--eval/-eval/--execute:", "none", "runs editor commands"],
      ["-l/--load:", "read", "loads other code"],
      ["--script:", "read", "loads other code"],
      ["-f/--funcall:", "none", "runs editor commands"],
      ["-w/-W:", "write", "writes a file"],
      ["--rcfile:", "read", "loads a configuration"],
    ],
    suggestedWords: 0,
  },
  ({ read, words, name, command }, findings) => {
    for (const word of words) {
      if (/^\+[^\d]/.test(word.text)) addRisk(findings, [word.text], "runs editor commands");
    }
    for (const word of read.operands) if (!word.text.startsWith("+")) addFile(findings, "write", word);
    const commands = findOption(read, "-c", "--cmd", "--command")?.value;
    const shellCode = /^:?!(.+)$/s.exec(commands?.text ?? "")?.[1];
    if (commands !== undefined && shellCode !== undefined) addScript(findings, commands.word, shellCode);
    if (/^(ed|ex|red)$/.test(name) && command.input.kind !== "inherited") {
      findings.concerns.push("the commands of the editor come from its input and may run anything");
    }
  },
);

const patch = ordinaryProgram(patchRow, ({ read }, findings) => {
  if (!hasOption(read, "-o", "-d", "--dry-run")) addFile(findings, "write", literalWord("."));
});

/** With these nothing is put in the place of the file. */
const packer = ordinaryProgram(packerRow, ({ read }, findings) => {
  const leaves = hasOption(read, "-c", "--stdout", "-l", "--list", "-t", "--test");
  for (const word of read.operands) addFile(findings, leaves ? "read" : "write", word);
});

const ordinary = Object.entries(writerTable).map(([name, row]) => [name, ordinaryProgram(row)] as const);

export const writers: Programs = new Map<string, Program>([
  ...ordinary,
  ...[
    "gzip",
    "gunzip",
    "bzip2",
    "bunzip2",
    "xz",
    "unxz",
    "lzma",
    "unlzma",
    "zstd",
    "unzstd",
    "lz4",
    "brotli",
    "compress",
  ].map((name) => [name, packer] as const),
  ["patch", patch],
  ["rm", rm],
  ["grm", rm],
  ["mv", mv],
  ["gmv", mv],
  ["chmod", changeMode],
  ["chown", changeMode],
  ["chgrp", changeMode],
  ["dd", dd],
  ["split", split],
  ...[
    "mkfs",
    "fdisk",
    "sfdisk",
    "gdisk",
    "sgdisk",
    "parted",
    "wipefs",
    "mkswap",
    "blkdiscard",
    "cryptsetup",
    "lvremove",
    "vgremove",
    "pvremove",
    "zpool",
    "mke2fs",
    "newfs",
    "hdparm",
    "badblocks",
    "partprobe",
  ].map((name) => [name, diskTool] as const),
  ...[
    "vim",
    "vi",
    "nvim",
    "view",
    "gvim",
    "ex",
    "ed",
    "red",
    "emacs",
    "nano",
    "pico",
    "micro",
    "helix",
    "hx",
    "kak",
    "joe",
    "vimdiff",
    "rvim",
    "emacsclient",
  ].map((name) => [name, editor] as const),
]);
