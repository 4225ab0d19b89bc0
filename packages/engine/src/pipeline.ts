/** Takes one tool call through all its phases, so that no tool can forget one, to exactly one `tool.ended`. */
import type {
  ChildCall,
  ChildResult,
  Denial,
  EditMode,
  FactOf,
  FileChange,
  FileState,
  JsonObject,
  Media,
  Need,
  OutputSink,
  PermissionDecision,
  PhaseTimings,
  Tool,
  ToolCallBlock,
  ToolContext,
  ToolOutcome,
  ToolOutput,
} from "@kedge/protocol";
import { attempt, errorText } from "./attempt.ts";
import { boundOutput } from "./bound-output.ts";
import { editedCall, editNote, parseArguments } from "./call-input.ts";
import { createCallPermission } from "./call-permission.ts";
import type { SessionCheckpoints } from "./checkpoints.ts";
import type { RunClassifier } from "./classifier/run-classifier.ts";
import { type RunConduct, shellCommandOf } from "./conduct.ts";
import type { SessionDialogue } from "./dialogue.ts";
import type { DoomLoop } from "./doom-loop.ts";
import type { Journal } from "./journal.ts";
import type { EngineParts } from "./parts.ts";
import type { AskVerdict } from "./permission/index.ts";
import type { Questions } from "./questions.ts";
import type { SessionGates } from "./session-gates.ts";
import type { Steering } from "./steering.ts";
import { storedMetadata, storedText } from "./stored-limit.ts";
import type { ToolPool } from "./tool-pool.ts";
import { createUndoCoverage } from "./undo-coverage.ts";
import { type WatchedCall, watchCall } from "./watch-call.ts";
import { describeChanges, reachOf, type WorkspaceGuard } from "./workspace-guard.ts";

export type PreparedCall =
  | {
      readonly ok: true;
      readonly call: ToolCallBlock;
      readonly tool: Tool;
      readonly input: unknown;
      readonly readOnly: boolean;
      readonly concurrencySafe: boolean;
      /** A person wrote the input in the place of the model's, when asked this. */
      readonly answered?: AskVerdict;
    }
  | {
      readonly ok: false;
      readonly call: ToolCallBlock;
      readonly problem: string;
      readonly answered?: AskVerdict;
    };

/** What tools of a session share. */
export type ToolServices = Pick<ToolContext, "artifacts" | "jobs" | "todos" | "planning" | "upkeep" | "isShown">;

export type PipelineParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  readonly pool: ToolPool;
  readonly files: FileState;
  readonly questions: Questions;
  readonly guard: WorkspaceGuard;
  readonly gates: SessionGates;
  readonly conduct: RunConduct;
  readonly services: ToolServices;
  readonly editMode: EditMode;
  readonly dialogue: SessionDialogue;
  readonly checkpoints: SessionCheckpoints;
  readonly steering: Steering;
  readonly doomLoop: DoomLoop;
  readonly classifier: RunClassifier | undefined;
  /** Told of every refusal, for the result of the run. */
  readonly onDenial: (denial: Denial) => void;
  /** Told when the user said no without a word: the run stops. */
  readonly onPlainRejection: () => void;
};

export interface Pipeline {
  /** Finds the tool and parses the input; no side effects. */
  prepare(call: ToolCallBlock): PreparedCall;
  /**
   * Resolves when the call is over and its end is on its way to the journal; `ended` inside resolves when it is stored.
   */
  run(prepared: PreparedCall, stepId: string, signal: AbortSignal): Promise<{ readonly ended: Promise<void> }>;
  /** A call of this tool is on its way. */
  announce(tool: string): void;
  /** Ends a call that never ran. */
  drop(call: ToolCallBlock, stepId: string): Promise<void>;
}

export const abortedText = "Tool execution aborted";
/** What kedge itself says below a shortened result. */
const noteCharactersMax = 300;

type CallEnd = {
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly title?: string;
  readonly metadata?: JsonObject;
  readonly media?: readonly Media[];
  readonly decision?: PermissionDecision;
};

/** The call inside which others run. */
type Parent = { readonly call: ToolCallBlock; readonly stepId: string; readonly signal: AbortSignal };

export function createPipeline(parts: PipelineParts): Pipeline {
  const { engine, journal, pool } = parts;
  const { clock, workspace } = engine;
  const permissionFor = createCallPermission(parts);
  const heldFor = createUndoCoverage(engine);

  function prepare(call: ToolCallBlock): PreparedCall {
    const problem = (text: string): PreparedCall => ({ ok: false, call, problem: text });
    if (call.incomplete) return problem("The arguments were cut off before they were complete. Make the call again.");
    const tool = pool.find(call.tool);
    if (tool === undefined) {
      return problem(`There is no tool named ${call.tool}. The closest are: ${pool.nearNames(call.tool).join(", ")}.`);
    }
    const raw = parseArguments(call.inputText);
    if (!raw.ok) return problem(`The arguments are not valid JSON: ${raw.report}. Make the call again.`);
    const parsed = tool.parse(raw.value);
    if (!parsed.ok) return problem(parsed.report);
    const { input } = parsed;
    return { ok: true, call, tool, input, readOnly: tool.readOnly(input), concurrencySafe: isSafe(tool, input) };
  }

  /** What was let run beside others must not become a call that needs to run alone. */
  function objectionToEdit(
    { call, concurrencySafe }: Extract<PreparedCall, { ok: true }>,
    changed: JsonObject,
  ): string | undefined {
    const again = prepare(editedCall(call, changed));
    if (!again.ok) return engine.redact(again.problem);
    return concurrencySafe && !again.concurrencySafe
      ? "This input cannot run beside the other calls; reject the call and say what to do instead."
      : undefined;
  }

  async function run(
    prepared: PreparedCall,
    stepId: string,
    signal: AbortSignal,
    parentCallId?: string,
  ): Promise<{ readonly ended: Promise<void>; readonly end: CallEnd }> {
    const { call } = prepared;
    const phases: { [phase: string]: number } = {};
    const inside = parentCallId === undefined ? {} : { parentCallId };
    let command: string | undefined;
    const finish = (reached: CallEnd, files?: readonly FileChange[]) => {
      const end = prepared.answered === undefined ? reached : withEditNote(reached, call);
      const fact = { ...endFact(call, stepId, end, phases), ...inside };
      const { outcome, output, metadata } = end;
      const { input, readOnly } = prepared.ok ? prepared : unprepared;
      const { callId, tool } = call;
      const followed = parts.conduct.callEnded({
        callId,
        tool,
        input,
        readOnly,
        outcome,
        output,
        metadata,
        command,
        files,
      });
      return { ended: journal.emit(fact, ...followed), end };
    };
    if (signal.aborted) return finish(interrupted);
    if (!prepared.ok) {
      return finish({ outcome: "failed", output: engine.redact(prepared.problem) });
    }
    const { tool, input, readOnly } = prepared;
    let since = clock.monotonicMs();
    const mark = (phase: string) => {
      const now = clock.monotonicMs();
      phases[phase] = Math.round((now - since) * 1000) / 1000;
      since = now;
    };
    const context = contextOf(call, stepId, signal);

    // No await where there is nothing to wait for: a plain read then shares its transaction with the answer it follows.
    if (tool.validate !== undefined) {
      const objection = await attempt(async () => tool.validate?.(input, context), engine.redact);
      mark("validate");
      if (!objection.ok) return finish({ outcome: "failed", output: objection.report });
      if (objection.value !== undefined) return finish({ outcome: "failed", output: engine.redact(objection.value) });
    }
    const needs = tool.needs(input, workspace.cwd);
    command = shellCommandOf(needs);
    const { answered } = prepared;
    const objectionTo = (changed: JsonObject) => objectionToEdit(prepared, changed);
    const asked = permissionFor({
      ...{ tool, input, inputText: call.inputText, readOnly, needs, stepId, context, objectionTo },
      ...(answered !== undefined && { answered }),
    });
    const permitted = asked instanceof Promise ? await asked : asked;
    mark("permission");
    if (permitted.outcome === "interrupted") return finish(interrupted);
    if (permitted.outcome === "edited") {
      const again = prepare(editedCall(call, permitted.input));
      return run({ ...again, answered: permitted.answered }, stepId, signal, parentCallId);
    }
    if (permitted.outcome === "refused") {
      parts.onDenial({ callId: call.callId, tool: call.tool, reason: permitted.decision.reason });
      return finish(permitted);
    }

    const watched = readOnly ? undefined : await watchFiles(tool, needs, stepId, signal);
    if (!readOnly) mark("snapshot");
    if (signal.aborted) {
      await watched?.ended({ isTold: true, isStillAtWork: false });
      return finish(interrupted);
    }
    const started = journal.emit({
      type: "tool.started",
      callId: call.callId,
      stepId,
      tool: tool.name,
      inputText: call.inputText,
      readOnly,
      decision: permitted.decision,
      ...(watched?.snapshot !== undefined && { snapshot: watched.snapshot }),
    });
    // Only a call that can do something waits for the disk: a read that a crash forgets has changed nothing.
    if (readOnly && reads(needs)) started.catch(() => undefined);
    else await started;
    mark("record");
    const ran = await attempt(() => runTool(tool, input, context), engine.redact);
    mark("execute");
    // A call that finished its work is recorded as finished, even if the interruption came meanwhile.
    const isCut = signal.aborted && (!ran.ok || ran.value.isError === true);
    const end: CallEnd = ran.ok ? endOf(tool, keepWhole(tool, ran.value)) : { outcome: "failed", output: ran.report };
    const told = isCut ? { ...interrupted, ...partial(context) } : end;
    if (watched === undefined) return finish(told);
    const files = await filesChangedBy(told, watched);
    mark("changes");
    return finish(withChanges(told, files), files);
  }

  async function watchFiles(tool: Tool, needs: readonly Need[], stepId: string, signal: AbortSignal) {
    const text = engine.redact(shellCommandOf(needs) ?? namedCall(tool, needs));
    const cause = { text, step: journal.state.turns };
    return watchCall(parts, { stepId, reach: reachOf(needs), held: await heldFor(needs), cause, signal });
  }

  function filesChangedBy({ metadata = {} }: CallEnd, watched: WatchedCall): Promise<readonly FileChange[]> {
    const { jobId } = metadata;
    const isTold = metadata["diff"] !== undefined || metadata["perFileResults"] !== undefined;
    const isStillAtWork = typeof jobId === "string" && parts.services.jobs.find(jobId)?.status === "running";
    return watched.ended({ isTold, isStillAtWork });
  }

  /** One after the other, in the order given: a call may build on the one before. */
  async function runChildren(calls: readonly ChildCall[], parent: Parent): Promise<readonly ChildResult[]> {
    const results: ChildResult[] = [];
    for (const [index, { tool, input }] of calls.entries()) {
      const callId = `${parent.call.callId}_${index + 1}`;
      const call: ToolCallBlock = { type: "tool-call", callId, tool, inputText: JSON.stringify(input ?? {}) };
      const { ended, end } = await run(prepare(call), parent.stepId, parent.signal, parent.call.callId);
      await ended;
      results.push({ tool, output: end.output, isError: end.outcome !== "completed" });
    }
    return results;
  }

  function contextOf(call: ToolCallBlock, stepId: string, signal: AbortSignal): ToolContext {
    let count = 0;
    const { sessionId } = journal.state;
    const onProgress = (text: string, stream: "stdout" | "stderr") => {
      count += 1;
      journal.signal({ type: "tool.progress", sessionId, callId: call.callId, count, text, stream });
    };
    let sink: OutputSink | undefined;
    const { artifacts } = parts.services;
    return {
      ...parts.services,
      editMode: parts.editMode,
      callId: call.callId,
      cwd: workspace.cwd,
      signal,
      files: parts.files,
      // Most calls print nothing while they run, so the sink is made by the first that does.
      get sink() {
        sink ??= engine.resources.newOutputSink({ onProgress, openArtifact: () => artifacts.create(call.tool) });
        return sink;
      },
      dialogue: { ask: (questions) => parts.dialogue.ask(questions, { callId: call.callId, signal }) },
      children: { run: (calls) => runChildren(calls, { call, stepId, signal }) },
      checkpoints: parts.checkpoints.of({ callId: call.callId, stepId }),
    };
  }

  function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutput> {
    if (!tool.interruptible) return tool.run(input, context);
    return parts.steering.during(context.signal, (signal) => tool.run(input, { ...context, signal }));
  }

  /** What the model will not see whole lies in an artifact, unless the tool has put it into one already. */
  function keepWhole(tool: Tool, result: ToolOutput): ToolOutput {
    const { output, metadata } = result;
    if (output.length <= tool.resultCharactersMax || result.isError || metadata?.["artifact"] !== undefined)
      return result;
    const artifact = parts.services.artifacts.create(tool.name);
    artifact.write(output);
    artifact.close();
    const { number } = artifact;
    const shown = boundOutput(output, tool.resultCharactersMax);
    const note = `\n(all ${output.length} characters: read artifact://${number}, with a range such as artifact://${number}:1-200)`;
    return { ...result, output: shown + note, metadata: { ...metadata, artifact: number } };
  }

  function endOf(tool: Tool, result: ToolOutput): CallEnd {
    const output = result.isError
      ? errorText(result.output, engine.redact)
      : boundOutput(result.output, tool.resultCharactersMax + noteCharactersMax);
    return {
      outcome: result.isError ? "failed" : "completed",
      output,
      title: result.title,
      ...(result.metadata !== undefined && { metadata: result.metadata }),
      ...(result.media !== undefined && { media: result.media }),
    };
  }

  return {
    prepare,
    announce: (tool) => pool.find(tool)?.warmUp?.(),
    run,
    drop: (call, stepId) => journal.emit(endFact(call, stepId, interrupted, {})),
  };
}

/** What is known of a call whose tool or input is unknown. */
const unprepared = { input: undefined, readOnly: false };

const interrupted: CallEnd = { outcome: "interrupted", output: abortedText };

function reads(needs: readonly Need[]): boolean {
  return needs.every((need) => need.access === "read");
}

/** Says above the result what a person changed. */
function withEditNote(end: CallEnd, call: ToolCallBlock): CallEnd {
  return { ...end, output: end.output === "" ? editNote(call) : `${editNote(call)}\n\n${end.output}` };
}

/** How a person would name a call that is no command. */
function namedCall({ name }: Tool, needs: readonly Need[]): string {
  return [name, ...needs.flatMap(({ patterns }) => patterns)].join(" ");
}

/** Names the files that a call changed, below its output. */
function withChanges(end: CallEnd, files: readonly FileChange[]): CallEnd {
  const { metadata = {}, output } = end;
  if (files.length === 0) return end;
  const changes = describeChanges(files);
  const gap = output === "" || output.endsWith("\n") ? "" : "\n";
  return { ...end, output: `${output}${gap}${changes.line}`, metadata: { ...metadata, ...changes.metadata } };
}

function partial(context: ToolContext): Partial<CallEnd> {
  const text = context.sink.text();
  return text === "" ? {} : { output: `${abortedText}. Output until then:\n${text}` };
}

function endFact(call: ToolCallBlock, stepId: string, end: CallEnd, phases: PhaseTimings): FactOf<"tool.ended"> {
  const { metadata } = end;
  return {
    type: "tool.ended",
    callId: call.callId,
    stepId,
    tool: call.tool,
    ...end,
    output: storedText(end.output),
    ...(metadata !== undefined && { metadata: storedMetadata(metadata) }),
    phases,
  };
}

/** A tool that cannot tell counts as not safe. */
function isSafe(tool: Tool, input: unknown): boolean {
  try {
    return tool.concurrencySafe(input);
  } catch {
    return false;
  }
}
