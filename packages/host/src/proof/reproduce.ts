/** `kedge reproduce`: both steps of a reproduction in one go, with a record in a file that holds it to what it was. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Answer, isJsonObject, type Reproduction, refused, reproductionStates } from "@kedge/protocol";
import { checkAfter, checkBefore, type ProofSite, type ReproductionWish } from "./check-reproduction.ts";

export type ReproduceOptions = {
  readonly signal?: AbortSignal;
  /** Where the record is kept between runs. */
  readonly recordPath?: string;
};

/** A record that failed before is not run on the base again: the same file must pass now. */
export async function reproduce(
  wish: ReproductionWish,
  site: ProofSite,
  { signal, recordPath }: ReproduceOptions,
): Promise<Answer<Reproduction>> {
  const path = recordPath === undefined ? undefined : resolve(site.cwd, recordPath);
  const known = path === undefined ? { ok: true as const, value: undefined } : readRecord(path);
  if (!known.ok) return known;
  const before = await failedBefore(known.value, wish, site, signal);
  const answer = before.ok && before.value.state !== "unproven" ? await checkAfter(before.value, site, signal) : before;
  if (answer.ok && path !== undefined) writeFileSync(path, `${JSON.stringify(answer.value, undefined, 2)}\n`);
  return answer;
}

async function failedBefore(
  known: Reproduction | undefined,
  wish: ReproductionWish,
  site: ProofSite,
  signal: AbortSignal | undefined,
): Promise<Answer<Reproduction>> {
  const isSame = known?.command === wish.command && known.signature === wish.failsWith.trim();
  if (known !== undefined && isSame && known.state !== "unproven" && known.state !== "broken")
    return { ok: true, value: known };
  const fresh: Reproduction = { id: "reproduction", state: "unproven", issue: wish.failsWith, before: [], after: [] };
  return checkBefore(fresh, wish, site, signal);
}

function readRecord(path: string): Answer<Reproduction | undefined> {
  if (!existsSync(path)) return { ok: true, value: undefined };
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isRecord(value)) return { ok: true, value };
  } catch {
    // Told below.
  }
  return refused(`${path} is not a reproduction record.`, "Choose another file with --record.");
}

function isRecord(value: unknown): value is Reproduction {
  if (!isJsonObject(value)) return false;
  const { state, issue, before, after } = value;
  const hasState = reproductionStates.some((each) => each === state);
  return hasState && typeof issue === "string" && Array.isArray(before) && Array.isArray(after);
}
