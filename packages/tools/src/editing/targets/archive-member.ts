/** Writes one file inside of an archive: the archive is rebuilt with it and replaced in one step. */
import { isUtf8 } from "node:buffer";
import { closeSync, readFileSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { ToolContext, ToolOutput } from "@kedge/protocol";
import { byteOrderMark, hashContent, looksBinary, openRegularFile, type TextFile } from "../../file-content.ts";
import { describeFileError } from "../../file-error.ts";
import {
  type Archive,
  type ArchiveEntry,
  ArchiveProblem,
  archiveBytesMax,
} from "../../reading/archive/archive-entry.ts";
import { openTar, type PackedFile } from "../../reading/archive/tar-entries.ts";
import { openZip } from "../../reading/archive/zip-entries.ts";
import { isContainer } from "../../reading/contained.ts";
import { sizeInWords } from "../../reading/in-words.ts";
import { shortPath } from "../../tool-path.ts";
import { describeStale, findPlace } from "../change-guards.ts";
import type { Plan } from "../file-change.ts";
import { diffTexts, type FileDiff, firstChangedLine } from "../file-diff.ts";
import { writeAtomically } from "../write-atomically.ts";
import type { InnerWrite } from "./inner-write.ts";
import type { NewMember } from "./new-member.ts";
import { rewriteTar } from "./tar-rewriting.ts";
import type { MemberTarget } from "./write-target.ts";
import { rewriteZip } from "./zip-rewriting.ts";

export type MemberWrite = {
  readonly target: MemberTarget;
  /** What the member becomes; the same as for a file of its own. */
  readonly plan: Plan;
  readonly wallClockMs: (() => number) | undefined;
};

type Prepared = {
  readonly path: string;
  /** The archive as it is, packed; undefined for a new one. */
  readonly archive: Buffer | undefined;
  readonly entry: { readonly offset: number } | undefined;
  readonly before: TextFile | undefined;
  readonly after: string;
};

/** A reason that the model can act on; the message is the whole sentence. */
class MemberProblem extends Error {}

const unpack = promisify(gunzip);
const pack = promisify(gzip);
const plainMode = 0o644;
const scriptMode = 0o755;

export function writeMember(write: MemberWrite): InnerWrite {
  const titleIn = (cwd: string) => {
    const { container, name } = write.target;
    return `${shortPath(resolve(cwd, container), cwd)}:${name}`;
  };
  const diff = ({ before, after }: Prepared, title: string) => diffTexts(title, before?.text, after);
  return {
    async look(context) {
      const prepared = await orProblem(write, () => prepare(write, context));
      if (typeof prepared === "string") return { ok: false, problem: prepared };
      return { ok: true, preview: (await diff(prepared, titleIn(context.cwd))).text };
    },
    async run(context) {
      const title = titleIn(context.cwd);
      const prepared = await orProblem(write, () => replaceArchive(write, context));
      if (typeof prepared === "string") return { output: prepared, isError: true, title };
      return report(prepared, title, await diff(prepared, title));
    },
  };
}

/** The result, or what was wrong as a sentence for the model. */
async function orProblem<Result>({ target }: MemberWrite, work: () => Promise<Result>): Promise<Result | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MemberProblem) return error.message;
    if (error instanceof ArchiveProblem) return `${target.container} cannot be changed: ${error.message}`;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ERR_BUFFER_TOO_LARGE")
      return `${target.container} unpacks to more than ${sizeInWords(archiveBytesMax)}; change it with bash (tar).`;
    if (!code.startsWith("Z_")) throw error;
    return `${target.container} cannot be changed: It is damaged (${code}). Recreate it with bash.`;
  }
}

/** Prepares again under the lock, so that no other call can slip in between. */
async function replaceArchive(write: MemberWrite, context: ToolContext): Promise<Prepared> {
  const place = findPlace(write.target.container, context.cwd);
  if (!place.ok) throw new MemberProblem(place.problem);
  return context.files.exclusively(place.path, async () => {
    refuseInterrupted(context.signal);
    const prepared = await prepare(write, context);
    if (prepared.path !== place.path)
      throw new MemberProblem(`${write.target.container} now points somewhere else; nothing was written.`);
    const bytes = await rewrite(write, prepared);
    if (bytes.length > archiveBytesMax)
      throw new ArchiveProblem(`It would become larger than ${sizeInWords(archiveBytesMax)}; use bash.`);
    // Packing a large archive takes seconds, so this is asked again as late as possible.
    refuseInterrupted(context.signal);
    try {
      // A read-only file could be replaced all the same; its owner does not want that.
      if (prepared.archive !== undefined) await access(place.path, constants.W_OK);
      // Bytes are written as they are: the encoding that the writer names counts for strings only.
      await writeAtomically(place.path, bytes as Buffer & string, context.callId);
    } catch (error) {
      const problem = describeFileError(error, place.path);
      if (problem === undefined) throw error;
      throw new MemberProblem(`${problem} Nothing was written.`);
    }
    context.files.remember(place.path, hashContent(bytes));
    return prepared;
  });
}

function refuseInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new MemberProblem("Interrupted before anything was written.");
}

async function prepare(write: MemberWrite, context: ToolContext): Promise<Prepared> {
  const { container } = write.target;
  const place = findPlace(container, context.cwd);
  if (!place.ok) throw new MemberProblem(place.problem);
  const { path } = place;
  const opened = openRegularFile(path);
  switch (opened.kind) {
    case "refused":
      throw new MemberProblem(opened.problem);
    case "directory":
      throw new MemberProblem(`${container} is a directory.`);
    case "missing":
      return { path, archive: undefined, entry: undefined, ...planned(write, undefined) };
    case "file":
      try {
        return { path, ...(await prepareExisting(write, { ...opened, path }, context)) };
      } finally {
        closeSync(opened.descriptor);
      }
  }
}

async function prepareExisting(
  write: MemberWrite,
  { path, descriptor, sizeBytes }: Omit<PackedFile, "signal"> & { readonly path: string },
  { files, signal }: ToolContext,
): Promise<Omit<Prepared, "path">> {
  const { container, archive: kind, name } = write.target;
  if (sizeBytes > archiveBytesMax)
    throw new ArchiveProblem(`It is larger than ${sizeInWords(archiveBytesMax)}; use bash.`);
  const archive = readFileSync(descriptor);
  if (!isContainer(kind, archive))
    throw new MemberProblem(`${container} is not a valid ${kind} archive, despite its name.`);
  const stale = describeStale(container, hashContent(archive), files.known(path));
  if (stale !== undefined) throw new MemberProblem(stale);
  const file = { descriptor, sizeBytes, signal };
  const found =
    kind === "zip"
      ? await findMember(openZip(file), name)
      : await findMember(await openTar({ ...file, isGzip: kind === "tar.gz" }), name);
  return { archive, entry: found?.entry, ...planned(write, found?.text) };
}

type Found<Entry> = { readonly entry: Entry; readonly text: TextFile };

async function findMember<Entry extends ArchiveEntry>(
  { entries, load }: Archive<Entry>,
  name: string,
): Promise<Found<Entry> | undefined> {
  // What was added last replaces what came before under the same name.
  const entry = entries.findLast((entry) => entry.name === name);
  if (entry?.kind === "directory" || entries.some((other) => other.name.startsWith(`${name}/`)))
    throw new ArchiveProblem(`${name} is a directory in it; choose another name.`);
  if (entry?.kind === "other") throw new ArchiveProblem(`${name} is a link or special file in it; use bash.`);
  const above = entries.find((other) => other.kind !== "directory" && name.startsWith(`${other.name}/`));
  if (above !== undefined) throw new ArchiveProblem(`${above.name} is not a directory in it; choose another name.`);
  return entry === undefined ? undefined : { entry, text: textOf(name, await load(entry)) };
}

/** Line endings and byte order mark of anything else could not be kept. */
function textOf(name: string, bytes: Buffer): TextFile {
  if (looksBinary(bytes) || !isUtf8(bytes)) throw new ArchiveProblem(`${name} in it is not UTF-8 text; use bash.`);
  const text = bytes.toString("utf8");
  const hasByteOrderMark = text.startsWith(byteOrderMark);
  return { text: hasByteOrderMark ? text.slice(1) : text, contentHash: hashContent(bytes), hasByteOrderMark };
}

function planned({ plan }: MemberWrite, before: TextFile | undefined): Pick<Prepared, "before" | "after"> {
  const planned = plan(before);
  if (!planned.ok) throw new MemberProblem(planned.problem);
  return { before, after: planned.after };
}

async function rewrite({ target, wallClockMs }: MemberWrite, prepared: Prepared): Promise<Buffer> {
  const { archive, entry, before, after } = prepared;
  const member: NewMember = {
    name: target.name,
    content: Buffer.from(before?.hasByteOrderMark ? byteOrderMark + after : after),
    mode: isNewScript(prepared) ? scriptMode : plainMode,
    modifiedMs: wallClockMs?.(),
    replaces: entry,
  };
  switch (target.archive) {
    case "zip":
      return Buffer.concat(await rewriteZip(archive, member));
    case "tar":
      return Buffer.concat(rewriteTar(archive, member));
    case "tar.gz": {
      const unpacked = archive && (await unpack(archive, { maxOutputLength: archiveBytesMax }));
      return pack(Buffer.concat(rewriteTar(unpacked, member)));
    }
  }
}

function isNewScript({ before, after }: Prepared): boolean {
  return before === undefined && after.startsWith("#!");
}

function report(prepared: Prepared, title: string, diff: FileDiff): ToolOutput {
  const { text, additions, deletions } = diff;
  const { before, after } = prepared;
  const isNew = before === undefined;
  const script = isNewScript(prepared) ? " It starts with #!, so it was made executable." : "";
  return {
    output: `${isNew ? "Created" : "Changed"} ${title} (+${additions} -${deletions} lines).${script}`,
    title,
    metadata: {
      diff: text,
      additions,
      deletions,
      op: isNew ? "create" : "update",
      firstChangedLine: firstChangedLine(before?.text, after),
    },
  };
}
