/** Fields that a user adds to request bodies: merged over those of the wire, but never over what kedge itself asks. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import type { BodyEncoding } from "./request-body.ts";

/** What makes up the request on any wire, and how it is answered. */
export const fixedBodyFields: readonly string[] = [
  ...["model", "messages", "tools", "system", "stream"],
  ...["input", "instructions", "contents", "systemInstruction", "system_instruction"],
];

type Fields = { readonly [name: string]: unknown };

/** Objects are merged into each other; whatever else is there gives way. */
export function mergeFields(fields: Fields, extra: Fields): Fields {
  const merged: Record<string, unknown> = { ...fields };
  for (const [name, value] of Object.entries(extra)) {
    const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
    merged[name] = isJsonObject(own) && isJsonObject(value) ? mergeFields(own, value) : value;
  }
  return merged;
}

/** They stand behind the messages, as everything does that is not of the conversation, so its bytes stay as they are. */
export function withExtraBody(encoding: BodyEncoding, extra: JsonObject): BodyEncoding {
  return {
    ...encoding,
    closing(request) {
      // The end of the message list, then either the end of the body or a comma and its last members.
      const rest = encoding.closing(request).slice(1);
      const members: Fields = JSON.parse(`{${rest.replace(/^,/, "")}`);
      const merged = mergeFields(members, extra);
      return Object.keys(merged).length === 0 ? "]}" : `],${JSON.stringify(merged).slice(1)}`;
    },
  };
}

/** The same for a body that a package has written; what is no JSON object is left as it is. */
export function addExtraBody(body: string, extra: JsonObject): string {
  try {
    const fields: unknown = JSON.parse(body);
    return isJsonObject(fields) ? JSON.stringify(mergeFields(fields, extra)) : body;
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}
