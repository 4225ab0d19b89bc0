/** The user's word that what an agent wrote into an instruction file may instruct. */
import { readFileSync } from "node:fs";
import { digestOf } from "./digest-of.ts";
import { changeUnaccepted, readInstructionRecord } from "./instruction-record.ts";

export type Acceptance =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly sentence: string };

/** `path` is absolute. The text is what counts from now on. */
export function acceptInstruction(path: string, home: string): Acceptance {
  const known = readInstructionRecord(home).unaccepted[path];
  if (known === undefined) return { ok: false, sentence: `Nothing to accept in ${path}` };
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // It is gone: then nothing of it can instruct, and the answer is about that.
  }
  const hash = text === "" ? "" : digestOf(text);
  if (hash !== known) return { ok: false, sentence: `${path} changed since the agent wrote it and already applies` };
  changeUnaccepted(home, path, hash, true);
  return { ok: true, text };
}
