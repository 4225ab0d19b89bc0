/** Takes up a stored session: finishes what a crash left open, and replaces a model that is gone. */
import {
  type CommandOf,
  type Fact,
  type FactOf,
  type FailureCode,
  isKeptMode,
  type PermissionMode,
  type SessionProfile,
} from "@kedge/protocol";
import type { Journal } from "../journal.ts";
import type { EngineShared } from "../parts.ts";
import { closingFacts, isInterrupted } from "./closing-facts.ts";
import { endingFacts } from "./ending-facts.ts";
import { endLostWork } from "./jobs/lost-jobs.ts";
import { settleRestores } from "./undo.ts";

/** These say that a model is gone; a key that is missing or a server that is down says nothing of the kind. */
const unknownModelCodes: ReadonlySet<FailureCode> = new Set<FailureCode>(["invalid_model", "no_model"]);

export type Resumed = {
  readonly interrupted: boolean;
  /** What is no longer as it was in the session. */
  readonly notice?: string;
};

/** `journal` has the state of all that is stored. */
export async function resumeStored(
  shared: EngineShared,
  profile: SessionProfile,
  journal: Journal,
  command: Pick<CommandOf<"session.resume">, "mode" | "model"> & {
    /** How agents ended that an earlier process left at work. */
    readonly ended: readonly FactOf<"agent.ended">[];
  },
): Promise<Resumed> {
  const { state } = journal;
  const interrupted = isInterrupted(state);
  await settleRestores(state, profile.snapshots);
  endLostWork(state, shared);
  const closing = await withLesson(closingFacts(state), shared, journal);
  const mode = command.mode ?? keptMode(state.mode, shared);
  await journal.emit({ type: "session.resumed", boot: shared.holder.boot, mode }, ...command.ended, ...closing);
  const replaced = command.model === undefined ? await replacement(state.model, profile, shared) : undefined;
  const model = command.model ?? replaced?.model;
  if (model !== undefined && model !== state.model) await journal.emit({ type: "model.changed", model });
  return { interrupted, ...(replaced !== undefined && { notice: replaced.notice }) };
}

/** A run that was cut off is remembered as well. */
async function withLesson(closing: readonly Fact[], shared: EngineShared, journal: Journal): Promise<readonly Fact[]> {
  const last = closing.at(-1);
  if (last?.type !== "run.ended") return closing;
  return [...closing.slice(0, -1), ...(await endingFacts(shared, journal, last))];
}

function keptMode(mode: PermissionMode, { policy }: EngineShared): PermissionMode {
  return isKeptMode(mode) && !policy?.disabledModes.includes(mode) ? mode : "default";
}

/** For a model that nobody knows any more; undefined for one that is known, or where there is no other. */
async function replacement(
  ref: string,
  { model }: SessionProfile,
  { models }: EngineShared,
): Promise<{ readonly model: string; readonly notice: string } | undefined> {
  if (model === undefined || ref === "" || model === ref) return undefined;
  const found = await models.find(ref);
  if (found.ok || !unknownModelCodes.has(found.failure.code)) return undefined;
  return { model, notice: `${ref} is no longer available. Continuing with ${model}.` };
}
