/** Throw-away worktrees of recorded sessions: the files as they were at a fact, and a session that goes on from there. */
import { mkdtempSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { closingFacts, copyFacts } from "@kedge/engine";
import {
  applyRecord,
  emptySession,
  type Fact,
  type FactRecord,
  type Failure,
  type RunOptions,
  type Store,
  wholePath,
} from "@kedge/protocol";
import { thisProcess } from "../machine/identity.ts";
import { createIds } from "../machine/ids.ts";
import { findProject } from "../machine/project.ts";
import { createRandomBytes } from "../machine/random-bytes.ts";
import type { CheckOut } from "./scratch-workspace.ts";

export type Worktree = {
  readonly directory: string;
  /** False when no tree is known or it is gone: the directory is empty. */
  readonly hasFiles: boolean;
};

export type WorktreeParts = { readonly temporaryDirectory: string; readonly checkOut?: CheckOut };

/** The tree that stood on the disk after these facts; undefined when none of them tells. */
function treeAfter(records: readonly FactRecord[]): string | undefined {
  for (const { fact } of records.toReversed()) {
    if (fact.type === "files.changed") return fact.after;
    if (fact.type === "tool.started" && fact.snapshot !== undefined) return fact.snapshot;
    const restored = "restores" in fact ? fact.restores[0]?.tree : undefined;
    if (restored !== undefined) return restored;
  }
  return undefined;
}

/** The tree before anything was changed. */
export function firstTree(records: readonly FactRecord[]): string | undefined {
  for (const { fact } of records) {
    if (fact.type === "tool.started" && fact.snapshot !== undefined) return fact.snapshot;
    if (fact.type === "files.changed") return fact.before;
  }
  return undefined;
}

/** What the run that was under way after these facts, or the last one, was given; undefined when it was given nothing. */
export function optionsAfter(records: readonly FactRecord[]): RunOptions | undefined {
  const facts = records.map(({ fact }) => fact);
  const runId = facts.findLast((fact) => fact.type === "step.started" || fact.type === "prompt.admitted")?.runId;
  return facts.flatMap((fact) => (fact.type === "prompt.admitted" && fact.runId === runId ? [fact] : []))[0]?.options;
}

/** Belongs to whoever asked for it, and stays until somebody removes it. */
export async function makeWorktree(tree: string | undefined, parts: WorktreeParts): Promise<Worktree> {
  const directory = realpathSync(mkdtempSync(join(parts.temporaryDirectory, "kedge-worktree-")));
  const hasFiles = tree !== undefined && ((await parts.checkOut?.(tree, directory)) ?? false);
  return { directory, hasFiles };
}

export type SessionUntilParts = WorktreeParts & {
  readonly store: Store;
  readonly kedgeVersion: string;
  readonly now: () => number;
};

export type SessionUntil =
  | ({ readonly ok: true; readonly sessionId: string } & Worktree)
  | { readonly ok: false; readonly failure: Failure };

/** Copies what the conversation was after a fact into a session of its own. The source is only read. */
export async function openSessionUntil(
  records: readonly FactRecord[],
  parts: SessionUntilParts,
): Promise<SessionUntil> {
  const source = records[0]?.sessionId ?? "";
  const state = emptySession(source);
  for (const record of records) applyRecord(state, record);
  const holder = thisProcess();
  const newId = createIds(parts.now, createRandomBytes());
  const sessionId = newId("ses_");
  const leafId = state.leaf;
  const worktree = await makeWorktree(treeAfter(records), parts);
  const { directory } = worktree;
  const facts: readonly Fact[] = [
    {
      type: "session.created",
      directory,
      projectId: findProject(directory).projectId,
      model: state.model,
      // Whoever takes it up chooses again.
      mode: "default",
      kedgeVersion: parts.kedgeVersion,
      boot: holder.boot,
      origin: { kind: "replay", sessionId: source, ...(leafId !== undefined && { leafId }), usd: state.cost.usd },
    },
    { type: "session.updated", title: `${state.title} (replay)`, titleSource: "model" },
    ...(await copyFacts(each(records), wholePath(state, leafId), newId)),
  ];
  const { store } = parts;
  await store.acquireLease(sessionId, holder);
  try {
    const written = emptySession(sessionId);
    for (const batch of [() => facts, () => closingFacts(written)]) {
      const added = batch();
      const outcome = await store.append(sessionId, added, { boot: holder.boot, durable: true });
      if (!outcome.ok) return { ok: false, failure: notWritten };
      for (const record of outcome.records) applyRecord(written, record);
    }
  } finally {
    await store.releaseLease(sessionId, holder.boot);
  }
  return { ok: true, sessionId, ...worktree };
}

const notWritten: Failure = { code: "session_busy", message: "The copy could not be written.", retryable: true };

async function* each(records: readonly FactRecord[]): AsyncGenerator<FactRecord> {
  yield* records;
}
