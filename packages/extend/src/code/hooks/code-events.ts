/** The hooks `event` and `session.tree`: what facts tell, under the names that plugins know, and nobody waits for them. */
import type { Event, Fact, JsonObject } from "@kedge/protocol";
import { shownTool } from "./tool-names.ts";
import type { UnitHooks } from "./unit-hooks.ts";

export type CodeEvents = {
  hear(sessionId: string, event: Event): void;
  /** Waits until everything that was told is through, within the limits of the hooks. */
  settle(): Promise<void>;
};

/** Code that is slower than a session misses the rest. */
const waitingMax = 200;

const heardHooks = ["event", "session.tree"] as const;

type Told = { readonly hook: (typeof heardHooks)[number]; readonly input: JsonObject };

export function createCodeEvents(hooks: readonly UnitHooks[], onNotice: (sentence: string) => void): CodeEvents {
  const lines = hooks.filter((each) => heardHooks.some(each.has)).map((each) => createLine(each, onNotice));
  return {
    hear(sessionId, event) {
      if (event.kind !== "fact") return;
      for (const told of toldBy(sessionId, event.record.fact)) for (const line of lines) line.tell(sessionId, told);
    },
    settle: async () => void (await Promise.all(lines.map((line) => line.settle()))),
  };
}

/** One event after the other, in the order in which things happened. */
function createLine(hooks: UnitHooks, onNotice: (sentence: string) => void) {
  let waiting = 0;
  let hasToldOfLoss = false;
  let last: Promise<unknown> = Promise.resolve();
  return {
    tell(sessionId: string, { hook, input }: Told): void {
      if (!hooks.has(hook)) return;
      if (waiting >= waitingMax) {
        if (!hasToldOfLoss) onNotice(`${hooks.unit.name} is too slow for events; some were dropped.`);
        hasToldOfLoss = true;
        return;
      }
      waiting += 1;
      last = last
        .then(() => hooks.run({ hook, sessionId, input, output: {} }))
        .then((end) => {
          waiting -= 1;
          if (end.kind === "threw") onNotice(`The hook ${hook} of ${hooks.unit.name} failed: ${end.problem}.`);
        });
    },
    settle: () => last,
  };
}

function toldBy(sessionID: string, fact: Fact): readonly Told[] {
  const told = (type: string, properties: JsonObject = {}): Told => ({
    hook: "event",
    input: { event: { type, properties: { sessionID, ...properties } } },
  });
  switch (fact.type) {
    case "session.created":
    case "session.updated":
    case "session.deleted":
      return [told(fact.type, { info: { id: sessionID } })];
    case "prompt.admitted":
      return [
        told("message.updated", { info: { id: fact.promptId, sessionID, role: "user" } }),
        told("session.status", { status: { type: "busy" } }),
      ];
    case "step.ended": {
      const text = fact.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      const part = { id: fact.stepId, messageID: fact.stepId, sessionID, type: "text", text };
      return [
        told("message.updated", { info: { id: fact.stepId, sessionID, role: "assistant" } }),
        ...(text === "" ? [] : [told("message.part.updated", { part })]),
      ];
    }
    case "tool.ended": {
      const { callId, outcome, tool } = fact;
      const state = { status: outcome === "completed" ? "completed" : "error" };
      const part = { id: callId, callID: callId, sessionID, type: "tool", tool: shownTool(tool), state };
      return [told("message.part.updated", { part })];
    }
    case "permission.asked": {
      const properties = { id: fact.requestId, type: shownTool(fact.tool), title: fact.reason };
      return [told("permission.asked", properties), told("permission.updated", properties)];
    }
    case "permission.answered":
      return [told("permission.replied", { permissionID: fact.requestId, response: fact.reply })];
    case "files.changed":
      return fact.files.map(({ path }) => told("file.edited", { file: path }));
    case "todos.replaced":
      return [told("todo.updated", { todos: fact.todos.map((todo) => ({ ...todo })) })];
    case "command.ran":
      return [told("command.executed", { name: fact.command })];
    case "context.compacted":
      return [told("session.compacted")];
    case "leaf.moved": {
      const { leafId } = fact;
      return [{ hook: "session.tree", input: { sessionID, ...(leafId !== undefined && { leafID: leafId }) } }];
    }
    case "run.ended": {
      const { failure } = fact;
      const error =
        failure === undefined
          ? []
          : [told("session.error", { error: { name: failure.code, message: failure.message } })];
      return [...error, told("session.status", { status: { type: "idle" } }), told("session.idle")];
    }
    default:
      return [];
  }
}
