/** From the files that were found to what the model is told: read, included, made plain, each text once, each with a reason. */
import { hash as digest } from "node:crypto";
import { dirname, relative, sep } from "node:path";
import { findIncludes, type IncludeToken, isIncludable } from "./includes.ts";
import {
  type InstructionCandidate,
  type InstructionEntry,
  type InstructionStatus,
  plainName,
  tokensOf,
} from "./instruction-entry.ts";
import { modelMemoryPattern } from "./instruction-places.ts";
import { charactersMax, type PreparedText, prepareText } from "./prepare-text.ts";
import { type FileText, readInstructionFile } from "./read-file.ts";

export type LoadParts = {
  /** Of the worktree: what lies outside of it needs an approval. */
  readonly root: string;
  readonly home: string;
  /** Whether the project's own files may be loaded at all; asked only where there are some. */
  readonly isTrusted: () => boolean;
  /** Whether the user let this project include a file outside of it, by its real path. */
  readonly isApproved: (target: string) => boolean;
  /** Whether an agent wrote this content of the file without an answer of the user. */
  readonly isUnaccepted: (path: string, hash: string) => boolean;
  readonly redact: (text: string) => string;
  /** Texts that are loaded already: real paths and hashes. A file among them is not loaded again. */
  readonly known?: { readonly paths: ReadonlySet<string>; readonly hashes: ReadonlySet<string> };
};

export const untrustedReason = "project not trusted; run kedge trust add";
const unacceptedReason = "written by an agent; accept it with kedge instructions accept";

const hopsMax = 5;
/** More is not read at all, so that no project can hold up a session by its mass. */
const bytesMax = 8 * 1024 * 1024;
const tooMuch: FileText = { ok: false, why: `more than ${bytesMax / 1_048_576} MB of instruction files` };
const stickyCharactersMax = 4_000;

type Loading = {
  readonly parts: LoadParts;
  /** In the order in which the model reads them. */
  readonly entries: LoadedFile[];
  /** Real paths. */
  readonly processed: Set<string>;
  bytesRead: number;
};

type LoadedFile = { entry: InstructionEntry; readonly realPath: string };

/** Every candidate and every file it includes, in the order in which the model reads them. */
export function loadInstructions(
  candidates: readonly InstructionCandidate[],
  parts: LoadParts,
): readonly InstructionEntry[] {
  const loading: Loading = { parts, entries: [], processed: new Set(), bytesRead: 0 };
  for (const candidate of candidates) loadCandidate(candidate, loading);
  return withoutCopies(loading.entries, parts);
}

function loadCandidate(candidate: InstructionCandidate, loading: Loading): void {
  const { parts } = loading;
  const isOfProject = candidate.tier === "project" || candidate.tier === "local";
  const refused = candidate.refused ?? (isOfProject && !parts.isTrusted() ? untrustedReason : undefined);
  if (refused !== undefined) {
    loading.entries.push({ entry: absent(candidate, refused), realPath: candidate.path });
    return;
  }
  loadFile(candidate, loading, { hops: 0 });
}

type Inclusion = { readonly hops: number; readonly includedBy?: string };

/** Undefined when it is taken in; otherwise why it is not. */
function loadFile(
  candidate: InstructionCandidate,
  loading: Loading,
  { hops, includedBy }: Inclusion,
): string | undefined {
  const { parts, entries, processed } = loading;
  const read = loading.bytesRead > bytesMax ? tooMuch : readInstructionFile(candidate.path);
  if (read.ok) loading.bytesRead += read.bytes;
  const refused = read.ok ? refusalOf(candidate, read.realPath, includedBy, parts) : read.why;
  if (!read.ok || refused !== undefined) {
    // What an include does not lead to is told beside the token, with everything else that was not included.
    if (includedBy === undefined) entries.push({ entry: absent(candidate, refused ?? ""), realPath: candidate.path });
    return refused;
  }
  // Once for all who include it, and so a circle ends.
  if (hops > 0 && processed.has(read.realPath)) return "already loaded";
  processed.add(read.realPath);
  const prepared = prepareText(
    read.text,
    parts.redact,
    candidate.form === "sticky" ? stickyCharactersMax : charactersMax,
  );
  const told =
    candidate.form === "sticky"
      ? nothingTold
      : hops >= hopsMax
        ? tooDeep(candidate, prepared, loading)
        : includeAll(candidate, prepared, loading, hops);
  const hash = hashOf(read.text);
  const isData = candidate.tier !== "managed" && parts.isUnaccepted(candidate.path, hash);
  const entry = entryOf(candidate, { ...read, hash }, prepared, { told, isUnaccepted: isData });
  const file = { entry: includedBy === undefined ? entry : { ...entry, includedBy }, realPath: read.realPath };
  entries.push(file);
  return undefined;
}

/** A text that is no file of this machine. */
export function entryOfText(candidate: InstructionCandidate, text: string, redact: (text: string) => string) {
  if (candidate.refused !== undefined) return absent(candidate, candidate.refused);
  const read = { bytes: Buffer.byteLength(text), hash: hashOf(text) };
  return entryOf(candidate, read, prepareText(text, redact), { told: nothingTold, isUnaccepted: false });
}

/** A link or an include can lead anywhere, also to what nobody meant to show. */
function refusalOf(
  { tier, path, directory }: InstructionCandidate,
  realPath: string,
  includedBy: string | undefined,
  parts: LoadParts,
): string | undefined {
  const isOwn = includedBy === undefined && path === realPath;
  const isOfUser = tier === "user" && (isOwn || isBelow(realPath, parts.home));
  if (tier === "managed" || isOfUser || isBelow(realPath, directory) || isBelow(realPath, parts.root)) return undefined;
  if (parts.isApproved(realPath)) return undefined;
  return `outside the project and not approved; run kedge instructions approve ${plainName(realPath)}`;
}

function includeAll(candidate: InstructionCandidate, { body }: PreparedText, loading: Loading, hops: number): Told {
  const notes: string[] = [];
  const warnings: string[] = [];
  for (const include of includesOf(candidate, body, loading.parts)) {
    const why = isIncludable(include.path) ? includeOne(candidate, include, loading, hops) : "not a text file";
    // Most words after an at sign are no files, and the model has no use for what was not meant.
    const told = why?.startsWith("outside") ? warnings : notes;
    if (why !== undefined) told.push(`${plainName(include.token)} is not included: ${why}`);
  }
  return { notes, warnings };
}

function includeOne(candidate: InstructionCandidate, { path }: IncludeToken, loading: Loading, hops: number) {
  const { tier, source, directory } = candidate;
  const included = { path, tier, source, directory, form: "file" } as const;
  return loadFile(included, loading, { hops: hops + 1, includedBy: candidate.path });
}

/** One sentence for all of them. */
function tooDeep(candidate: InstructionCandidate, { body }: PreparedText, { parts, processed }: Loading): Told {
  const isUnread = (path: string) => {
    const read = readInstructionFile(path);
    return read.ok && !processed.has(read.realPath);
  };
  const [first, ...more] = includesOf(candidate, body, parts).filter(
    ({ path }) => isIncludable(path) && isUnread(path),
  );
  if (first === undefined) return nothingTold;
  const others = more.length === 0 ? "is" : `and ${more.length} more are`;
  return {
    notes: [],
    warnings: [`${plainName(first.token)} ${others} not included: more than ${hopsMax} includes deep`],
  };
}

function includesOf({ path }: InstructionCandidate, body: string, { home }: LoadParts): readonly IncludeToken[] {
  return findIncludes(body.slice(0, charactersMax), { directory: dirname(path), home });
}

/** About the includes of a file. */
type Told = Pick<InstructionEntry, "notes" | "warnings">;

const nothingTold: Told = { notes: [], warnings: [] };

type Circumstances = { readonly told: Told; readonly isUnaccepted: boolean };

function hashOf(text: string): string {
  return digest("sha256", text);
}

function entryOf(
  candidate: InstructionCandidate,
  { bytes, hash }: { readonly bytes: number; readonly hash: string },
  prepared: PreparedText,
  { told, isUnaccepted }: Circumstances,
): InstructionEntry {
  const { text, patterns, problem, cutCharacters, removedCharacters } = prepared;
  const isConditional = candidate.form === "rule" && patterns !== undefined;
  const isModels = modelMemoryPattern.test(candidate.path);
  const { status, why } = judged({ isEmpty: text === "", isModels, isUnaccepted, isConditional, patterns });
  return {
    ...candidate,
    ...{ status, why, text: status === "not-loaded" ? "" : text, hash, bytes },
    ...{ lines: text === "" ? 0 : text.split("\n").length, tokens: status === "not-loaded" ? 0 : tokensOf(text) },
    ...{ cutCharacters, removedCharacters },
    notes: [...told.notes, ...notesOn(candidate, prepared, problem)],
    warnings: [...told.warnings, ...(cutCharacters > 0 ? [cutNote(cutCharacters)] : [])],
    ...(isConditional && { patterns }),
  };
}

function judged(found: {
  readonly isEmpty: boolean;
  readonly isModels: boolean;
  readonly isUnaccepted: boolean;
  readonly isConditional: boolean;
  readonly patterns: readonly string[] | undefined;
}): { readonly status: InstructionStatus; readonly why: string } {
  if (found.isEmpty) return { status: "not-loaded", why: "empty" };
  if (found.isUnaccepted) return { status: "data", why: unacceptedReason };
  if (found.isModels) return { status: "data", why: "memory written by a model, shown as data" };
  if (!found.isConditional) return { status: "loaded", why: "loaded" };
  return { status: "waiting", why: `waits for a file that matches ${found.patterns?.join(", ")}` };
}

function notesOn({ form, path }: InstructionCandidate, prepared: PreparedText, problem: string | undefined) {
  const { removedCharacters } = prepared;
  return [
    ...(removedCharacters > 0 ? [`${removedCharacters} hidden or reserved characters removed`] : []),
    ...(problem !== undefined && form === "rule" ? [`${problem}; the rule applies everywhere`] : []),
    ...(path.endsWith("/CONTEXT.md") ? ["CONTEXT.md is deprecated; rename it to AGENTS.md"] : []),
  ];
}

function cutNote(count: number): string {
  return `truncated, ${count} ${count === 1 ? "character" : "characters"} not shown`;
}

export function absent(candidate: InstructionCandidate, why: string): InstructionEntry {
  const nothing = { text: "", hash: "", bytes: 0, lines: 0, tokens: 0, cutCharacters: 0, removedCharacters: 0 };
  return { ...candidate, status: "not-loaded", why, ...nothing, notes: [], warnings: [] };
}

/**
 * Of files with one real path or the same bytes the nearest stays, which is the last; a managed one always stays.
 * A copy that counts for less never takes the place of one that counts: not for a path, and not as data.
 */
function withoutCopies(files: readonly LoadedFile[], { root, known }: LoadParts): readonly InstructionEntry[] {
  const byPath = new Map<string, string>();
  const byHash = new Map<string, string>();
  const keep = ({ entry, realPath }: LoadedFile) => {
    byPath.set(realPath, entry.path);
    byHash.set(entry.hash, entry.path);
  };
  const isPresent = ({ entry }: LoadedFile) => entry.status !== "not-loaded";
  for (const file of files) if (isPresent(file) && file.entry.tier === "managed") keep(file);
  const judge = (file: LoadedFile): InstructionEntry => {
    const { entry, realPath } = file;
    if (!isPresent(file)) return entry;
    const original = byPath.get(realPath) ?? byHash.get(entry.hash);
    if (original === entry.path && entry.tier === "managed") return entry;
    if (original !== undefined) return absent(entry, `same content as ${relativeTo(original, root)}`);
    if (known?.paths.has(realPath) || known?.hashes.has(entry.hash)) return absent(entry, "already loaded");
    keep(file);
    return entry;
  };
  const strongestLast = files.toSorted((left, right) => strength(left) - strength(right));
  const judged = new Map(strongestLast.reverse().map((file) => [file, judge(file)]));
  return files.map((file) => judged.get(file) ?? file.entry);
}

const strengths: readonly InstructionStatus[] = ["not-loaded", "data", "waiting", "loaded"];

function strength({ entry }: LoadedFile): number {
  return strengths.indexOf(entry.status);
}

export function relativeTo(path: string, root: string): string {
  return isBelow(path, root) ? relative(root, path) : path;
}

function isBelow(path: string, directory: string): boolean {
  return path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);
}
