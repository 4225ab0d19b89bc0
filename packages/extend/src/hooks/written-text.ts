/** What a call would write, as text for guards that look at it: all of it, or as a patch in the format of Codex. */
import { isJsonObject, type Json, type JsonObject } from "@kedge/protocol";

const pathFields: ReadonlySet<string> = new Set(["filePath", "path", "paths"]);

/** The new texts of its edits, or every text of an input that has another form. */
export function writtenText(input: JsonObject): string {
  const { edits, newString, content } = input;
  if (Array.isArray(edits))
    return edits.map((edit) => (isJsonObject(edit) ? textOf((edit as JsonObject)["newString"]) : "")).join("\n");
  if (newString !== undefined) return textOf(newString);
  if (content !== undefined) return textOf(content);
  return Object.entries(input)
    .filter(([name]) => !pathFields.has(name))
    .flatMap(([, value]) => (typeof value === "string" ? [value] : []))
    .join("\n");
}

/** `files` are absolute. A patch that the model wrote itself stays as it is. */
export function patchOf(tool: string, input: JsonObject, files: readonly string[]): string {
  const { patch, content, edits, oldString, newString } = input;
  if (typeof patch === "string") return patch;
  const [path = ""] = files;
  const isWhole = tool === "write" && typeof content === "string";
  const given: readonly Json[] = Array.isArray(edits)
    ? edits
    : [{ oldString: oldString ?? "", newString: newString ?? "" }];
  const changes = given.flatMap((edit) => (isJsonObject(edit) ? [edit] : []));
  const hasChanges = Array.isArray(edits) || newString !== undefined;
  const lines = isWhole
    ? [`*** Add File: ${path}`, ...marked("+", textOf(content))]
    : hasChanges
      ? [
          `*** Update File: ${path}`,
          ...changes.flatMap((edit) => [
            "@@",
            ...marked("-", textOf(edit["oldString"])),
            ...marked("+", textOf(edit["newString"])),
          ]),
        ]
      : files.flatMap((file, index) => [
          `*** Update File: ${file}`,
          ...(index === 0 ? ["@@", ...marked("+", writtenText(input))] : []),
        ]);
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function marked(mark: string, text: string): readonly string[] {
  return text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => mark + line);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
