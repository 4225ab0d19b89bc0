/** Hooks of a session's turning points, as one session moment. */
import type {
  AddedContext,
  CompactionAnswer,
  JsonObject,
  PromptAnswer,
  SessionMoment,
  SessionPlace,
  StartedSession,
  StartingCompaction,
  StopAnswer,
  StoppingRun,
  SubmittedPrompt,
} from "@kedge/protocol";
import { askForPermission, tellOfEndedCalls } from "./call-questions.ts";
import { asLine, foldAnswers } from "./fold-answers.ts";
import type { HookEvent } from "./hook-events.ts";
import type { HookParts } from "./hook-parts.ts";
import type { HookedCalls } from "./hook-phase.ts";
import type { Fired, FireOptions, HookSet } from "./hook-set.ts";
import { nameSession, startFields, stopFields } from "./session-fields.ts";
import type { SessionNotes } from "./session-notes.ts";

export type HookMomentParts = {
  readonly set: HookSet;
  readonly parts: HookParts;
  readonly notes: SessionNotes;
  readonly calls: HookedCalls;
};

export function createHookMoment({ set, parts, notes, calls }: HookMomentParts): SessionMoment {
  const isChild = ({ origin }: SessionPlace) => origin?.kind === "child";
  let { setup } = parts;

  /** Once per process. */
  function takeSetup(): HookParts["setup"] {
    const taken = setup;
    setup = undefined;
    return taken;
  }

  async function fire(
    name: HookEvent,
    place: SessionPlace,
    fields: JsonObject,
    { signal, ...options }: FireOptions & { readonly signal: AbortSignal },
  ) {
    const { sessionId, cwd } = place;
    const all = { ...notes.fieldsOf(place), ...fields };
    return set.fire({ name, sessionId, cwd, fields: all }, signal, options);
  }

  async function sessionStarted(session: StartedSession, signal: AbortSignal): Promise<AddedContext | undefined> {
    const { source, model, sessionId, cwd } = session;
    if (isChild(session) && source === "compact") return undefined;
    for (const directory of isChild(session) || source === "compact" ? [] : parts.addedDirectories) {
      const fields = { ...notes.fieldsOf(session), directory, source: "flag" };
      set.tell({ name: "DirectoryAdded", sessionId, cwd, fields });
    }
    const trigger = isChild(session) ? undefined : takeSetup();
    const prepared = trigger === undefined ? nothing : await fire("Setup", session, { trigger }, { signal });
    const fired = isChild(session)
      ? await fire("SubagentStart", session, {}, { signal })
      : await fire("SessionStart", session, { ...startFields(session, { parts, notes }), model }, { signal });
    // Nobody waits: a session that closes meanwhile must not wait for its own turn. One that cannot be stored is none.
    nameSession(session.sessionId, fired, parts).catch(() => undefined);
    const context = [prepared, fired].flatMap((each) => foldAnswers(each).context);
    return context.length === 0 ? undefined : { context: context.map(asLine) };
  }

  /** What a session is told that works for another one, no user wrote. */
  async function promptSubmitted(prompt: SubmittedPrompt, signal: AbortSignal): Promise<PromptAnswer | undefined> {
    if (isChild(prompt)) return undefined;
    const { text, promptId, command } = prompt;
    const fields = { prompt_id: promptId, prompt: text };
    const both = await Promise.all([
      fire("UserPromptSubmit", prompt, fields, { signal }),
      command === undefined
        ? nothing
        : fire("UserPromptExpansion", prompt, { ...fields, ...expansionOf(command) }, { signal }),
    ]);
    const fired: Fired = {
      answers: both.flatMap(({ answers }) => answers),
      failures: both.flatMap(({ failures }) => failures),
    };
    const { decision, reason, by, context, stop } = foldAnswers(fired);
    if (decision === "deny") return { decision: "refuse", text: reason, by };
    if (stop !== undefined) return { decision: "refuse", text: stop, by: "a hook" };
    await nameSession(prompt.sessionId, fired, parts);
    const rewriter = fired.answers.findLast(({ answer }) => answer.updatedPrompt !== undefined);
    if (rewriter === undefined && context.length === 0) return undefined;
    return {
      decision: "pass",
      ...(rewriter?.answer.updatedPrompt !== undefined && { text: rewriter.answer.updatedPrompt }),
      ...(rewriter !== undefined && { by: `hook ${rewriter.hook.name}` }),
      context: context.map(asLine),
    };
  }

  async function compacting(
    compaction: StartingCompaction,
    signal: AbortSignal,
  ): Promise<CompactionAnswer | undefined> {
    const { trigger, strategy, instructions = "" } = compaction;
    const kind = trigger === "manual" ? "manual" : "auto";
    const fields = { trigger: kind, custom_instructions: instructions, strategy, reason: trigger };
    const folded = foldAnswers(await fire("PreCompact", compaction, fields, { signal }));
    if (folded.decision === "deny") return { decision: "refuse", text: `${folded.by}: ${folded.reason}` };
    if (folded.context.length === 0) return undefined;
    return { decision: "pass", instructions: folded.context.map(({ text }) => text).join("\n") };
  }

  async function runStopping(run: StoppingRun, signal: AbortSignal): Promise<StopAnswer | undefined> {
    const fields = stopFields(run, parts);
    const name = isChild(run) ? "SubagentStop" : "Stop";
    const ofAgent = isChild(run) ? { agent_transcript_path: parts.transcriptPath(run.sessionId) } : {};
    const { decision, reason, by, stop } = foldAnswers(await fire(name, run, { ...fields, ...ofAgent }, { signal }));
    return decision === "deny" && stop === undefined ? { decision: "continue", text: reason, by } : undefined;
  }

  return {
    name: "hooks",
    onError: "refuse",
    sessionStarted,
    promptSubmitted,
    permissionAsked: (question, signal) => askForPermission({ set, notes, calls }, question, signal),
    callsEnded: (ended, signal) => tellOfEndedCalls({ set, notes, calls }, ended, signal),
    compacting,
    runStopping,
    async sessionEnded(place, signal) {
      const { sessionId } = place;
      const options = { signal, totalMs: parts.sessionEndMs };
      if (!isChild(place)) await fire("SessionEnd", place, { reason: "other" }, options);
      notes.forget(sessionId);
    },
  };
}

const nothing: Fired = { answers: [], failures: [] };

function expansionOf({ name, argument }: NonNullable<SubmittedPrompt["command"]>): JsonObject {
  return {
    expansion_type: "slash_command",
    command_name: name,
    command_args: argument,
    command_source: "kedge",
  };
}
