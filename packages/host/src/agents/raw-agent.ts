/** A definition that is written as an object: in YAML, in settings, on the command line or by a program. */
import type { RawAgent } from "@kedge/agents/definitions";
import type { JsonObject } from "@kedge/protocol";

export function rawOfObject(
  name: string,
  value: JsonObject,
  place: Pick<RawAgent, "tier" | "source" | "file">,
): RawAgent {
  const fields = new Map(Object.entries(value).map(([key, field]) => [fieldName(key), field]));
  const text = (key: string) => (typeof value[key] === "string" ? value[key] : "");
  const description = text("description");
  return {
    name,
    description: description === "" ? name : description.replaceAll(/\s+/g, " "),
    fields,
    body: text("prompt"),
    ...place,
    notes: description === "" ? ["no description"] : [],
  };
}

/** `maxTurns`, `max_turns` and `max-turns` are one field. */
function fieldName(key: string): string {
  return key
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replace(/[\s_]+/g, "-")
    .toLowerCase();
}
