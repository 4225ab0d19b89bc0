/** Reads what a phase from outside answered: others wrote it, so no type holds for it. What it cannot be is thrown. */
import { type AfterCall, type BeforeCall, isJsonObject, type JsonObject } from "@kedge/protocol";

export function readBefore(answer: unknown): BeforeCall | undefined {
  if (answer === undefined) return undefined;
  const fields = fieldsOf(answer);
  const { decision } = fields;
  const by = speakerOf(fields);
  switch (decision) {
    case "refuse":
      return { decision, text: textOf(fields, "text"), ...by };
    case "change":
      return { decision, input: objectOf(fields, "input"), ...by };
    case "ask":
    case "allow": {
      const reason = textOf(fields, "reason");
      return { decision, reason, ...(fields["input"] !== undefined && { input: objectOf(fields, "input") }), ...by };
    }
    default:
      throw new Error("its decision is unknown");
  }
}

export function readAfter(answer: unknown): AfterCall | undefined {
  if (answer === undefined) return undefined;
  const fields = fieldsOf(answer);
  const { isError } = fields;
  if (isError !== undefined && typeof isError !== "boolean") throw new Error("isError in its answer is not a boolean");
  return {
    ...(fields["output"] !== undefined && { output: textOf(fields, "output") }),
    ...(isError !== undefined && { isError }),
    ...(fields["metadata"] !== undefined && { metadata: objectOf(fields, "metadata") }),
    ...(fields["note"] !== undefined && { note: textOf(fields, "note") }),
    ...(fields["endRun"] !== undefined && { endRun: textOf(fields, "endRun") }),
    ...speakerOf(fields),
  };
}

function speakerOf(fields: Fields): { readonly by?: string } {
  return fields["by"] === undefined ? {} : { by: textOf(fields, "by") };
}

/** A copy as plain data, which nobody else can change later. Throws for what is no JSON. */
export function plainCopy<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

export type Fields = { readonly [name: string]: unknown };

export function fieldsOf(answer: unknown): Fields {
  if (!isJsonObject(answer)) throw new Error("its answer is not an object");
  return answer;
}

export function textOf(fields: Fields, name: string): string {
  const text = fields[name];
  if (typeof text !== "string") throw new Error(`${name} in its answer is not a string`);
  return text;
}

export function objectOf(fields: Fields, name: string): JsonObject {
  const object = fields[name];
  if (!isJsonObject(object)) throw new Error(`${name} in its answer is not an object`);
  // What was written as JSON and read back is made of nothing else.
  return plainCopy(object) as JsonObject;
}
