/** Works out everything an edit by line numbers would do to its files, before anybody is asked and before anything is written. */
import { resolve } from "node:path";
import type { ToolContext } from "@kedge/protocol";
import { loadText, type TextFile } from "../../file-content.ts";
import { shortPath } from "../../tool-path.ts";
import { findPlace } from "../change-guards.ts";
import { describeGenerated } from "../generated-files.ts";
import { asInFile, describeRedacted } from "../seen-text.ts";
import { describeMismatch, describeRejection, describeWarning, type RecoveryKind } from "./guidance.ts";
import { applyChanges, type LineChange, linesOf, normaliseText, trimChange } from "./lines.ts";
import { refuseMismatch } from "./mismatch.ts";
import { type Operation, type PlainOperation, reject, type Section, spellRange } from "./operations.ts";
import { parseEdit } from "./parse-edit.ts";
import { planChanges } from "./plan-changes.ts";
import { recoverEdit } from "./recover.ts";
import { type ResolveBlock, resolveBlocks } from "./resolve-blocks.ts";
import { hashText, tagOf } from "./tag.ts";
import { type FileVersion, unseenLines, type VersionStore } from "./versions.ts";

export type EditParts = {
  readonly versions: VersionStore;
  /** Without it operations on blocks are refused. */
  readonly resolveBlock?: ResolveBlock;
  /** Whether an edit of an older version may be carried over to the present one. Default true. */
  readonly allowRecovery?: boolean;
  /** Generated files are refused unless this says otherwise. */
  readonly blockGenerated?: () => boolean;
};

export type PreparedFile = {
  /** True path. */
  readonly path: string;
  readonly name: string;
  readonly tag: string;
  readonly before: TextFile;
  readonly after: string;
  /** What differs, in lines of the text before. */
  readonly changes: readonly LineChange[];
  readonly recovery?: RecoveryKind;
  readonly echoes: readonly string[];
  readonly warnings: readonly string[];
  /** Tells an edit that is tried again from another one. */
  readonly payload: string;
};

export type PreparedEdit =
  | { readonly ok: true; readonly files: readonly PreparedFile[]; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: string };

type Problem = { readonly ok: false; readonly problem: string };

export async function prepareEdit(input: string, context: ToolContext, parts: EditParts): Promise<PreparedEdit> {
  const parsed = parseEdit(input);
  if (!parsed.ok) return { ok: false, problem: describeRejection(parsed.rejection) };
  const joined = joinSections(parsed.sections, context.cwd);
  if (!joined.ok) return joined;
  const files: PreparedFile[] = [];
  for (const target of joined.targets) {
    const prepared = await prepareFile(target, context, parts);
    if (!prepared.ok) return prepared;
    files.push(prepared.file);
  }
  const warnings = parsed.bareRow === undefined ? [] : [describeWarning("bareRows", { row: `${parsed.bareRow}` })];
  return { ok: true, files, warnings };
}

/** All operations on one file, whatever names it was given. */
export type EditTarget = {
  readonly path: string;
  readonly name: string;
  readonly tag: string;
  readonly row: number;
  readonly operations: readonly Operation[];
};

function joinSections(
  sections: readonly Section[],
  cwd: string,
): { readonly ok: true; readonly targets: readonly EditTarget[] } | Problem {
  const targets = new Map<string, EditTarget>();
  for (const { row, path: named, tag, operations } of sections) {
    const absolute = resolve(cwd, named);
    const place = findPlace(named, cwd);
    if (!place.ok) return place;
    const name = shortPath(absolute, cwd);
    const other = targets.get(place.path);
    if (other !== undefined && other.tag !== tag) {
      const slots = { path: name, tag, otherTag: other.tag, otherRow: `${other.row}` };
      return { ok: false, problem: describeRejection(reject("tagsDiffer", row, slots).rejection) };
    }
    const joined = [...(other?.operations ?? []), ...operations];
    targets.set(place.path, { row, name, ...other, path: place.path, tag, operations: joined });
  }
  return { ok: true, targets: [...targets.values()] };
}

type PreparedOne = { readonly ok: true; readonly file: PreparedFile } | Problem;

async function prepareFile(target: EditTarget, context: ToolContext, parts: EditParts): Promise<PreparedOne> {
  const { path, name, tag } = target;
  const before = loadText(path);
  if (before.kind === "refused") return { ok: false, problem: before.problem };
  if (before.kind === "missing") return { ok: false, problem: describeMismatch("missing", { path: name }) };
  const closed = describeClosed(target, before, context);
  if (closed !== undefined) return { ok: false, problem: closed };
  const generated = parts.blockGenerated?.() === false ? undefined : describeGenerated(name, before.text);
  if (generated !== undefined) return { ok: false, problem: generated };
  const present = normaliseText(before.text);
  const version = parts.versions.find(path, tag) ?? readmit(target, before, context, parts);
  if (version === undefined) return refuseMismatch("unknown", target, present, parts.versions);

  const resolved = await resolveBlocks({ ...target, text: version.text, resolveBlock: parts.resolveBlock });
  if (!resolved.ok) return { ok: false, problem: describeRejection(resolved.rejection) };
  const { operations } = resolved;
  const planned = planChanges(operations, linesOf(version.text).length);
  if (!planned.ok) return { ok: false, problem: describeRejection(planned.rejection) };

  const presentHash = hashText(present);
  const isCurrent = presentHash === version.hash;
  const recovered = isCurrent ? undefined : await recover(operations, version, { path, present, presentHash }, parts);
  if (!isCurrent && recovered === undefined) return refuseMismatch("drifted", target, present, parts.versions);
  const changes = recovered?.changes ?? planned.changes;
  const after = asInFile(applyChanges(before.text, changes), before.text);
  const redacted = describeRedacted(name, before.text, after);
  if (redacted !== undefined) return { ok: false, problem: redacted };
  const lines = linesOf(present);
  const warnings = [...resolved.warnings, ...warnUnseen(operations, version, name)];
  return {
    ok: true,
    file: {
      path,
      name,
      tag,
      before,
      after,
      changes: changes.flatMap((change) => trimChange(change, lines) ?? []),
      ...(recovered !== undefined && { recovery: recovered.kind }),
      echoes: isCurrent ? resolved.echoes : [],
      warnings,
      payload: JSON.stringify(target.operations.map(({ row: _, ...operation }) => operation)),
    },
  };
}

/** Everything that follows may tell what the file says, and nobody has permitted the call yet, let alone a read. */
function describeClosed(
  { path, name }: EditTarget,
  { contentHash }: TextFile,
  { cwd, files, reading }: ToolContext,
): string | undefined {
  if (files.known(path) === contentHash) return undefined;
  for (const spelling of new Set([resolve(cwd, name), path])) {
    const right = reading.of(spelling);
    if (right.answer !== "allow") return describeMismatch("closed", { path: name, why: right.why });
  }
  return undefined;
}

/** A session that was resumed knows hashes but no texts: the tag counts again if the file is still what was read. */
function readmit(
  { path, tag }: EditTarget,
  before: TextFile,
  context: ToolContext,
  { versions }: EditParts,
): FileVersion | undefined {
  if (context.files.known(path) !== before.contentHash) return undefined;
  if (tagOf(hashText(normaliseText(before.text)), new Set()) !== tag) return undefined;
  const version = versions.record(path, before.text, []);
  return version?.tag === tag ? version : undefined;
}

type Present = { readonly path: string; readonly present: string; readonly presentHash: string };

async function recover(
  operations: readonly PlainOperation[],
  version: FileVersion,
  { path, present, presentHash }: Present,
  { versions, allowRecovery }: EditParts,
) {
  if (allowRecovery === false) return undefined;
  const ownEdits = versions.ownEdits(path, version.hash, presentHash);
  return recoverEdit({ operations, tagged: version.text, present, ownEdits });
}

const namedLinesMax = 10;

function warnUnseen(operations: readonly PlainOperation[], version: FileVersion, name: string): readonly string[] {
  const unseen = operations.flatMap((operation) => {
    if (operation.kind === "edge") return [];
    const { first, last } = operation.kind === "insert" ? { first: operation.line, last: operation.line } : operation;
    return unseenLines(version, [first, last]).length === 0 ? [] : [spellRange({ first, last })];
  });
  if (unseen.length === 0) return [];
  const noun = unseen.length === 1 && !unseen[0]?.includes("=") ? "line" : "lines";
  const lines = `${noun} ${unseen.slice(0, namedLinesMax).join(", ")}${unseen.length > namedLinesMax ? ", …" : ""}`;
  return [describeWarning("unseenLines", { path: name, lines, tag: version.tag })];
}
