/** What the user said about instruction files, and what agents wrote into them unasked: in kedge's own directory, never in a project. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { FailureError, isJsonObject, reasonOf } from "@kedge/protocol";
import { whileLocked } from "../machine/file-lock.ts";
import { replaceFile } from "../machine/replace-file.ts";

/** Of one project, by its root. */
export type ProjectRecord = {
  /** Real paths of files outside of the project that its files may include. */
  readonly approved: readonly string[];
};

/** The content, by its hash, that an agent gave a file without an answer of the user; empty for a file that it deleted. */
export type Unaccepted = { readonly [path: string]: string };

/** A text from the network as the user approved it. */
export type PinnedText = { readonly sha256: string; readonly at: string; readonly text: string };

export type InstructionRecord = {
  readonly projects: { readonly [root: string]: ProjectRecord };
  /** Of all projects, because an agent can reach the user's own files from any of them. */
  readonly unaccepted: Unaccepted;
  readonly urls: { readonly [url: string]: PinnedText };
};

const format = 1;
const empty: InstructionRecord = { projects: {}, unaccepted: {}, urls: {} };
const nothing: ProjectRecord = { approved: [] };

export function recordPath(home: string): string {
  return join(home, "instructions.json");
}

export function projectRecord({ projects }: InstructionRecord, root: string): ProjectRecord {
  return Object.hasOwn(projects, root) ? (projects[root] ?? nothing) : nothing;
}

/** Throws a FailureError for a file that cannot be used: it may hold what must not count. */
export function readInstructionRecord(home: string): InstructionRecord {
  const path = recordPath(home);
  if (!existsSync(path)) return empty;
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isJsonObject(value) || value["format"] !== format) throw unusable(path, "it has an unsupported version");
    const { projects, unaccepted, urls } = value;
    if (!isJsonObject(projects) || !isJsonObject(urls) || !isJsonObject(unaccepted)) {
      throw unusable(path, "a part of it is missing");
    }
    if (!Object.values(unaccepted).every(isText)) throw unusable(path, "an entry is broken");
    for (const project of Object.values(projects))
      if (!isProjectRecord(project)) throw unusable(path, "an entry is broken");
    for (const pinned of Object.values(urls)) if (!isPinnedText(pinned)) throw unusable(path, "an entry is broken");
    // Every entry was looked at.
    return { projects, unaccepted, urls } as unknown as InstructionRecord;
  } catch (error) {
    if (error instanceof FailureError) throw error;
    throw unusable(path, error instanceof SyntaxError ? "it is not valid JSON" : reasonOf(error));
  }
}

/** Reads the file again only when it is another one; undefined, and told once, when it cannot be read. */
export function createRecordReader(
  home: string,
  onNotice: (sentence: string) => void,
): () => InstructionRecord | undefined {
  let version = "";
  let record: InstructionRecord | undefined = empty;
  return () => {
    const stats = statSync(recordPath(home), { throwIfNoEntry: false });
    const now = stats === undefined ? "" : `${stats.mtimeMs}:${stats.size}:${stats.ino}`;
    if (now === version) return record;
    version = now;
    try {
      record = readInstructionRecord(home);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      onNotice(error.failure.message);
      record = undefined;
    }
    return record;
  };
}

/** Given the record as it is now, which no other process changes meanwhile. */
export function changeInstructionRecord(home: string, change: (record: InstructionRecord) => InstructionRecord): void {
  const path = recordPath(home);
  whileLocked(path, () => {
    const record = readInstructionRecord(home);
    const next = change(record);
    if (next !== record) replaceFile(path, `${JSON.stringify({ format, ...next }, undefined, 2)}\n`);
  });
}

export function changeProject(home: string, root: string, change: (project: ProjectRecord) => ProjectRecord): void {
  changeInstructionRecord(home, (record) => {
    const before = projectRecord(record, root);
    const after = change(before);
    return after === before ? record : { ...record, projects: { ...record.projects, [root]: after } };
  });
}

/** More than agents ever write unasked; the oldest go. */
const unacceptedMax = 1_000;

/** An answer about a content is one about every file that has it. */
export function changeUnaccepted(home: string, path: string, hash: string, isAccepted: boolean): void {
  changeInstructionRecord(home, (record) => {
    const others = Object.entries(record.unaccepted).filter(
      ([name, each]) => name !== path && (hash === "" || each !== hash),
    );
    const entries: typeof others = isAccepted ? others : [...others, [path, hash]];
    return { ...record, unaccepted: Object.fromEntries(entries.slice(-unacceptedMax)) };
  });
}

function isProjectRecord(value: unknown): boolean {
  return isJsonObject(value) && Array.isArray(value["approved"]) && value["approved"].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isPinnedText(value: unknown): boolean {
  return isJsonObject(value) && ["sha256", "at", "text"].every((key) => typeof value[key] === "string");
}

function unusable(path: string, why: string): FailureError {
  return new FailureError({
    code: "configuration",
    message: `Cannot use the instruction record ${path}: ${why}.`,
    recovery: "Fix it, or delete it and approve again.",
    retryable: false,
  });
}
