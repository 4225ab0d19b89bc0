/** Asks a phase from outside about a call: what it is shown, how long it is waited for, and what its failure becomes. */
import type { CallPhase, JsonObject, PhasedCall } from "@kedge/protocol";
import { modeInForce } from "../asking/mode-in-force.ts";
import { attempt } from "../attempt.ts";
import type { Call } from "../call.ts";
import { type CallServices, notify } from "../call-services.ts";
import { plainCopy } from "./phase-answers.ts";

export type Heard<Answer> =
  | { readonly outcome: "answered"; readonly answer: Answer | undefined }
  /** `sentence` is for people and the model. */
  | { readonly outcome: "failed"; readonly sentence: string }
  | { readonly outcome: "interrupted" };

export type PhaseServices = Pick<CallServices, "engine" | "journal" | "context" | "onStop">;

type Asked<Answer> = {
  readonly ask: () => unknown;
  /** Throws for an answer that is none. */
  readonly read: (answer: unknown) => Answer | undefined;
};

/** A call whose tool or input is not known concerns nobody who asked for certain tools. */
export function concerns({ tools }: CallPhase, { tool, json }: Call): boolean {
  return tools === undefined || (json !== undefined && tools.includes(tool.name));
}

/** A failure is told to the user at once, whatever it means for the call. */
export async function hearPhase<Answer>(
  { name }: { readonly name: string },
  services: Pick<PhaseServices, "engine" | "journal">,
  signal: AbortSignal,
  { ask, read }: Asked<Answer>,
): Promise<Heard<Answer>> {
  if (signal.aborted) return { outcome: "interrupted" };
  const heard = await attempt(async () => read(await unlessAborted(ask, signal)), services.engine.redact);
  if (heard.ok) return { outcome: "answered", answer: heard.value };
  if (signal.aborted) return { outcome: "interrupted" };
  const sentence = `The phase ${name} failed: ${heard.report.replace(/\.$/, "")}.`;
  notify(services, sentence);
  return { outcome: "failed", sentence };
}

/** A phase that does not listen to its signal must not hold up an interruption. */
async function unlessAborted(work: () => unknown, signal: AbortSignal): Promise<unknown> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(new Error("interrupted"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** What a phase does to the objects it is given reaches nobody else. */
export function phasedCall(call: Call, services: PhaseServices): PhasedCall {
  const { engine, journal } = services;
  return {
    sessionId: journal.state.sessionId,
    callId: call.block.callId,
    tool: call.tool.name,
    input: plainCopy(asObject(call.json)),
    needs: plainCopy(call.needs),
    readOnly: call.readOnly,
    cwd: engine.workspace.cwd,
    mode: modeInForce(services),
  };
}

/** Tools take objects; what a tool reads from anything else is no input that a phase could change. */
function asObject(json: Call["json"]): JsonObject {
  return typeof json === "object" && json !== null && !isList(json) ? json : {};
}

function isList(json: object): json is readonly unknown[] {
  return Array.isArray(json);
}
