/** Turns for scripted scenes: answers at a pace, calls of the usual tools, and a model that is asked too often. */
import type { MockToolCall, MockTurn } from "../mock-model/script.ts";
import { paceHeader } from "./paced-model.ts";

/** The same turn, so many deltas each second. */
export function paced(turn: MockTurn, deltasPerSecond: number): MockTurn {
  return { ...turn, headers: { ...turn.headers, [paceHeader]: String(deltasPerSecond) } };
}

export function readCall(filePath: string): MockToolCall {
  return { name: "read", input: { filePath } };
}

export function editCall(filePath: string, oldString: string, newString: string): MockToolCall {
  return { name: "edit", input: { filePath, oldString, newString } };
}

/** Whether it is asked about depends on the command: `ls` is not, `npm test` is, `rm -rf` is in its own way. */
export function bashCall(command: string, description = "Runs a command"): MockToolCall {
  return { name: "bash", input: { command, description } };
}

export function todoCall(todos: readonly { readonly content: string; readonly status: string }[]): MockToolCall {
  return { name: "todo_write", input: { todos } };
}

/** The vendor's way to say: later. */
export function tooManyRequests(retryAfterSeconds: number): MockTurn {
  const message = "Too many requests; slow down.";
  return {
    status: 429,
    headers: { "retry-after": String(retryAfterSeconds) },
    body: JSON.stringify({ error: { message, type: "rate_limit_error" } }),
  };
}
