/** The user's approval of a text from elsewhere: a file outside of the project, or a text from the network. */
import { realpathSync, statSync } from "node:fs";
import { reasonOf } from "@kedge/protocol";
import { digestOf } from "./digest-of.ts";
import type { FetchRemote } from "./fetch-remote.ts";
import { changeInstructionRecord, changeProject, readInstructionRecord } from "./instruction-record.ts";

export type Approval =
  | { readonly ok: true; readonly approved: string }
  | { readonly ok: false; readonly sentence: string };

export type ApprovalParts = {
  /** kedge's own directory. */
  readonly home: string;
  readonly root: string;
  readonly urls: readonly string[];
  readonly fetchRemote: FetchRemote;
  readonly now: () => number;
  /** Asked with the text, and with the one that was approved before; nothing is recorded without a yes. */
  readonly confirm: (text: string, before: string | undefined) => Promise<boolean>;
};

/** `target` is an address of the setting `instructions.urls`, or a path. */
export async function approveInstruction(target: string, parts: ApprovalParts): Promise<Approval> {
  return /^https?:/.test(target) ? approveText(target, parts) : approveFile(target, parts);
}

function approveFile(target: string, { home, root }: ApprovalParts): Approval {
  let approved: string;
  try {
    approved = realpathSync.native(target);
  } catch (error) {
    return { ok: false, sentence: `${target} cannot be approved (${reasonOf(error)})` };
  }
  if (!statSync(approved, { throwIfNoEntry: false })?.isFile()) {
    return { ok: false, sentence: `${target} cannot be approved (it is not a file)` };
  }
  changeProject(home, root, (before) =>
    before.approved.includes(approved) ? before : { ...before, approved: [...before.approved, approved] },
  );
  return { ok: true, approved };
}

async function approveText(url: string, { home, urls, fetchRemote, now, confirm }: ApprovalParts): Promise<Approval> {
  if (!urls.includes(url)) return { ok: false, sentence: `${url} is not listed in instructions.urls` };
  const fetched = await fetchRemote(url);
  if (!fetched.ok) return { ok: false, sentence: `${url} cannot be approved: ${fetched.why}` };
  const { text } = fetched;
  const before = readInstructionRecord(home).urls[url]?.text;
  if (!(await confirm(text, before))) return { ok: false, sentence: `${url} was not approved` };
  const pinned = { sha256: digestOf(text), at: new Date(now()).toISOString(), text };
  changeInstructionRecord(home, (record) => ({ ...record, urls: { ...record.urls, [url]: pinned } }));
  return { ok: true, approved: url };
}
