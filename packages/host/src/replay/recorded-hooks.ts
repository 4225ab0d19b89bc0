/** What hooks and agents said when a session was recorded: none runs in a replay, so their words are taken from the record. */
import { agentEndsSource, type FactOf, mailSource, type SessionMoment } from "@kedge/protocol";
import { type RecordedRun, type RecordedStep, stepAfter } from "./recorded-session.ts";

/** A reminder that a hook is the origin of. */
export function isOfHook(text: string): boolean {
  return text.includes('<untrusted-data source="hook"');
}

/** The run would have ended with this step, and a hook or news of agents made it continue. */
function wasContinued(run: RecordedRun, step: RecordedStep): boolean {
  const next = stepAfter(run, step)?.started;
  if (next === undefined || next.prompts.length > 0) return false;
  return next.reminders.some(isOfHook) || hearsOfAgents(next);
}

/** Ends and messages of agents go to the model with this step. */
export function hearsOfAgents({ sent = [] }: Pick<FactOf<"step.started">, "sent">): boolean {
  return sent.some(({ source }) => source === agentEndsSource || source === mailSource);
}

/** Both change as the replay goes on. */
export type ReplayedPlace = { readonly run: RecordedRun | undefined; readonly step: RecordedStep | undefined };

/** Makes runs continue where they did. */
export function recordedHooks(world: ReplayedPlace): SessionMoment {
  return {
    name: "recorded hooks",
    onError: "continue",
    runStopping() {
      const { run, step } = world;
      if (run === undefined || step === undefined || !wasContinued(run, step)) return undefined;
      return { decision: "continue", text: "as recorded" };
    },
  };
}
