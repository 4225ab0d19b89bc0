/** How a session conducts itself: what its calls and the user's messages say about pressure, force and repetition. */
import { posix, relative, resolve } from "node:path";
import type { FactOf, FileChange, JsonObject, Need, PressureLevel, Question, ToolOutcome } from "@kedge/protocol";
import type { GateParts } from "../gates/index.ts";
import type { EngineParts } from "../parts.ts";
import { canonicalPermission } from "../permission/index.ts";
import {
  checkpointQuestion,
  createEscalationWatch,
  createPressureMonitor,
  createRejectedCalls,
  diagnosisReminder,
  isTestOrCriteria,
  type ObservedCall,
  type PressureReading,
  type RejectedCalls,
} from "../pressure/index.ts";

export type FinishedCall = {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly readOnly: boolean;
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly metadata?: JsonObject | undefined;
  /** The shell command, if it is one. */
  readonly command?: string | undefined;
  /** What it changed beside its own diff, relative to the root. */
  readonly files?: readonly FileChange[] | undefined;
};

/** The question at which a run under high pressure waits, and the call that brought it there. */
export type Pause = { readonly question: Question; readonly callId: string };

export type PressureChanged = FactOf<"pressure.changed">;

/** One per session or agent. */
export interface SessionConduct {
  startRun(): RunConduct;
}

export interface RunConduct {
  readonly rejected: RejectedCalls;
  /** A message entered the model's view. What it changed is to be recorded with it. */
  userSpoke(text: string): readonly PressureChanged[];
  /** Once for each call, in the order in which they end. What it changed is to be recorded with the end. */
  callEnded(call: FinishedCall): readonly PressureChanged[];
  level(): PressureLevel;
  /** What the gates must know about a call that may change something. */
  gateInput(needs: readonly Need[]): Pick<GateParts, "pressure" | "escalation">;
  /** For the next step, once per run: the words that ask the model for a diagnosis. */
  takeDiagnosis(): string | undefined;
  /** Once for each rise to the highest level. */
  takePause(): Pause | undefined;
}

const nothing: readonly PressureChanged[] = [];
const calmInput: Pick<GateParts, "pressure" | "escalation"> = {};

/** Reads are only counted, and told when something follows for which they matter; more of them say no more. */
const looksToldMax = 30;
const look: ObservedCall = { callId: "", tool: "", input: undefined, outcome: "completed", output: "" };

export type ConductParts = Pick<EngineParts, "workspace" | "pressure" | "redact">;

export function createConduct({ workspace, pressure, redact }: ConductParts): SessionConduct {
  const escalation = createEscalationWatch();
  const rejected = createRejectedCalls();
  let looks = 0;

  function tellLooks(observe: (call: ObservedCall) => void): void {
    for (let told = Math.min(looks, looksToldMax); told > 0; told -= 1) observe(look);
    looks = 0;
  }

  function startRun(): RunConduct {
    rejected.runStarted();
    tellLooks(escalation.observe);
    const monitor = createPressureMonitor(pressure);
    let diagnosis: string | undefined;
    let isDiagnosed = false;
    let pause: Pause | undefined;

    function observe(call: ObservedCall): PressureReading {
      escalation.observe(call);
      return monitor.observe(call);
    }

    function followUp(reading: PressureReading): readonly PressureChanged[] {
      if (!reading.changed) return nothing;
      const { level, score } = reading;
      if (reading.rose && !isDiagnosed) {
        isDiagnosed = true;
        diagnosis = redact(diagnosisReminder(reading));
      }
      if (reading.rose && level === "high") pause = pauseOf(reading, redact);
      const contributions = reading.contributions.map((each) => ({ ...each, why: redact(each.why) }));
      return [{ type: "pressure.changed", level, score, contributions }];
    }

    return {
      rejected,
      userSpoke(text) {
        rejected.userSpoke();
        return followUp(monitor.observeUser(text));
      },
      callEnded(call) {
        if (call.readOnly && call.command === undefined && call.outcome === "completed") {
          looks += 1;
          return nothing;
        }
        tellLooks(observe);
        return followUp(observe(observedCall(call, workspace)));
      },
      level: () => monitor.reading().level,
      gateInput(needs) {
        const command = shellCommandOf(needs);
        const { level } = monitor.reading();
        if (command === undefined && level === "calm") return calmInput;
        tellLooks(observe);
        const earlier = command === undefined ? undefined : escalation.earlierFailure(command);
        return {
          ...(level !== "calm" && { pressure: { level, isTestEdit: editsTests(needs, workspace) } }),
          ...(earlier !== undefined && { escalation: earlier }),
        };
      },
      takeDiagnosis() {
        const taken = diagnosis;
        diagnosis = undefined;
        return taken;
      },
      takePause() {
        const taken = pause;
        pause = undefined;
        return taken;
      },
    };
  }

  return { startRun };
}

/** Undefined for a call that states no shell command. */
export function shellCommandOf(needs: readonly Need[]): string | undefined {
  return needs.find(isShell)?.patterns[0];
}

function isShell({ permission }: Need): boolean {
  return canonicalPermission(permission) === "bash";
}

function pauseOf(reading: PressureReading, redact: EngineParts["redact"]): Pause {
  const question = checkpointQuestion(reading);
  const callId = reading.contributions.findLast((each) => each.callId !== "user")?.callId ?? "";
  return { question: { ...question, question: redact(question.question) }, callId };
}

function observedCall(call: FinishedCall, { root, cwd }: EngineParts["workspace"]): ObservedCall {
  const { callId, tool, input, outcome, output, metadata = {}, command, files } = call;
  const { exitCode, diff, grades } = metadata;
  return {
    callId,
    tool,
    input,
    outcome,
    output,
    ...(typeof exitCode === "number" && { exitCode }),
    ...(typeof diff === "string" && { diff: fromRoot(diff, relative(root, cwd)) }),
    ...(files !== undefined && { files: files.map(({ path }) => path) }),
    ...(command !== undefined && { command }),
    ...(grades !== undefined && { grades }),
  };
}

const fileHeader = /^--- (?:a\/(.*)|\/dev\/null)\n\+\+\+ (?:b\/(.*)|\/dev\/null)$/gm;

/** Tools name files from the working directory. */
function fromRoot(diff: string, directory: string): string {
  if (directory === "") return diff;
  const named = (side: "a" | "b", name: string | undefined) =>
    name === undefined ? "/dev/null" : `${side}/${posix.join(directory, name)}`;
  return diff.replace(
    fileHeader,
    (_, before: string | undefined, after: string | undefined) => `--- ${named("a", before)}\n+++ ${named("b", after)}`,
  );
}

function editsTests(needs: readonly Need[], workspace: EngineParts["workspace"]): boolean {
  const { root, cwd, home, lookAtPath, analyseShell } = workspace;
  const isJudged = (path: string) => isTestOrCriteria(relative(root, resolve(cwd, path)));
  return needs.some((need) => {
    if (need.access === "write") return (need.paths ?? need.patterns).some(isJudged);
    if (!isShell(need)) return false;
    const place = { cwd: need.paths?.[0] ?? cwd, root, home, lookAtPath };
    return need.patterns.some((whole) =>
      analyseShell(whole, place).files.some(
        ({ path, access }) => access === "write" && path !== undefined && isJudged(path),
      ),
    );
  });
}
