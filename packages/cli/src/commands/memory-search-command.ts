/** `kedge memory search`: which notes fit a question, by the search that needs no model. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { openCommandMemory } from "@kedge/host/memory";
import { type NoteSearch, openNoteFolder, openTopics } from "@kedge/host/search";
import { isJsonObject, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureSentence } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { outputTaken, writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { readLines } from "../read-lines.ts";
import { type Column, tableText } from "../text-table.ts";
import { memoryTexts } from "../texts/setup.ts";

/** A topic has no line: what is searched of it is not its whole file. */
type FileHit = { readonly file: string; readonly line?: number; readonly score: number };

const limitDefault = 10;
const limitMax = 100;
const lineCharactersMax = 1024 * 1024;

const columns: readonly Column<FileHit>[] = [
  {
    title: memoryTexts.file,
    align: "left",
    text: ({ file, line }) => `${showTerminalControls(file)}${line === undefined ? "" : `:${line}`}`,
  },
  { title: memoryTexts.score, align: "right", text: ({ score }) => score.toFixed(2) },
];

export async function runMemorySearch(words: readonly string[], flags: Flags): Promise<number> {
  const question = words.join(" ").trim();
  if (question === "" && !flags.jsonl) {
    writeNotice(memoryTexts.searchUsage);
    return exitCodes.usage;
  }
  const opened = flags.dir === undefined ? await openMemoryNotes(flags) : openFolder(flags.dir);
  if ("exitCode" in opened) {
    writeNotice(opened.why);
    return opened.exitCode;
  }
  if (flags.jsonl) return answerLines(opened);
  const hits = hitsFor(opened, question, flags.limit);
  if (flags.json) writeResult(`${JSON.stringify(hits)}\n`);
  else if (hits.length === 0) writeDiagnostic(memoryTexts.noResults(JSON.stringify(question)));
  else writeResult(tableText(columns, hits));
  return exitCodes.success;
}

type Searched = { readonly notes: NoteSearch; readonly hasLines: boolean };
type Opened = Searched | { readonly exitCode: number; readonly why: string };

function openFolder(given: string): Opened {
  const directory = resolve(readSurroundings().cwd, given);
  return statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true
    ? { notes: openNoteFolder(directory), hasLines: true }
    : { exitCode: exitCodes.usage, why: memoryTexts.notADirectory(directory) };
}

async function openMemoryNotes(flags: Flags): Promise<Opened> {
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings, {});
  if (!opened.ok) return { exitCode: exitCodes.error, why: failureSentence(opened.failure) };
  const memory = await openCommandMemory({ ...opened, ...surroundings });
  if (memory.place.state !== "on") return { exitCode: exitCodes.error, why: memoryTexts.memoryOff(memory.place.why) };
  return { notes: await openTopics(memory), hasLines: false };
}

/** Answers each line as it comes, so that a program can ask one thing after the other. */
async function answerLines(searched: Searched): Promise<number> {
  let isSound = true;
  for await (const { text } of readLines(process.stdin, { charactersMax: lineCharactersMax })) {
    if (text?.trim() === "") continue;
    const asked = parsed(text);
    const { id, query, limit } = isJsonObject(asked) ? asked : {};
    const isQuestion = typeof query === "string";
    if (!isQuestion) isSound = false;
    const hits = isQuestion && { hits: hitsFor(searched, query, typeof limit === "number" ? limit : undefined) };
    const answer = { ...(id !== undefined && { id }), ...(hits || { error: memoryTexts.lineForm }) };
    if (writeResult(`${JSON.stringify(answer)}\n`) === "reader-gone") break;
    await outputTaken(exitCodes.success);
  }
  return isSound ? exitCodes.success : exitCodes.error;
}

function hitsFor({ notes, hasLines }: Searched, question: string, limit: number = limitDefault): readonly FileHit[] {
  const hits = notes.search(question, Math.min(Math.max(0, Math.floor(limit)), limitMax));
  return hits.map(({ id, line, score }) => {
    return { file: id, ...(hasLines && { line }), score: Math.round(score * 1_000) / 1_000 };
  });
}

function parsed(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? "");
  } catch (error) {
    // The line came from another program, and the answer says what was expected.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
