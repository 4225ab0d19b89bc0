/** Calls that change files, shown by what they changed. */
import { counted } from "../text/counted.ts";
import { joined } from "./amounts-in-words.ts";
import { listOf, numberOf, oneLine, pathOf, type ShownCall, textOf } from "./shown-call.ts";
import type { Described, ToolBody } from "./tool-display.ts";

export function describeEdit(call: ShownCall, name: string): Described {
  const path = pathOf(call, "filePath", "path", "file_path") || pathInText(textOf(call, "patch", "input"));
  return { name, title: oneLine(path), summary: changesOf(call), body: changedBody(call, path) };
}

/** Shows what would be replaced and writes nothing. */
export function describeRewrite(call: ShownCall): Described {
  const patterns = listOf(call.input["ops"]).flatMap((operation) => patternIn(operation));
  const count = numberOf(call.metadata, "count");
  const files = numberOf(call.metadata, "files");
  const found =
    count === undefined || files === undefined
      ? undefined
      : `${counted(count, "replacement", "replacements")} in ${counted(files, "file", "files")}`;
  return {
    name: "preview rewrite",
    title: oneLine(call.title ?? patterns.join("; ")),
    summary: call.status === "done" ? joined(found, "nothing written yet") : "",
    body: { kind: "text", text: call.output, isError: false },
  };
}

export function describeResolve(call: ShownCall): Described {
  const name = textOf(call, "action") === "discard" ? "discard rewrite" : "apply rewrite";
  return { ...describeEdit(call, name), title: oneLine(call.title ?? textOf(call, "id")) };
}

function changesOf({ metadata, status }: ShownCall): string {
  if (status !== "done") return "";
  const additions = numberOf(metadata, "additions");
  const deletions = numberOf(metadata, "deletions");
  const files = listOf(metadata["perFileResults"]).length;
  const lines = additions === undefined || deletions === undefined ? undefined : `+${additions} -${deletions}`;
  const isNew = metadata["op"] === "create";
  return joined(isNew ? "new" : undefined, files > 1 ? counted(files, "file", "files") : undefined, lines);
}

function changedBody(call: ShownCall, path: string): ToolBody {
  const { diff } = call.metadata;
  if (call.status !== "done") return { kind: "none" };
  if (typeof diff === "string" && diff !== "") return { kind: "diff", path, patch: diff };
  const { oldString, newString, content, patch } = call.input;
  if (typeof oldString === "string" && typeof newString === "string")
    return { kind: "replacement", path, before: oldString, after: newString };
  if (typeof content === "string") return { kind: "replacement", path, before: "", after: content };
  return { kind: "text", text: typeof patch === "string" ? patch : call.output, isError: false };
}

/** Patches and edits by line name their files inside of one text. */
function pathInText(text: string): string {
  const named = /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?|\[)([^\n#\]]+)/m.exec(text)?.[1];
  return named?.trim() ?? "";
}

function patternIn(operation: unknown): readonly string[] {
  if (typeof operation !== "object" || operation === null || !("pat" in operation)) return [];
  return typeof operation.pat === "string" ? [operation.pat] : [];
}
