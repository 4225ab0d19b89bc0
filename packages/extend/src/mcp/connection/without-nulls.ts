/** Leaves out members that are null: many servers write that where the protocol wants nothing, and the library refuses it. */
import { isJsonObject } from "@kedge/protocol";

/** Deep enough for what the protocol itself describes. */
const depthMax = 6;

/** What others describe: a null in it is a value. */
const opaque: ReadonlySet<string> = new Set([
  ...["_meta", "inputSchema", "outputSchema", "requestedSchema"],
  ...["structuredContent", "inputResponses", "requestState", "data"],
]);

/** Of the message, of the result of an answer and of the parameters of a request; the same value where there are none. */
export function withoutNulls<Message>(message: Message): Message {
  if (!isJsonObject(message)) return message;
  const outer = withoutOuterNulls(message);
  const key = "result" in outer ? "result" : "params";
  const inner = outer[key];
  const stripped = strip(inner, depthMax);
  // Only members were left out, so that it is as much a message as before.
  return (stripped === inner ? outer : { ...outer, [key]: stripped }) as Message;
}

type Fields = { readonly [name: string]: unknown };

/** As old servers answer, with the error beside the result. */
function withoutOuterNulls(message: Fields): Fields {
  const isAnswer = !("method" in message);
  const { result, error, params } = message;
  const left = new Set<string>();
  if (isAnswer && error === null && result !== undefined) left.add("error");
  if (isAnswer && result === null && isJsonObject(error)) left.add("result");
  if (!isAnswer && params === null) left.add("params");
  return left.size === 0 ? message : Object.fromEntries(Object.entries(message).filter(([name]) => !left.has(name)));
}

/** The same value where there is nothing to leave out. */
function strip(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => strip(item, depth - 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const before = Object.entries(value);
  const after = before.flatMap(([name, member]): [string, unknown][] =>
    member === null ? [] : [[name, opaque.has(name) ? member : strip(member, depth - 1)]],
  );
  const isSame = after.length === before.length && after.every(([, member], at) => member === before[at]?.[1]);
  return isSame ? value : Object.fromEntries(after);
}
