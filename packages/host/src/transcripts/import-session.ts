/** Reads a session from a file: kedge's own export, or a transcript of another program, told apart by their content. */
import { isClaudeLine, readClaudeTranscript } from "./claude-transcript.ts";
import { isCodexLine, readCodexTranscript } from "./codex-transcript.ts";
import { type ConversationBuilder, createConversationBuilder, type ForeignParts } from "./conversation-builder.ts";
import { countFacts } from "./fact-list.ts";
import { importOwn, isOwnExport } from "./import-own.ts";
import {
  createSkipCounter,
  type ImportOutcome,
  type ImportParts,
  type SkipCounter,
  type TranscriptFormat,
} from "./import-types.ts";
import { jsonFormatName } from "./json-export.ts";
import { isOpencodeExport, readOpencodeExport } from "./opencode-transcript.ts";
import {
  createLineReader,
  type InputLimits,
  type InputLine,
  inputLimits,
  parseLine,
  readObjects,
  type TranscriptInput,
  type UnknownObject,
} from "./read-input.ts";

/** So many objects may come before the first that tells whose transcript it is. */
const objectsBeforeKnownMax = 50;

const unknownFormat =
  "Not a kedge export or a transcript of Claude Code, Codex or OpenCode. Pass a file written by one of them.";
const ownTranscript = "A kedge JSONL transcript cannot be imported. Export the session with --format json instead.";

/** Never throws for what the input holds; reading it may fail as any reading does. */
export async function importSession(
  input: TranscriptInput,
  parts: ImportParts,
  limits: InputLimits = inputLimits,
): Promise<ImportOutcome> {
  const reader = createLineReader(input, limits);
  const outcome = await importLines(reader.lines, parts, () => reader.longLines());
  if (!reader.isTooLarge()) return outcome;
  const megabytes = Math.floor(limits.bytesMax / 1024 / 1024);
  return { ok: false, sentence: `The file is larger than ${megabytes} MB. Export it without tool output.` };
}

async function importLines(
  lines: AsyncIterator<InputLine>,
  parts: ImportParts,
  longLines: () => number,
): Promise<ImportOutcome> {
  const first = await firstLine(lines);
  if (first === undefined) return { ok: false, sentence: "The file is empty." };
  const object = parseLine(first.text);
  const isDocument =
    object === undefined ? beginsDocument(first.text) : isOwnExport(object) || isOpencodeExport(object);
  if (!isDocument) return importTranscript(chain(first, lines), parts, longLines);
  const document = object ?? parseLine(await joinLines(first, lines));
  if (document === undefined) return { ok: false, sentence: "The file is not complete JSON. Export it again." };
  if (isOwnExport(document)) return importOwn(document, parts);
  if (!isOpencodeExport(document)) return { ok: false, sentence: unknownFormat };
  const skipped = createSkipCounter();
  const read = async (foreign: ForeignParts) => readOpencodeExport(document, foreign);
  return importForeign({ format: "opencode", skipped, longLines, read }, parts);
}

async function firstLine(lines: AsyncIterator<InputLine>): Promise<InputLine | undefined> {
  for (;;) {
    const next = await lines.next();
    if (next.done) return undefined;
    if (next.value.text.trim() !== "") return { ...next.value, text: next.value.text.replace(/^\uFEFF/, "") };
  }
}

/** A line that is no object by itself, but may be the beginning of one. */
function beginsDocument(text: string): boolean {
  return text.trim() === "{" || text.startsWith(`{"format":"${jsonFormatName}"`);
}

async function* chain(first: InputLine, rest: AsyncIterator<InputLine>): AsyncGenerator<InputLine> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function joinLines(first: InputLine, rest: AsyncIterator<InputLine>): Promise<string> {
  const texts: string[] = [];
  for await (const { text } of chain(first, rest)) texts.push(text);
  return texts.join("\n");
}

async function importTranscript(
  lines: AsyncIterable<InputLine>,
  parts: ImportParts,
  longLines: () => number,
): Promise<ImportOutcome> {
  const skipped = createSkipCounter();
  const objects = readObjects(lines, skipped);
  const seen: UnknownObject[] = [];
  while (seen.length < objectsBeforeKnownMax) {
    const next = await objects.next();
    if (next.done) break;
    const object = next.value;
    seen.push(object);
    if (typeof object["sessionId"] === "string" && "parentUuid" in object)
      return { ok: false, sentence: ownTranscript };
    const format = isCodexLine(object) ? "codex" : isClaudeLine(object) ? "claude-code" : undefined;
    if (format === undefined) continue;
    const readLines = format === "codex" ? readCodexTranscript : readClaudeTranscript;
    const read = (foreign: ForeignParts) => readLines(all(seen, objects), foreign);
    return importForeign({ format, skipped, longLines, read }, parts);
  }
  return { ok: false, sentence: unknownFormat };
}

async function* all(seen: readonly UnknownObject[], rest: AsyncIterable<UnknownObject>): AsyncGenerator<UnknownObject> {
  yield* seen;
  yield* rest;
}

type ForeignReading = {
  readonly format: Exclude<TranscriptFormat, "kedge">;
  readonly skipped: SkipCounter;
  readonly longLines: () => number;
  readonly read: (foreign: ForeignParts) => Promise<ConversationBuilder>;
};

async function importForeign(reading: ForeignReading, parts: ImportParts): Promise<ImportOutcome> {
  const { format, skipped, longLines, read } = reading;
  let sourceSessionId = "";
  const open: ForeignParts["open"] = (session) => {
    sourceSessionId = session.sessionId;
    return createConversationBuilder(parts, { ...session, skipped });
  };
  const { facts, times, title } = (await read({ open, skipped, now: parts.now })).finish();
  if (longLines() > 0) skipped.add("lines that are too long", longLines());
  const counts = countFacts(facts);
  if (counts.prompts + counts.answers === 0) {
    return { ok: false, sentence: "This transcript contains no conversation. Nothing to import." };
  }
  const report = { format, sourceSessionId, title, ...counts, skipped: skipped.list(), notes: [] };
  return { ok: true, facts, times, report };
}
