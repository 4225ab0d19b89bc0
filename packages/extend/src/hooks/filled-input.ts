/** Puts fields of an event into the input of a server's tool: `${tool_input.command}` stands for what the event has there. */
import { isJsonObject, type Json, type JsonObject } from "@kedge/protocol";

const slot = /\$\{([\w.]+)\}/g;

/** What is put in is never read again. A name that the event does not have is an empty text. */
export function filledInput(input: JsonObject, event: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, filled(value, event)]));
}

function filled(value: Json, event: JsonObject): Json {
  if (typeof value === "string") return value.replaceAll(slot, (_, path: string) => textAt(event, path));
  if (Array.isArray(value)) return value.map((each) => filled(each, event));
  return isJsonObject(value) ? filledInput(value as JsonObject, event) : value;
}

function textAt(event: JsonObject, path: string): string {
  let found: unknown = event;
  for (const step of path.split("."))
    found = isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  if (found === undefined || found === null) return "";
  return typeof found === "string" ? found : JSON.stringify(found);
}
