/** The user's word that what an agent wrote into an instruction file may instruct. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { changeProject, projectRecord, readInstructionRecord, without } from "./instruction-record.ts";

export type Acceptance =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly sentence: string };

/** `path` is absolute. The text is what counts from now on. */
export function acceptInstruction(path: string, home: string, root: string): Acceptance {
  const known = projectRecord(readInstructionRecord(home), root).unaccepted[path];
  if (known === undefined) return { ok: false, sentence: `Nothing waits for an answer in ${path}` };
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // It is gone: then nothing of it can instruct, and the answer is about that.
  }
  const hash = text === "" ? "" : createHash("sha256").update(text).digest("hex");
  if (hash !== known)
    return { ok: false, sentence: `${path} has changed since the agent wrote it; it counts as it is` };
  changeProject(home, root, (before) => ({ ...before, unaccepted: without(before.unaccepted, path, hash) }));
  return { ok: true, text };
}
