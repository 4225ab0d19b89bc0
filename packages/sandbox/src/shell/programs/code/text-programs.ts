/** Programs whose first operand is a small program: `sed`, `awk`, `jq`. */
import type { ShellWord } from "../../shell-command.ts";
import {
  addFile,
  addRisk,
  type Findings,
  literalWord,
  type ReadCall,
  type Refine,
  type RowProgram,
  unknownWord,
} from "../program-call.ts";
import { hasOption, type ReadWords } from "../read-options.ts";
import { readRow } from "../shapes/ordinary-program.ts";
import { readAwkScript } from "./awk-script.ts";
import { readSedScript } from "./sed-script.ts";

const sed: Refine = (call, findings) => {
  const { read } = call;
  const given = findGivenTexts(call, ["-e", "--expression"], ["-f", "--file"]);
  const isInPlace = hasOption(read, "-i", "-I");
  for (const word of given.operands) {
    addFile(findings, isInPlace ? "write" : "read", word);
  }
  if (given.words.some((word) => !word.isLiteral)) return blur(findings, "the sed script is put together when it runs");
  if (given.words.length > 0) addSedDeeds(given.texts.join("\n"), findings);
};

function addSedDeeds(text: string, findings: Findings): void {
  const deeds = readSedScript(text);
  if (!deeds.isClear) blur(findings, "the sed script is not understood");
  for (const path of deeds.reads) addFile(findings, "read", literalWord(path));
  for (const path of deeds.writes) {
    if (isStream(path)) continue;
    addRisk(findings, [text], "the sed script writes a file");
    addFile(findings, "write", literalWord(path));
    findings.readOnly = false;
  }
  addRuns(deeds.runs, [text], "the sed script runs a command", findings);
}

function addRuns(
  runs: readonly (string | undefined)[],
  spellings: readonly string[],
  why: string,
  findings: Findings,
): void {
  for (const code of runs) {
    // `system("")` only flushes.
    if (code === "") continue;
    addRisk(findings, spellings, why);
    findings.readOnly = false;
    if (code === undefined) findings.inner.push({ kind: "unknown", why: `${why} that is not visible` });
    else findings.inner.push({ kind: "script", text: code });
  }
}

function isStream(path: string): boolean {
  return /^\/dev\/(stdout|stderr|null|fd\/[12])$/.test(path);
}

function blur(findings: Findings, why: string): void {
  findings.concerns.push(why);
  findings.readOnly = false;
}

type GivenTexts = {
  readonly words: readonly ShellWord[];
  readonly texts: readonly string[];
  readonly operands: readonly ShellWord[];
};

/** The program text: from options, or else the first operand, unless a file gives it. */
function findGivenTexts({ read }: ReadCall, textNames: readonly string[], fileNames: readonly string[]): GivenTexts {
  const values = read.options.flatMap((option) =>
    option.value !== undefined && textNames.includes(option.name) ? [option.value] : [],
  );
  if (values.length > 0 || hasOption(read, ...fileNames)) {
    return {
      words: values.map((value) => value.word),
      texts: values.map((value) => value.text),
      operands: read.operands,
    };
  }
  const [first, ...operands] = read.operands;
  return first === undefined
    ? { words: [], texts: [], operands: [] }
    : { words: [first], texts: [first.text], operands };
}

const awk: Refine = (call, findings) => {
  const given = findGivenTexts(call, ["-e", "--source"], ["-f", "--file", "-E", "--exec"]);
  for (const word of given.operands) if (!/^\w+=/.test(word.text)) addFile(findings, "read", word);
  if (given.words.some((word) => !word.isLiteral))
    return blur(findings, "the awk program is put together when it runs");
  const text = given.texts.join("\n");
  const deeds = readAwkScript(text);
  if (!deeds.isClear) blur(findings, "the awk program is not understood");
  addRuns(deeds.runs, [text], "the awk program runs a command", findings);
  for (const path of deeds.reads)
    addFile(findings, "read", path === undefined ? unknownWord("getline <") : literalWord(path));
  for (const path of deeds.writes) {
    if (path !== undefined && isStream(path)) continue;
    addRisk(findings, [text], "the awk program writes a file");
    addFile(findings, "write", path === undefined ? unknownWord("print >") : literalWord(path));
    findings.readOnly = false;
  }
  if (deeds.loads) {
    addRisk(findings, [text], "the awk program loads other code");
    findings.readOnly = false;
  }
};

/** Options of jq that take two values, a name and a text or file. */
const jqPairs: Readonly<Record<string, "text" | "read">> = {
  "--arg": "text",
  "--argjson": "text",
  "--slurpfile": "read",
  "--rawfile": "read",
  "--argfile": "read",
};

function judgeJq(read: ReadWords, findings: Findings): void {
  const takesAll = hasOption(read, "-f", "--from-file");
  for (const word of takesAll ? read.operands : read.operands.slice(1)) addFile(findings, "read", word);
  const program = takesAll ? undefined : read.operands[0];
  if (program === undefined) return;
  if (!program.isLiteral || /\b(input_filename|import|include)\b/.test(program.text)) findings.readOnly = false;
}

const jq: RowProgram = (call, findings) => {
  const words: ShellWord[] = [];
  for (let index = 0; index < call.words.length; index += 1) {
    const word = call.words[index];
    if (word === undefined) break;
    const use = Object.hasOwn(jqPairs, word.text) ? jqPairs[word.text] : undefined;
    if (use === undefined) {
      words.push(word);
      continue;
    }
    const value = call.words[index + 2];
    if (use === "read" && value !== undefined) addFile(findings, "read", value);
    index += 2;
  }
  judgeJq(readRow({ ...call, words }, findings), findings);
};

export const textCode = { jq };

export const textRefinements = { sed, awk };
