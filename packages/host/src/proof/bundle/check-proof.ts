/** `kedge prove --check`: runs a bundle again from a clean clone, and says line by line what still holds. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Answer, type Reproduction, refused, type Store } from "@kedge/protocol";
import { gradeTests } from "../../grading/grade-tests.ts";
import { runGraded } from "../../grading/graded-run.ts";
import { graderView } from "../../grading/grader-view.ts";
import { gradingSandbox } from "../../grading/grading-sandbox.ts";
import { isSignedText } from "../../machine/journal-key.ts";
import { checkAfter, checkBefore, type ProofSite } from "../check-reproduction.ts";
import { applyDiff, type CleanClone, dropClone, makeCleanClone } from "./clean-clone.ts";
import { type ProvenGrade, type SignedBundle, signedText } from "./proof-bundle.ts";

export type CheckedLine = {
  readonly what: string;
  readonly verdict: "holds" | "does not hold" | "not checked";
  readonly why?: string;
};

export type CheckOptions = {
  /** The journals of this home. */
  readonly store: Pick<Store, "rows" | "session">;
  readonly signal?: AbortSignal;
  readonly onLine?: (line: CheckedLine) => void;
};

const commandTimeoutMs = 10 * 60_000;

export async function checkProof(
  bundle: SignedBundle,
  site: ProofSite,
  { store, signal, onLine }: CheckOptions,
): Promise<Answer<readonly CheckedLine[]>> {
  const lines: CheckedLine[] = [];
  const say = (line: CheckedLine) => {
    lines.push(line);
    onLine?.(line);
  };
  say(signatureLine(bundle));
  say(await journalLine(bundle, store));
  const clone = await makeCleanClone(bundle.base, site);
  const base = `base commit ${bundle.base.slice(0, 12)}`;
  if (!clone.ok) {
    say({ what: base, verdict: "does not hold", why: clone.failure.message });
    return { ok: true, value: lines };
  }
  try {
    say({ what: base, verdict: "holds" });
    const problem = await applyDiff(clone.value, bundle.diff);
    const what = bundle.isDiffRedacted ? "the diff applies (secrets were redacted)" : "the diff applies";
    say(problem === undefined ? { what, verdict: "holds" } : { what, verdict: "does not hold", why: problem });
    if (problem !== undefined) return { ok: true, value: lines };
    for await (const line of checkRuns(bundle, clone.value, site, signal)) {
      if (signal?.aborted) return refused("The check was canceled.");
      say(line);
    }
    return { ok: true, value: lines };
  } finally {
    dropClone(clone.value);
  }
}

function signatureLine({ signed, ...bundle }: SignedBundle): CheckedLine {
  const what = `signature by key ${signed.keyId}`;
  if (isSignedText(signedText(bundle), signed)) return { what, verdict: "holds" };
  return { what, verdict: "does not hold", why: "the file was changed after it was signed" };
}

async function journalLine({ sessionId, journal }: SignedBundle, store: CheckOptions["store"]): Promise<CheckedLine> {
  const what = `journal of ${sessionId} up to record ${journal.seq}`;
  if ((await store.session(sessionId)) === undefined)
    return { what, verdict: "not checked", why: "the session is not in this kedge home" };
  for await (const { seq, hash } of store.rows(sessionId)) {
    if (seq !== journal.seq) continue;
    if (hash === journal.hash) return { what, verdict: "holds" };
    return { what, verdict: "does not hold", why: "the record has a different hash" };
  }
  return { what, verdict: "does not hold", why: "the record is missing" };
}

async function* checkRuns(
  { reproductions, grades, commands }: SignedBundle,
  clone: CleanClone,
  site: ProofSite,
  signal: AbortSignal | undefined,
): AsyncGenerator<CheckedLine> {
  const own: ProofSite = {
    ...site,
    cwd: clone.directory,
    worktrees: { ...site.worktrees, repository: clone.repository },
  };
  for (const reproduction of reproductions) yield await checkReproduction(reproduction, clone, own, signal);
  for (const grade of grades) yield await checkGrade(grade, own, signal);
  const checks = new Map(commands.filter(({ isCheck }) => isCheck).map((each) => [each.command, each.exitCode]));
  for (const [command, exitCode] of checks) yield await checkCommand(command, exitCode, own, signal);
}

async function checkReproduction(
  claimed: Reproduction,
  clone: CleanClone,
  site: ProofSite,
  signal: AbortSignal | undefined,
): Promise<CheckedLine> {
  const { id, state, file, fileDigest, command, signature } = claimed;
  const what = `reproduction ${id} is ${state}`;
  if (state !== "proven" || file === undefined || command === undefined || signature === undefined)
    return { what, verdict: "not checked", why: "only a proven one can be rerun" };
  if (digestOf(join(clone.directory, file)) !== fileDigest)
    return { what, verdict: "does not hold", why: `${file} is not the file that failed` };
  const known: Reproduction = { id, state: "unproven", issue: claimed.issue, before: [], after: [] };
  const before = await checkBefore(known, { file, command, failsWith: signature, base: clone.base }, site, signal);
  const after =
    before.ok && before.value.state === "fails-before" ? await checkAfter(before.value, site, signal) : before;
  if (!after.ok) return { what, verdict: "not checked", why: after.failure.message };
  if (after.value.state === "proven") return { what, verdict: "holds" };
  return { what, verdict: "does not hold", why: after.value.why ?? `it is ${after.value.state}` };
}

async function checkGrade(
  claimed: ProvenGrade,
  site: ProofSite,
  signal: AbortSignal | undefined,
): Promise<CheckedLine> {
  const { target, command, buildCommand, score } = claimed;
  const what = `mutation score of ${target} is ${score.toFixed(2)}`;
  const wish = {
    ...{ target, command, isFresh: true as const },
    ...(buildCommand !== undefined && { buildCommand }),
    ...(signal !== undefined && { signal }),
  };
  const graded = await gradeTests(wish, site);
  if (!graded.ok) return { what, verdict: "does not hold", why: graded.failure.message };
  if (graded.value.score >= score) return { what, verdict: "holds" };
  return { what, verdict: "does not hold", why: `it is ${graded.value.score.toFixed(2)}` };
}

async function checkCommand(
  command: string,
  exitCode: number | null,
  site: ProofSite,
  signal: AbortSignal | undefined,
): Promise<CheckedLine> {
  const what = `${command} exits with ${exitCode ?? "a signal"}`;
  const directory = site.worktrees.repository.root;
  const view = graderView(directory, site.worktrees.dependencyFolders);
  const sandbox = gradingSandbox(directory, site, view);
  try {
    const parts = { ...site, sandbox, ...(signal !== undefined && { signal }) };
    const outcome = await runGraded(parts, command, { directory, timeoutMs: commandTimeoutMs });
    if (!outcome.ok) return { what, verdict: "not checked", why: outcome.why };
    const { exitCode: now, isTimedOut, tail } = outcome.run;
    if (now === exitCode && !isTimedOut) return { what, verdict: "holds" };
    const last = tail.trim().split("\n").at(-1) ?? "";
    return { what, verdict: "does not hold", why: isTimedOut ? "it timed out" : `it exits with ${now}: ${last}` };
  } finally {
    await sandbox.close();
  }
}

function digestOf(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
