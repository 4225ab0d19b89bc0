/** Makes one delta of two that go on with the same thing, so that a screen draws once what came at once. */
import type { JsonObject, Signal } from "@kedge/protocol";
import type { StreamItem } from "./port-messages.ts";

type MergeRule = {
  /** The field that is put together; the later one has the say about all others. */
  readonly text: string;
  /** What has to be equal, beside type and session. */
  readonly same: readonly string[];
};

const mergeRules: ReadonlyMap<string, MergeRule> = new Map([
  ["message.part.delta", { text: "delta", same: ["messageId", "partId", "field"] }],
  ["task.progress", { text: "text", same: ["callId", "stream"] }],
  ["text.delta", { text: "text", same: ["stepId"] }],
  ["reasoning.delta", { text: "text", same: ["stepId"] }],
  ["tool.input.delta", { text: "text", same: ["callId"] }],
  ["tool.progress", { text: "text", same: ["callId", "stream"] }],
]);

type Fields = { readonly [name: string]: unknown };

type Delta = { readonly type: string; readonly sessionId: string | undefined; readonly fields: Fields };

/** Undefined where both have to stay. */
export function mergeDeltas(earlier: StreamItem, later: StreamItem): StreamItem | undefined {
  const [first, second] = [deltaOf(earlier), deltaOf(later)];
  if (first === undefined || second === undefined) return undefined;
  if (first.type !== second.type || first.sessionId !== second.sessionId) return undefined;
  const rule = mergeRules.get(first.type);
  if (rule === undefined || rule.same.some((name) => first.fields[name] !== second.fields[name])) return undefined;
  const [head, tail] = [first.fields[rule.text], second.fields[rule.text]];
  if (typeof head !== "string" || typeof tail !== "string") return undefined;
  const fields = { ...second.fields, [rule.text]: head + tail };
  // It is the later one but for a text that is a text again.
  if ("properties" in later) return { ...later, properties: fields as JsonObject };
  // As above.
  return { kind: "signal", signal: fields as unknown as Signal };
}

function deltaOf(item: StreamItem): Delta | undefined {
  if ("kind" in item) {
    if (item.kind !== "signal") return undefined;
    const { type, sessionId } = item.signal;
    return { type, sessionId, fields: item.signal };
  }
  if (!("properties" in item) || item.seq !== undefined) return undefined;
  return { type: item.type, sessionId: item.sessionId, fields: item.properties };
}
