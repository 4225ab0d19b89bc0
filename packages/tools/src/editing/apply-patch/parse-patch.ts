/** Turns the text of a patch into changes of files: finds out its form, forgives its wrapping, checks its sense. */
import { byteOrderMark } from "../../file-content.ts";
import { objectToHunks } from "./hunk-draft.ts";
import { isEnvelopeBegin, isEnvelopeEnd, isFileMarker, noEnd, parseEnvelope } from "./parse-envelope.ts";
import { isUnifiedStart, parseUnifiedDiff } from "./parse-unified-diff.ts";
import type { FilePatch, ParsedPatch } from "./patch.ts";

const filesMax = 100;
const patchCharactersMax = 5 * 1_024 * 1_024;

export function parsePatch(patch: string): ParsedPatch {
  const refuse = (problem: string): ParsedPatch => ({ ok: false, problem });
  if (patch.length > patchCharactersMax)
    return refuse(`The patch is longer than ${patchCharactersMax} characters; send it in parts.`);
  const parsed = parseLines(unwrap(patch));
  if (!parsed.ok) return parsed;
  const files = mergeUpdates(parsed.files);
  if (files.length === 0) return refuse("The patch contains no file; add at least one *** Update File: path section.");
  if (files.length > filesMax)
    return refuse(`The patch touches ${files.length} files; at most ${filesMax} are possible. Send it in parts.`);
  for (const file of files) {
    const objection = objectToHunks(file);
    if (objection !== undefined) return refuse(objection);
  }
  return { ok: true, files };
}

/** What stands before the first header, such as a sentence or a shell command, is no part of the patch. */
function parseLines({ lines, blankTail }: Unwrapped): ParsedPatch {
  for (const [index, line] of lines.entries()) {
    if (isEnvelopeBegin(line)) return parseInside(lines, index);
    if (isFileMarker(line)) return parseEnvelope(lines, index);
    if (isUnifiedStart(line, lines[index + 1])) return parseUnifiedDiff(lines, index, blankTail);
  }
  const problem =
    "The patch contains no file. Begin with *** Begin Patch and *** Update File: path, or with --- a/path and +++ b/path.";
  return { ok: false, problem };
}

/** Some models put a unified diff between the marks of the other form. */
function parseInside(lines: readonly string[], first: number): ParsedPatch {
  const inside = lines.findIndex((line, index) => index > first && line.trim() !== "");
  if (!isUnifiedStart(lines[inside] ?? "", lines[inside + 1])) return parseEnvelope(lines, first);
  const end = lines.findLastIndex(isEnvelopeEnd);
  return end === -1 ? { ok: false, problem: noEnd } : parseUnifiedDiff(lines.slice(0, end), inside, 0);
}

type Unwrapped = { readonly lines: readonly string[]; readonly blankTail: number };

/** Takes off a code fence, and carriage returns if they belong to the patch and not to what it adds. */
function unwrap(patch: string): Unwrapped {
  const text = patch.startsWith(byteOrderMark) ? patch.slice(1) : patch;
  const lines = text.split("\n");
  const ownReturns = lines[0]?.endsWith("\r") === true;
  const plain = ownReturns ? lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) : lines;
  const kept = plain.findLastIndex((line) => line.trim() !== "") + 1;
  const blankTail = plain.length - kept;
  plain.length = kept;
  if (plain.find((line) => line.trim() !== "")?.startsWith("```") === true && /^```\s*$/.test(plain.at(-1) ?? ""))
    plain.pop();
  return { lines: plain, blankTail };
}

/** Models write several sections about one file now and then; their hunks all refer to the file as it is. */
function mergeUpdates(files: readonly FilePatch[]): readonly FilePatch[] {
  const merged = new Map<string, number>();
  const result: FilePatch[] = [];
  for (const file of files) {
    const index = merged.get(file.path);
    const earlier = index === undefined ? undefined : result[index];
    if (index === undefined || earlier?.kind !== "update" || file.kind !== "update") {
      if (file.kind === "update") merged.set(file.path, result.length);
      result.push(file);
      continue;
    }
    const moveTo = file.moveTo ?? earlier.moveTo;
    const hunks = [...earlier.hunks, ...file.hunks];
    result[index] = { kind: "update", path: file.path, hunks, ...(moveTo !== undefined && { moveTo }) };
  }
  return result;
}
