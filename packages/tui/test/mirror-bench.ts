/** A mirror of a told engine for tests, and the facts that such tests are made of. */
import { type Fact, noUsage, runWithoutSteps, type Signal, type ViewEvent } from "@kedge/protocol";
import { idleActivity } from "../src/state/activity.ts";
import type { ClientState } from "../src/state/client-state.ts";
import { createSessionMirror } from "../src/state/session-mirror.ts";
import { createStateStore } from "../src/state/state-store.ts";
import { createToldEngine } from "./told-engine.ts";

export const one = "ses_one";
export const two = "ses_two";
export const cost = { usd: 0.25, estimated: false };

export const created: Fact = {
  ...{ type: "session.created", directory: "/work", projectId: "prj", model: "mock/one", mode: "default" },
  ...{ kedgeVersion: "0.0.0", boot: "boot" },
};

export function admitted(promptId: string, runId = "run_1"): Fact {
  return { type: "prompt.admitted", promptId, runId, delivery: "follow-up", text: `Do ${promptId}.` };
}

export function started(stepId: string, prompts: readonly string[] = [], reminders: readonly string[] = []): Fact {
  return {
    ...{ type: "step.started", stepId, runId: "run_1", turn: 1, source: "main", model: "mock/one", requestId: "req" },
    prompts: prompts.map((promptId) => ({ promptId, form: "prompt" as const })),
    reminders,
  };
}

export function ended(stepId: string, content: Extract<Fact, { type: "step.ended" }>["content"]): Fact {
  return {
    ...{ type: "step.ended", stepId, outcome: "answered", content, usage: noUsage, cost, stopReason: "end" },
    durationMs: 1,
  };
}

export const callBlock = { type: "tool-call", callId: "call_1", tool: "bash", inputText: "{}" } as const;
export const runEnded: Fact = { type: "run.ended", runId: "run_1", ...runWithoutSteps("completed", "Done.") };
export const callStarted: Fact = {
  ...{ type: "tool.started", callId: "call_1", stepId: "stp_81", tool: "bash", inputText: "{}", readOnly: false },
};
export const callEnded: Fact = {
  ...{ type: "tool.ended", callId: "call_1", stepId: "stp_81", tool: "bash", outcome: "completed", output: "ok" },
  phases: {},
};
export const permissionAsked: Fact = {
  ...{ type: "permission.asked", stepId: "stp_81", requestId: "per_1", callId: "call_1", tool: "bash" },
  ...{ permission: "bash", patterns: ["ls"], always: ["ls *"], reason: "No rule allows it.", preview: "ls" },
};
export const permissionAnswered: Fact = {
  ...{ type: "permission.answered", requestId: "per_1", callId: "call_1", reply: "once", source: "user" },
  ...{ boot: "boot", grants: [] },
};
export const questions = [{ question: "Which?", options: [{ label: "This", description: "" }] }];

export function delta(text: string): Signal {
  return { type: "text.delta", sessionId: one, stepId: "stp_81", text };
}

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !(value instanceof Map) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) frozen(each);
  }
  return value;
}

export function setUp() {
  const engine = createToldEngine();
  const store = createStateStore<ClientState>({
    ...{ connection: "starting", directory: "/work", messages: [], hasOlder: false, tails: new Map(), notices: [] },
    ...{ requests: [], tasks: [], activity: idleActivity(0), isFocused: true },
  });
  const events: ViewEvent[] = [];
  const lost: string[] = [];
  let updates = 0;
  let time = 0;
  store.subscribe(
    (state) => state,
    (state) => {
      updates += 1;
      frozen(state);
    },
  );
  const mirror = createSessionMirror({
    ...{ client: engine.client, store },
    now: () => time,
    onEvent: (event) => events.push(event),
    onLost: (sentence) => lost.push(sentence),
  });
  return {
    ...{ engine, store, mirror, events, lost },
    state: store.get,
    updates: () => updates,
    setTime: (next: number) => {
      time = next;
    },
    texts: () =>
      store
        .get()
        .messages.map(
          ({ role, parts }) => `${role}: ${parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("|")}`,
        ),
  };
}

/** Frames pass through a stream and a batch; both are over after a few turns of the loop. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export async function opened(...facts: readonly Fact[]) {
  const bench = setUp();
  await bench.engine.emit(one, created, ...facts);
  await bench.mirror.open(one);
  return bench;
}
