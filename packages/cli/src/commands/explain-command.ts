/** `kedge explain …`: what would be decided about a call, a path, an address, a text or a script, by which rule, and why. */
import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { findAddedDirectories } from "@kedge/host";
import {
  createExplainer,
  type ExplainedSubject,
  explainedSubjects,
  readToolCatalogue,
  scriptBytesMax,
} from "@kedge/host/explain";
import { type JsonObject, reasonOf, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readPipedInput } from "../headless/standard-input.ts";
import { openRules } from "../opening/open-rules.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { outputTaken, writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { readLines } from "../read-lines.ts";
import { explainTexts } from "../texts/setup.ts";

const usage = [
  explainTexts.permission,
  explainTexts.path,
  explainTexts.url,
  explainTexts.text,
  explainTexts.tools,
  explainTexts.script,
  explainTexts.orLines,
].join("\n       ");

const lineCharactersMax = 10 * 1024 * 1024;
const tooLong = explainTexts.lineTooLong(lineCharactersMax);

/** `words` are what stood after `explain`. */
export async function runExplainCommand([word, ...rest]: readonly string[], flags: Flags): Promise<number> {
  if (word === "tools") return explainTools(rest.join(" "), flags);
  const subject = explainedSubjects.find((each) => each === word);
  if (subject === undefined || (rest.length === 0 && !flags.jsonl)) {
    writeNotice(explainTexts.usage(usage));
    return exitCodes.usage;
  }
  const opened = await openRules(flags, readSurroundings());
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const added = findAddedDirectories(flags.addDir ?? [], opened.surroundings.cwd);
  if (!added.ok) {
    writeDiagnostic(failureText(added.failure));
    return exitCodes.usage;
  }
  const web = { now: () => performance.now() };
  const explainer = createExplainer({ ...opened.surroundings, addedDirectories: added.directories, lookUp, web });
  if (flags.jsonl) return answerLines((asked) => explainer.answer(subject, asked));
  const isPiped = subject === "script" && rest[0] === "-";
  const question = isPiped ? await readScriptInput() : questionFrom(subject, rest);
  const answer = await explainer.answer(subject, question);
  writeResult(flags.json ? `${JSON.stringify(answer)}\n` : answerText(answer));
  if (subject === "script") return scriptExitCode(answer);
  return "error" in answer ? exitCodes.error : exitCodes.success;
}

type Answer = (question: unknown) => Promise<JsonObject>;

/** Which tools of a catalogue a search would find. */
async function explainTools(query: string, flags: Flags): Promise<number> {
  if (flags.catalogue === undefined || (query === "" && !flags.jsonl)) {
    writeNotice(explainTexts.usage(usage));
    return exitCodes.usage;
  }
  const catalogue = await openToolCatalogue(flags.catalogue);
  if (!catalogue.ok) {
    writeNotice(`${flags.catalogue}: ${catalogue.problem}`);
    return exitCodes.usage;
  }
  if (flags.jsonl) return answerLines(catalogue.answer);
  const answer = await catalogue.answer({ query });
  writeResult(flags.json ? `${JSON.stringify(answer)}\n` : namesText(answer));
  return "error" in answer ? exitCodes.error : exitCodes.success;
}

async function openToolCatalogue(path: string): Promise<ReturnType<typeof readToolCatalogue>> {
  try {
    return readToolCatalogue(await readFile(path, "utf8"));
  } catch (error) {
    return { ok: false, problem: reasonOf(error) };
  }
}

function namesText({ names, error }: JsonObject): string {
  if (!Array.isArray(names)) return `${String(error)}\n`;
  return names.length === 0 ? explainTexts.noTools : `${showTerminalControls(names.join("\n"))}\n`;
}

/** As tools that check files have it: 1 for what a person should look at, 2 for what could not be read. */
function scriptExitCode({ findings }: JsonObject): number {
  if (!Array.isArray(findings)) return exitCodes.usage;
  const isGrave = (findings as readonly JsonObject[]).some(({ severity }) => severity !== "low");
  return isGrave ? exitCodes.error : exitCodes.success;
}

async function readScriptInput(): Promise<JsonObject> {
  const input = await readPipedInput({ mayWait: true });
  if (input.kind === "text") return { script: input.text };
  // More than is read here is more than a script may have.
  return input.kind === "too-large" ? { script: " ".repeat(scriptBytesMax + 1) } : { script: "" };
}

async function lookUp(name: string): Promise<readonly string[] | undefined> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    // Without a network only the text of the address can be judged.
    return undefined;
  }
}

function questionFrom(subject: ExplainedSubject, [first = "", ...rest]: readonly string[]): JsonObject {
  switch (subject) {
    case "permission":
      return { tool: first, command: rest.join(" ") };
    case "path":
      return { path: first };
    case "url":
      return { url: first };
    case "text":
      return { text: [first, ...rest].join(" ") };
    case "script":
      return { source: first };
  }
}

/** Answers each line as it comes, so that a program can ask one thing after the other. */
async function answerLines(answer: Answer): Promise<number> {
  let isSound = true;
  for await (const { text } of readLines(process.stdin, { charactersMax: lineCharactersMax })) {
    if (text?.trim() === "") continue;
    const answered = text === undefined ? unanswered(tooLong) : await answerLine(text, answer);
    if (!answered.isSound) isSound = false;
    if (writeResult(`${answered.text}\n`) === "reader-gone") break;
    await outputTaken(exitCodes.success);
  }
  return isSound ? exitCodes.success : exitCodes.error;
}

type Answered = { readonly text: string; readonly isSound: boolean };

/** Whatever is wrong with one line is the answer to it, and never keeps the next one from its own. */
async function answerLine(line: string, answer: Answer): Promise<Answered> {
  try {
    const question = parseLine(line);
    if (!question.ok) return unanswered(question.problem);
    const answered = await answer(question.value);
    return { text: JSON.stringify(answered), isSound: !("error" in answered) };
  } catch (error) {
    return unanswered(explainTexts.notAnswered(reasonOf(error)));
  }
}

function unanswered(error: string): Answered {
  return { text: JSON.stringify({ error }), isSound: false };
}

function parseLine(line: string): { readonly ok: true; readonly value: unknown } | { ok: false; problem: string } {
  try {
    return { ok: true, value: JSON.parse(line) };
  } catch {
    return { ok: false, problem: explainTexts.notJson(line.slice(0, 100)) };
  }
}

function answerText(answer: JsonObject): string {
  const { verdict, why, parts, error, neutralised, flagged, findings } = answer;
  if (typeof error === "string") return `${error}\n`;
  if (typeof neutralised === "string") {
    return `${flagged ? explainTexts.suspicious : explainTexts.nothingSuspicious}\n${showTerminalControls(neutralised)}\n`;
  }
  if (Array.isArray(findings)) return findingsText(findings as readonly JsonObject[]);
  const lines = [`${String(verdict)}${typeof why === "string" ? `: ${showTerminalControls(why)}` : ""}`];
  if (Array.isArray(parts)) {
    for (const part of parts as readonly JsonObject[]) {
      const { permission, text, verdict: one, why: reason } = part;
      lines.push(`  ${String(one).padEnd(5)}  ${permission} ${showTerminalControls(String(text))}`);
      lines.push(`         ${showTerminalControls(String(reason))}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function findingsText(findings: readonly JsonObject[]): string {
  if (findings.length === 0) return explainTexts.noFindings;
  const lines = findings.flatMap(({ severity, rule, line, text, why }) => [
    explainTexts.finding(String(line), String(severity), showTerminalControls(String(why)), String(rule)),
    `  ${showTerminalControls(String(text))}`,
  ]);
  return `${lines.join("\n")}\n`;
}
