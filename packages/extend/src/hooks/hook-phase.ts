/** Hooks of tool calls as phases: before a call is permitted, and after it ended. */
import { basename } from "node:path";
import {
  type AfterCall,
  type BeforeCall,
  type CallPhase,
  type EndedCall,
  fenceText,
  isJsonObject,
  type JsonObject,
  type PhasedCall,
} from "@kedge/protocol";
import { callViews } from "./call-views.ts";
import { type Folded, foldAnswers } from "./fold-answers.ts";
import type { HookEvent } from "./hook-events.ts";
import type { HookParts } from "./hook-parts.ts";
import type { Answered, Fired, HookSet } from "./hook-set.ts";
import { hookedResult } from "./hooked-result.ts";
import type { SessionNotes } from "./session-notes.ts";
import { taskEventOf } from "./task-events.ts";

export type HookedCalls = {
  readonly phases: readonly CallPhase[];
  /** A call that is under way. */
  find(callId: string): PhasedCall | undefined;
  /** What ended since it was asked last, as `tool_calls` of PostToolBatch. */
  takeEnded(callIds: readonly string[]): readonly JsonObject[];
};

/** What one hook of a call has to say when the call is over. */
type Pending = {
  readonly call: PhasedCall;
  readonly startedMs: number;
  notes: readonly string[];
  endRun?: string;
  isHeld?: true;
};

const callEvents: readonly HookEvent[] = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolBatch",
  "TaskCreated",
  "TaskCompleted",
  "MemoryWritten",
  "CwdChanged",
];

export function createHookPhases(set: HookSet, parts: HookParts, notes: SessionNotes): HookedCalls {
  const pending = new Map<string, Pending>();
  const ended = new Map<string, JsonObject>();
  const asData = ({ by, text }: Folded["context"][number]) =>
    fenceText(parts.neutralise(text, "memory"), { source: "hook", origin: by });

  async function before(call: PhasedCall, signal: AbortSignal): Promise<BeforeCall | undefined> {
    const waiting: Pending = { call, startedMs: parts.monotonicMs(), notes: [] };
    pending.set(call.callId, waiting);
    const fields = notes.fieldsOf(call);
    const { sessionId, cwd } = call;
    const task = taskEventOf(call);
    const fired = await Promise.all([
      set.fire({ name: "PreToolUse", sessionId, cwd, fields, call }, signal, { viewsFor: callViews(call, fields) }),
      task === undefined ? none : set.fire({ ...task, sessionId, cwd, fields: { ...fields, ...task.fields } }, signal),
    ]);
    const all: Fired = {
      answers: fired.flatMap(({ answers }) => answers),
      failures: fired.flatMap(({ failures }) => failures),
    };
    const folded = foldAnswers(all);
    waiting.notes = folded.context.map(asData);
    const refuse = (text: string, by: string): BeforeCall => {
      waiting.isHeld = true;
      return { decision: "refuse", text, by };
    };
    if (folded.stop !== undefined) {
      waiting.endRun = folded.stop;
      return refuse(folded.stop, "a hook");
    }
    if (folded.decision === "deny") return refuse(folded.reason, folded.by);
    const changed = changedInput(all.answers, call.input);
    if (changed !== undefined && "problem" in changed) return refuse(changed.problem, changed.by);
    const { decision, reason, by } = folded;
    if (decision === undefined) return changed && { decision: "change", ...changed };
    return { decision, reason, by, ...(changed !== undefined && { input: changed.input }) };
  }

  /** `redacting` phases come first, so that whatever sees the result later sees what they left. */
  async function after(call: EndedCall, signal: AbortSignal, redacting: boolean): Promise<AfterCall | undefined> {
    const { outcome, sessionId, cwd, output, callId } = call;
    const waiting = pending.get(callId);
    const fields = notes.fieldsOf(call);
    if (outcome === "refused" || outcome === "interrupted") {
      if (!redacting && outcome === "refused" && waiting?.isHeld !== true) {
        const denied = { ...fields, reason: output };
        set.tell(
          { name: "PermissionDenied", sessionId, cwd, fields: denied, call },
          { viewsFor: callViews(call, denied) },
        );
      }
      return waiting?.endRun === undefined ? undefined : { endRun: waiting.endRun };
    }
    const name = outcome === "completed" ? "PostToolUse" : "PostToolUseFailure";
    const durationMs = Math.round(parts.monotonicMs() - (waiting?.startedMs ?? parts.monotonicMs()));
    const fireOn = (shown: string, only = (hook: Answered["hook"]) => hook.redacts === redacting) => {
      const told = { ...fields, ...resultFields(call, shown), duration_ms: durationMs };
      return set.fire({ name, sessionId, cwd, fields: told, call }, signal, { viewsFor: callViews(call, told), only });
    };
    const fired = await fireOn(output);
    return hookedResult(fired, {
      noted: redacting ? [] : (waiting?.notes ?? []),
      asData,
      fireAgain: (shown, hook) => fireOn(shown, (each) => each === hook),
    });
  }

  function isOver(call: EndedCall): void {
    const { callId, tool, input, output, outcome } = call;
    pending.delete(callId);
    if (set.has("PostToolBatch")) {
      const response = { content: output, is_error: outcome !== "completed" };
      ended.set(callId, { tool_name: tool, tool_input: input, tool_use_id: callId, tool_response: response });
    }
    tellOfEffects(call);
  }

  /** What a call has changed beside the files. */
  function tellOfEffects(call: EndedCall): void {
    const { metadata, sessionId, cwd } = call;
    const { directory } = metadata;
    if (isJsonObject(directory)) {
      const { from = "", to = "" } = directory;
      const fields = { ...notes.fieldsOf(call), old_cwd: from, new_cwd: to };
      set.tell({ name: "CwdChanged", sessionId, cwd, fields });
    }
    const path = isJsonObject(metadata["memory"]) ? metadata["memory"]["path"] : undefined;
    if (typeof path !== "string") return;
    const fields = { ...notes.fieldsOf(call), file_path: path, file_name: basename(path) };
    set.tell({ name: "MemoryWritten", sessionId, cwd, fields });
  }

  const phases: readonly CallPhase[] = [
    { name: "hooks", onError: "refuse", before },
    { name: "hooks", onError: "refuse", redacts: true, after: (call, signal) => after(call, signal, true) },
    {
      name: "hooks",
      onError: "continue",
      async after(call, signal) {
        try {
          return await after(call, signal, false);
        } finally {
          isOver(call);
        }
      },
    },
  ];
  return {
    phases: callEvents.some(set.has)
      ? phases.filter((phase) => !phase.redacts || set.mayGrow || set.hooks.some(redacts))
      : [],
    find: (callId) => pending.get(callId)?.call,
    takeEnded: (callIds) =>
      callIds.flatMap((callId) => {
        const found = ended.get(callId);
        ended.delete(callId);
        return found === undefined ? [] : [found];
      }),
  };
}

const none: Fired = { answers: [], failures: [] };

function redacts({ redacts: isRedacting }: Answered["hook"]): boolean {
  return isRedacting;
}

type Changed = { readonly input: JsonObject; readonly by: string } | { readonly problem: string; readonly by: string };

/** In the order of the hooks, managed ones last: each change is made to what the one before left. */
function changedInput(answers: readonly Answered[], original: JsonObject): Changed | undefined {
  let input = original;
  const by: string[] = [];
  for (const { hook, answer, view } of answers) {
    if (answer.updatedInput === undefined) continue;
    const name = `hook ${hook.name}`;
    if (view.inputFrom === undefined) {
      return {
        by: name,
        problem: "The hook changed the input of a call that it sees as another tool, which cannot be followed.",
      };
    }
    input = view.inputFrom(answer.updatedInput, input);
    by.push(name);
  }
  return by.length === 0 ? undefined : { input, by: by.join(", ") };
}

function resultFields({ tool, outcome }: EndedCall, output: string): JsonObject {
  const isFailed = outcome !== "completed";
  const shell = tool === "bash" ? { stdout: output, stderr: "", interrupted: false } : {};
  const response = { content: output, is_error: isFailed, success: !isFailed, ...shell };
  return isFailed ? { error: output, is_interrupt: false } : { tool_response: response };
}
