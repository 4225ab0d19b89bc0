/** `kedge prove`: makes the bundle of a session. */
import { runGit } from "@kedge/agents/worktrees";
import { type Answer, refused, type Store } from "@kedge/protocol";
import { signText } from "../../machine/journal-key.ts";
import type { ProofSite } from "../check-reproduction.ts";
import { collectWork } from "./collect-work.ts";
import { bundleFormat, type ProofBundle, type SignedBundle, signedText } from "./proof-bundle.ts";
import { baseAt, diffSince } from "./work-diff.ts";

export type ProofOrder = {
  readonly sessionId: string;
  readonly store: Store;
  readonly redact: (text: string) => string;
  /** A commit; the one that was checked out when the session began without this. */
  readonly base?: string;
  readonly kedgeVersion: string;
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
};

export async function makeProof(order: ProofOrder, site: ProofSite): Promise<Answer<SignedBundle>> {
  const { sessionId, store, redact, kedgeVersion } = order;
  const { repository } = site.worktrees;
  const report = await store.verify(sessionId);
  if (!report.valid)
    return refused(`The record of ${sessionId} is not intact.`, "For details, run kedge session verify.");
  const work = await collectWork(store.read(sessionId, 0));
  if (work === undefined) return refused(`The session ${sessionId} is empty.`);
  const { startedAt, usd, isEstimated, ...collected } = work;
  const fixed = order.base ?? work.reproductions.find(({ base }) => base !== undefined)?.base;
  const base = fixed === undefined ? await baseAt(repository, startedAt) : await commitOf(fixed, site);
  if (!base.ok) return base;
  const diff = await diffSince(repository, base.value);
  if (!diff.ok) return diff;
  const redactedDiff = redact(diff.value);
  const bundle: ProofBundle = {
    format: bundleFormat,
    kedgeVersion,
    createdAt: new Date(order.now()).toISOString(),
    sessionId,
    base: base.value,
    diff: redactedDiff,
    isDiffRedacted: redactedDiff !== diff.value,
    ...redactTexts(collected, (text) => redact(text.replaceAll(repository.root, "."))),
    cost: { usd, isEstimated },
  };
  return { ok: true, value: { ...bundle, signed: signText(signedText(bundle), { ...order, home: site.home }) } };
}

async function commitOf(name: string, site: ProofSite): Promise<Answer<string>> {
  const found = await runGit(site.worktrees.repository, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  return found.ok ? { ok: true, value: found.output.trim() } : refused(`Commit ${name} not found.`);
}

type Collected = Pick<ProofBundle, "task" | "reproductions" | "grades" | "commands" | "journal">;

/** What people and models wrote; digests, hashes and numbers stay. */
function redactTexts({ task, reproductions, grades, commands, journal }: Collected, redact: (text: string) => string) {
  return {
    task: task.map(redact),
    reproductions: reproductions.map((each) => ({
      ...each,
      issue: redact(each.issue),
      ...(each.command !== undefined && { command: redact(each.command) }),
      ...(each.signature !== undefined && { signature: redact(each.signature) }),
      ...(each.why !== undefined && { why: redact(each.why) }),
    })),
    grades: grades.map((each) => ({ ...each, command: redact(each.command) })),
    commands: commands.map((each) => ({ ...each, command: redact(each.command) })),
    journal,
  };
}
