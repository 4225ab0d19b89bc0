/** A call that its server works on as a task: asked about until it is over, its questions answered, cancelled on request. */
import { isJsonObject } from "@kedge/protocol";
import { type CallToolResult, type Client, isCallToolResult, ProtocolError } from "@modelcontextprotocol/client";
import type { Elicit, ElicitAnswer } from "../connection/connect-parts.ts";
import { connectMs } from "../connection/limits.ts";
import { anyObject } from "../connection/list-pages.ts";
import type { LiveServer } from "../connection/live-server.ts";
import type { TaskRef } from "../connection/task-result.ts";
import type { TaskNews } from "./task-news.ts";

export type TaskEnd =
  | { readonly kind: "completed"; readonly result: CallToolResult }
  /** `says` is ours; `data` is the server's word. */
  | { readonly kind: "failed"; readonly says: string; readonly data?: string }
  | { readonly kind: "cancelled" };

export type FollowTaskParts = {
  readonly live: LiveServer;
  readonly news: TaskNews;
  /** Cancels the task. */
  readonly signal: AbortSignal;
  readonly elicit: Elicit;
  /** The server's word on how far it is. */
  readonly onStatus: (text: string) => void;
};

const cancelMs = 5_000;
/** In a row, before the task is given up. */
const failuresMax = 5;

export async function followTask({ taskId, pollMs }: TaskRef, parts: FollowTaskParts): Promise<TaskEnd> {
  const { live, news, signal, onStatus } = parts;
  const answered = new Set<string>();
  let failures = 0;
  let last = "";
  while (!signal.aborted) {
    const seen = await look(taskId, parts);
    if (seen === undefined) {
      failures += 1;
      if (failures >= failuresMax) return { kind: "failed", says: "the server stopped answering" };
    } else {
      failures = 0;
      if ("kind" in seen) return seen;
      if (seen.statusMessage !== last) onStatus(seen.statusMessage);
      last = seen.statusMessage;
      const problem = await answerInputs(taskId, { ...parts, inputs: seen.inputs, answered });
      if (problem !== undefined) {
        await cancel(taskId, live);
        return { kind: "failed", says: problem };
      }
    }
    await news.until(taskId, pollMs, signal);
  }
  await cancel(taskId, live);
  return { kind: "cancelled" };
}

type Working = { readonly statusMessage: string; readonly inputs: readonly (readonly [string, unknown])[] };

/** Undefined where nothing could be learned now. */
async function look(taskId: string, { live, signal }: FollowTaskParts): Promise<TaskEnd | Working | undefined> {
  try {
    const answer = await request(live, { method: "tasks/get", params: { taskId } }, signal);
    return answer && read(answer);
  } catch (error) {
    // The server knows nothing of it, and never will.
    if (error instanceof ProtocolError)
      return { kind: "failed", says: `the server lost it (code ${error.code})`, data: error.message };
    return undefined;
  }
}

function read(answer: { readonly [name: string]: unknown }): TaskEnd | Working {
  const { status, result, error, statusMessage, inputRequests } = answer;
  switch (status) {
    case "completed":
      return isCallToolResult(result)
        ? { kind: "completed", result }
        : { kind: "failed", says: "it returned an invalid result" };
    case "failed": {
      const message = isJsonObject(error) ? error["message"] : statusMessage;
      return { kind: "failed", says: "it failed", ...(typeof message === "string" && { data: message }) };
    }
    case "cancelled":
      return { kind: "cancelled" };
    case "working":
    case "input_required":
      return {
        statusMessage: typeof statusMessage === "string" ? statusMessage : "",
        inputs: isJsonObject(inputRequests) ? Object.entries(inputRequests) : [],
      };
    default:
      return { kind: "failed", says: "the server reported an unknown status" };
  }
}

type Inputs = FollowTaskParts & {
  readonly taskId?: string;
  readonly inputs: Working["inputs"];
  /** Keys of questions that were answered before; a server may still list them. */
  readonly answered: Set<string>;
};

/** The text says why it cannot be answered. */
async function answerInputs(
  taskId: string,
  { live, signal, elicit, inputs, answered }: Inputs,
): Promise<string | undefined> {
  const open = inputs.filter(([key]) => !answered.has(key));
  if (open.length === 0) return undefined;
  const responses: { [key: string]: ElicitAnswer } = {};
  for (const [key, asked] of open) {
    const question = isJsonObject(asked) && asked["method"] === "elicitation/create" ? asked["params"] : undefined;
    if (!isJsonObject(question)) return "it requests something that kedge does not support";
    const { mode, message = "", url, elicitationId = "", requestedSchema } = question;
    const words = String(message);
    responses[key] = await (mode === "url"
      ? elicit({ mode: "url", message: words, url: String(url), elicitationId: String(elicitationId) }, signal)
      : elicit({ mode: "form", message: words, requestedSchema }, signal));
    answered.add(key);
  }
  try {
    await request(live, { method: "tasks/update", params: { taskId, inputResponses: responses } }, signal);
  } catch {
    return "the server rejected the answers";
  }
  return undefined;
}

async function cancel(taskId: string, live: LiveServer): Promise<void> {
  const signal = AbortSignal.timeout(cancelMs);
  await request(live, { method: "tasks/cancel", params: { taskId } }, signal).catch(() => undefined);
}

async function request(live: LiveServer, asked: Parameters<Client["request"]>[0], signal: AbortSignal) {
  const used = await live.use(
    (client) => client.request(asked, anyObject, { signal, timeout: connectMs }),
    () => true,
  );
  return used.ok ? used.value : undefined;
}
