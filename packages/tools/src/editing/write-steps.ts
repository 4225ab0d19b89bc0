/** Writes, moves and removes files one after the other, and undoes all of it when one of them fails. */
import { existsSync } from "node:fs";
import { access, constants, copyFile, mkdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ToolContext } from "@kedge/protocol";
import { hashContent } from "../file-content.ts";
import { describeFileError } from "../file-error.ts";
import { contentOf, type FileStep, targetOf, withMark } from "./file-step.ts";
import { keepUp, type Upkeep } from "./file-upkeep.ts";
import { writeAtomically } from "./write-atomically.ts";

type Undo = { readonly path: string; run(): Promise<void> };

export type Written =
  | { readonly ok: true; readonly upkeep: Upkeep }
  /** A sentence for the model; the files are as they were, or it says which are not. */
  | { readonly ok: false; readonly problem: string };

/** Call under the locks of all paths. What is in the files afterwards counts as known to the model. */
export async function writeSteps(steps: readonly FileStep[], context: ToolContext): Promise<Written> {
  const unwritable = await findUnwritable(steps);
  if (unwritable !== undefined) return { ok: false, problem: unwritable };
  const undos: Undo[] = [];
  const set: StepSet = { callId: context.callId, undos, aside: [] };
  for (const step of steps) {
    try {
      await write(step, set);
    } catch (error) {
      const unrestored = await undoAll(undos);
      const path = step.kind === "remove" ? step.path : targetOf(step);
      const problem = describeFileError(error, path);
      if (problem === undefined && unrestored.length === 0) throw error;
      const state = unrestored.length === 0 ? "Nothing was written." : `Could not restore: ${unrestored.join(", ")}.`;
      return { ok: false, problem: `${problem ?? `Writing ${path} failed.`} ${state}` };
    }
  }
  for (const path of set.aside) await rm(path);
  return { ok: true, upkeep: await keepUp(steps, context) };
}

/** A read-only file could be replaced all the same; its owner does not want that. */
async function findUnwritable(steps: readonly FileStep[]): Promise<string | undefined> {
  for (const { kind, path } of steps) {
    if (kind === "create") continue;
    try {
      await access(path, constants.W_OK);
    } catch (error) {
      const problem = describeFileError(error, path);
      if (problem === undefined) throw error;
      return `${problem} Nothing was written.`;
    }
  }
  return undefined;
}

type StepSet = {
  readonly callId: string;
  readonly undos: Undo[];
  /** Removed files, kept under other names until all steps have succeeded. */
  readonly aside: string[];
};

async function write(step: FileStep, set: StepSet): Promise<void> {
  switch (step.kind) {
    case "create":
      await makeDirectories(dirname(step.path), set);
      await writeAtomically(step.path, contentOf(step), set.callId);
      set.undos.push({ path: step.path, run: () => rm(step.path, { force: true }) });
      return;
    case "replace":
      await writeAtomically(step.path, contentOf(step), set.callId);
      set.undos.push({
        path: step.path,
        run: () => writeAtomically(step.path, withMark(step.before, step.before.text), set.callId),
      });
      return;
    case "move":
      await makeDirectories(dirname(step.target), set);
      // The copy brings the mode along; it fails where a file has appeared meanwhile.
      await copyFile(step.path, step.target, constants.COPYFILE_EXCL);
      set.undos.push({ path: step.target, run: () => rm(step.target, { force: true }) });
      if (step.after !== step.before.text) await writeAtomically(step.target, contentOf(step), set.callId);
      return putAside(step.path, set);
    case "remove":
      return putAside(step.path, set);
  }
}

async function putAside(path: string, set: StepSet): Promise<void> {
  const name = `.kedge-${process.pid}-${hashContent(set.callId + path).slice(0, 16)}.old`;
  const aside = join(dirname(path), name);
  await rename(path, aside);
  set.aside.push(aside);
  set.undos.push({ path, run: () => rename(aside, path) });
}

async function makeDirectories(directory: string, set: StepSet): Promise<void> {
  const missing: string[] = [];
  for (let path = directory; !existsSync(path); path = dirname(path)) missing.push(path);
  // Before they are made, since making them can fail half-way.
  for (const path of missing.toReversed()) set.undos.push({ path, run: () => removeEmpty(path) });
  await mkdir(directory, { recursive: true });
}

/** Somebody else may have put something in, or the directory was never made. */
async function removeEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOTEMPTY" && code !== "ENOENT") throw error;
  }
}

/** In reverse. Gives back the paths that could not be restored. */
async function undoAll(undos: readonly Undo[]): Promise<readonly string[]> {
  const unrestored: string[] = [];
  for (const { path, run } of undos.toReversed()) {
    try {
      await run();
    } catch {
      // Each one that can be restored is; the others are named to the model.
      unrestored.push(path);
    }
  }
  return unrestored;
}
