/** Commands that start others in a way of their own: `env`, `xargs`, `parallel`, `script`, `flock`, `su`. */
import type { ShellWord } from "../../shell-command.ts";
import {
  addFile,
  addInnerWords,
  addJoinedScript,
  addScript,
  type Findings,
  literalWord,
  type Refine,
  type RowProgram,
  unknownWord,
} from "../program-call.ts";
import { findOption, hasOption, type ReadWords } from "../read-options.ts";
import { takeAssignments } from "../shapes/wrapper.ts";
import { findProducedWords, type InputDivision } from "./produced-words.ts";

const env: Refine = ({ read }, findings) => {
  const split = findOption(read, "-S", "--split-string")?.value;
  // A single dash means `-i`.
  const operands = read.operands[0]?.text === "-" ? read.operands.slice(1) : read.operands;
  const words = split === undefined ? operands : [...splitWords(split.word, split.text), ...operands];
  const { rest } = takeAssignments(words, true, findings);
  const directory = findOption(read, "-C", "--chdir")?.value?.word;
  if (rest.length === 0) {
    findings.looksAt = "machine";
    findings.readOnly = read.options.every((option) => option.rule !== undefined);
    return;
  }
  addInnerWords(findings, rest, directory);
  const isHarmless = read.options.every((option) => option.rule !== undefined);
  findings.isTransparent = split === undefined && isHarmless && read.untrusted.length === 0;
};

/** `env -S` splits like a shell would, up to quotes and blanks. */
function splitWords(word: ShellWord, text: string): readonly ShellWord[] {
  if (!word.isLiteral || text.includes("$")) return [unknownWord(text)];
  const parts = text.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs) ?? [];
  return parts.map((part) => literalWord(part.replace(/\\(.)|["']/gs, "$1")));
}

const xargs: Refine = (call, findings) => {
  const { read } = call;
  const [program] = read.operands;
  if (program === undefined) {
    findings.readOnly = findings.riskyOptions.length === 0;
    return;
  }
  if (read.options.every(({ rule }) => rule !== undefined) && !hasOption(read, "-p", "-o"))
    findings.looksThrough = true;
  const replacing = findOption(read, "-I", "-i", "--replace", "-J");
  const mark = replacing === undefined ? undefined : (replacing.value?.text ?? "{}");
  const isFromFile = hasOption(read, "-a", "--arg-file");
  // Nothing is typed into a command that a machine started.
  const isSilent = !isFromFile && call.command.input.kind === "inherited";
  const given = isFromFile ? undefined : findProducedWords(call.command.input, divisionOf(read, mark));
  if (mark === undefined) {
    addInnerWords(findings, [...read.operands, ...(isSilent ? [] : (given ?? [unknownWord("{}")]))]);
    return;
  }
  addReplaced(read.operands, mark, given, findings);
};

function divisionOf(read: ReadWords, mark: string | undefined): InputDivision {
  const delimiter = findOption(read, "-d", "--delimiter")?.value?.text;
  if (delimiter !== undefined) return /^(?:\n|\\n)$/.test(delimiter) ? "lines" : "other";
  if (hasOption(read, "-0", "--null")) return "NUL";
  return mark === undefined ? "words" : "lines";
}

/** Each line of the input takes the place of the mark. */
function addReplaced(
  words: readonly ShellWord[],
  mark: string,
  given: readonly ShellWord[] | undefined,
  findings: Findings,
): void {
  const isMarked = words.some((word) => word.text.includes(mark));
  if (!isMarked) {
    addInnerWords(findings, words);
    return;
  }
  const items = given !== undefined && given.length > 0 ? given : [unknownWord("{}")];
  for (const item of items) {
    addInnerWords(
      findings,
      words.map((word) => {
        if (!word.text.includes(mark)) return word;
        const text = word.text.replaceAll(mark, () => item.text);
        // A name of a file within code can be code itself.
        return item.isGlob && /[\s;&|<>()$`]/.test(text) ? unknownWord(text) : { ...item, text };
      }),
    );
  }
  // The words as written too, so that a rule against the code of `sh -c 'rm {}'` meets it.
  if (items.some((item) => !item.isLiteral)) addInnerWords(findings, words);
}

const listedMax = 20;

/** The command once for each listed argument; an argument from elsewhere stands as a variable nobody knows. */
function addGivenTo(own: readonly ShellWord[], listed: readonly ShellWord[] | undefined, findings: Findings): void {
  const isKnown = listed !== undefined && listed.length <= listedMax && listed.every((word) => word.isLiteral);
  const values = isKnown ? listed.map((word) => `'${word.text.replaceAll("'", "'\\''")}'`) : ['"$1"'];
  for (const value of values) {
    const hasPlace = own.some((word) => word.text.includes("{}"));
    const filled = own.map((word) => ({ ...word, text: word.text.replaceAll("{}", () => value) }));
    addJoinedScript(findings, hasPlace ? filled : [...filled, literalWord(value)]);
  }
}

const parallel: Refine = ({ read, command }, findings) => {
  const words = read.operands;
  const end = words.findIndex((word) => /^:::?:?\+?$/.test(word.text));
  const own = end < 0 ? words : words.slice(0, end);
  const isListed = end >= 0 && /^:::\+?$/.test(words[end]?.text ?? "");
  if (own.length > 0) {
    addGivenTo(own, isListed ? words.slice(end + 1) : undefined, findings);
    return;
  }
  if (isListed) {
    for (const word of words.slice(end + 1)) addScript(findings, word);
    return;
  }
  if (command.input.kind === "text" && command.input.text !== undefined) {
    findings.inner.push({ kind: "script", text: command.input.text });
    return;
  }
  findings.unknown = "it runs commands from its input, which kedge cannot see";
};

const script: Refine = ({ read }, findings) => {
  const [file, ...rest] = read.operands;
  if (file !== undefined) addFile(findings, "write", file);
  if (hasOption(read, "-c", "--command", "-p")) return;
  if (rest.length > 0) addInnerWords(findings, rest);
  else findings.unknown = "it starts a shell whose commands are not visible";
};

const flock: Refine = ({ read }, findings) => {
  const [, ...rest] = read.operands;
  if (rest[0]?.text === "-c" || rest[0]?.text === "--command") {
    if (rest[1] !== undefined) addScript(findings, rest[1]);
  } else addInnerWords(findings, rest);
};

const su: Refine = ({ read }, findings) => {
  if (hasOption(read, "-c", "--session-command")) return;
  if (hasOption(read, "-u")) return addInnerWords(findings, read.operands);
  findings.unknown = "it starts a shell whose commands are not visible";
};

const busybox: RowProgram = ({ words }, findings) => {
  findings.suggestedWords = 0;
  if (words.length === 0 || /^--(list|help|list-full)$/.test(words[0]?.text ?? "")) {
    findings.readOnly = true;
    return;
  }
  addInnerWords(findings, words[0]?.text === "--install" ? [literalWord("install"), ...words.slice(1)] : words);
};

/** How many words the options of `bwrap` take; those not listed take none. */
const bwrapValues: ReadonlyMap<string, number> = new Map([
  ...[
    "args userns userns2 pidns uid gid hostname chdir unsetenv lock-file sync-fd seccomp add-seccomp-fd block-fd",
    "userns-block-fd info-fd json-status-fd cap-add cap-drop exec-label file-label proc dev tmpfs mqueue dir",
    "remount-ro overlay-src tmp-overlay ro-overlay perms size level-prefix argv0",
  ]
    .join(" ")
    .split(" ")
    .map((name) => [`--${name}`, 1] as const),
  ...[
    "bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try bind-fd ro-bind-fd setenv file bind-data ro-bind-data",
    "symlink chmod",
  ]
    .join(" ")
    .split(" ")
    .map((name) => [`--${name}`, 2] as const),
  ["--overlay", 3],
]);

const bwrap: RowProgram = ({ words }, findings) => {
  findings.suggestedWords = 0;
  let index = 0;
  while (words[index]?.text.startsWith("--") && words[index]?.text !== "--") {
    index += 1 + (bwrapValues.get(words[index]?.text ?? "") ?? 0);
  }
  const before = words.slice(0, index);
  if (before.some((word) => word.text === "--args" || (word.isSplit && !word.isLiteral))) {
    findings.unknown = "its options are not visible, so neither is the command";
  }
  addInnerWords(findings, words.slice(words[index]?.text === "--" ? index + 1 : index));
};

/** Jobs that run later, from their input or a file. */
const at: Refine = (call, findings) => {
  if (hasOption(call.read, "-l", "-c", "-d", "-r", "-f")) return;
  const { input } = call.command;
  if (input.kind === "text" && input.text !== undefined) findings.inner.push({ kind: "script", text: input.text });
  else findings.unknown = "it later runs commands from its input, which kedge cannot see";
};

const crontab: Refine = ({ read }, findings) => {
  const onlyLists = read.options.every(({ name }) => name === "-l" || name === "-u");
  if (hasOption(read, "-l") && onlyLists && read.operands.length === 0) findings.readOnly = true;
  else findings.concerns.push("it changes commands that run later on their own");
  for (const word of read.operands) addFile(findings, "read", word);
};

const entr: Refine = ({ read }, findings) => {
  if (hasOption(read, "-s")) addJoinedScript(findings, read.operands);
  else addInnerWords(findings, read.operands);
};

const hyperfine: Refine = ({ read }, findings) => {
  for (const word of read.operands) addScript(findings, word);
};

export const runnerCode = { bwrap, busybox };

export const runnerRefinements = { env, xargs, parallel, script, flock, su, at, crontab, entr, hyperfine };
