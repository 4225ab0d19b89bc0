/** Refuses to complete the task of a bug fix while its reproduction is not proven. */
import type { BeforeCall, CallPhase, JsonObject, Reproduction } from "@kedge/protocol";
import { isJsonObject } from "@kedge/protocol";

export type GuardParts = {
  /** Of one session. */
  readonly of: (sessionId: string) => readonly Reproduction[];
  /** Of all sessions that may share a task with this one. */
  readonly around: (sessionId: string) => Promise<readonly Reproduction[]>;
};

export function createReproductionGuard({ of, around }: GuardParts): CallPhase {
  return {
    name: "proof",
    onError: "refuse",
    tools: ["todo_write", "task_update"],
    async before({ tool, input, sessionId }) {
      if (tool === "task_update" && input["status"] !== "done") return undefined;
      const known = tool === "todo_write" ? of(sessionId) : await around(sessionId);
      const open = known.filter(({ state }) => state !== "proven");
      const blocking = tool === "todo_write" ? blockedTodo(input, open) : open.find(({ task }) => task === input["id"]);
      return blocking && refusal(blocking);
    },
  };
}

/** The todo that it is linked with; without a link, the last one that is left. */
function blockedTodo({ todos }: JsonObject, open: readonly Reproduction[]): Reproduction | undefined {
  if (!Array.isArray(todos)) return undefined;
  const items = todos.filter(isJsonObject);
  const done = items.filter(({ status }) => status === "completed").map(({ content }) => String(content).trim());
  if (done.length === 0) return undefined;
  const hasOpen = items.some(({ status }) => status === "pending" || status === "in_progress");
  const names = (content: string, { id, task }: Reproduction) => content === task?.trim() || content.includes(id);
  return open.find((reproduction) => !hasOpen || done.some((content) => names(content, reproduction)));
}

function refusal({ id, state, why }: Reproduction): BeforeCall {
  const reason = why === undefined ? "" : ` ${why}`;
  return {
    decision: "refuse",
    text: `The bug fix cannot be completed: reproduction ${id} is ${state}, not proven.${reason} Prove it with the tool reproduce, or leave the task open and tell the user why.`,
  };
}
