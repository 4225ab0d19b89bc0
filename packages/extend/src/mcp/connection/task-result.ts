/** The answer to a call that began a task, as a result that the library lets through. */
import { isJsonObject } from "@kedge/protocol";
import type { CallToolResult, JSONRPCMessage } from "@modelcontextprotocol/client";

export type TaskRef = { readonly taskId: string; readonly pollMs: number };

export const tasksExtension = "io.modelcontextprotocol/tasks";

const key = "kedge/task";
const pollMsUsual = 1_000;
const pollMsMin = 100;
const pollMsMax = 30_000;

/** The library knows no result of this kind, and would refuse it without saying which task it names. */
export function withTaskResult(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message) || message.result["resultType"] !== "task") return message;
  const { taskId, pollIntervalMs } = message.result;
  if (typeof taskId !== "string") return message;
  const task = { taskId, ...(typeof pollIntervalMs === "number" && { pollIntervalMs }) };
  return { ...message, result: { resultType: "complete", content: [], _meta: { [key]: task } } };
}

/** Undefined for a result that is there already. */
export function taskOf({ _meta: meta }: CallToolResult): TaskRef | undefined {
  const task = meta?.[key];
  if (!isJsonObject(task) || typeof task["taskId"] !== "string") return undefined;
  const wanted = Number(task["pollIntervalMs"] ?? pollMsUsual);
  const pollMs = Math.min(Math.max(wanted, pollMsMin), pollMsMax);
  return { taskId: task["taskId"], pollMs: Number.isFinite(pollMs) ? pollMs : pollMsUsual };
}
