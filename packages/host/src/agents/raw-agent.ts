/** A definition that is written as an object: in YAML, in settings, on the command line or by a program. */
import type { RawAgent } from "@kedge/agents/definitions";
import type { JsonObject } from "@kedge/protocol";

export function rawOfObject(
  name: string,
  value: JsonObject,
  place: Pick<RawAgent, "tier" | "source" | "file" | "lineOf">,
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
    notes: [
      ...(description === "" ? ["no description"] : []),
      ...(text("prompt").trim() === "" ? ["no prompt; it works with the prompt of kedge"] : []),
    ],
  };
}

/** Lines from 1, of fields as they are named in a definition. The text is wanted only where something is noted. */
export function lineFinder(textOf: () => string): (field: string) => number | undefined {
  let lines: readonly string[] | undefined;
  return (field) => {
    lines ??= textOf().split(/\r\n?|\n/);
    const at = lines.findIndex((line) => fieldName(/^\s*["']?([\w-]+)["']?\s*:/.exec(line)?.[1] ?? "") === field);
    return at === -1 ? undefined : at + 1;
  };
}

/** `maxTurns`, `max_turns` and `max-turns` are one field. */
function fieldName(key: string): string {
  return key
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replace(/[\s_]+/g, "-")
    .toLowerCase();
}
