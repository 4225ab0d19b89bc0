/** What a hook is told, in the names of its own agent. */
import { isAbsolute, resolve } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "@kedge/protocol";
import type { Dialect, Names } from "./dialects/dialect.ts";

/** A call as a hook sees it: its name and input there, and the way back for a changed input. */
export type CallView = {
  readonly toolName: string;
  readonly toolInput: JsonObject;
  /** Undefined where a changed input cannot be understood, because the tool has no counterpart there. */
  readonly inputFrom?: (changed: JsonObject, current: JsonObject) => JsonObject;
};

export type ViewedCall = {
  readonly tool: string;
  readonly input: JsonObject;
  readonly cwd: string;
  /** Files that it would read or write. */
  readonly paths: readonly string[];
  readonly isWriting: boolean;
};

const pathFields: ReadonlySet<string> = new Set(["filePath", "path", "paths"]);

/**
 * One view, or one for each file where a tool that has no counterpart changes files: a guard of edits sees every edit,
 * whatever kedge calls it.
 */
export function viewsOf({ tool, input, cwd, paths, isWriting }: ViewedCall, dialect: Dialect): readonly CallView[] {
  const absolute = withAbsolutePaths(input, cwd);
  const { editing, tools, fields } = dialect;
  const isKnown = Object.hasOwn(tools, tool) || Object.hasOwn(fields, tool);
  if (!isKnown && editing !== undefined && isWriting && paths.length > 0) {
    const files = [...new Set(paths.map((path) => resolve(cwd, path)))];
    return files.map((path) => ({ toolName: editing.tool, toolInput: { ...absolute, [editing.path]: path } }));
  }
  const names = fields[tool] ?? {};
  const [file] = paths;
  // A model may have named the file otherwise; the call is about it all the same.
  const isUnnamed = names["filePath"] !== undefined && absolute["filePath"] === undefined && file !== undefined;
  const shown = isUnnamed ? { ...absolute, filePath: resolve(cwd, file) } : absolute;
  const back = Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));
  return [
    {
      toolName: tools[tool] ?? tool,
      toolInput: renamed(shown, names),
      inputFrom(changed, current) {
        const own = renamed(changed, back);
        return dialect.inputIsPatch ? { ...current, ...own } : own;
      },
    },
  ];
}

/** The event as one object, with the fields that its agent would have. */
export function eventInput(
  event: JsonObject,
  { eventName, dialect }: { readonly eventName: string; readonly dialect: Dialect },
): JsonObject {
  const { permission_mode: mode, tool_input: input, tool_response: result, ...rest } = event;
  const named: JsonObject = {
    ...rest,
    hook_event_name: eventName,
    ...(typeof mode === "string" && { permission_mode: dialect.modes[mode] ?? mode }),
    ...(input !== undefined && { tool_input: dialect.inputAsText ? JSON.stringify(input) : input }),
    ...(result !== undefined && { tool_response: resultFor(result, dialect) }),
  };
  return renamed(named, dialect.eventFields);
}

/** `content` is the text, `is_error` whether the call failed. */
function resultFor(result: Json, { result: names, id }: Dialect): Json {
  if (!isJsonObject(result)) return result;
  const { content = "", is_error: isError = false, ...rest } = result;
  return {
    ...rest,
    [names.text]: content,
    ...(id === "copilot" && { resultType: isError ? "failure" : "success" }),
    ...(isError && names.error !== undefined && { [names.error]: content }),
  };
}

function renamed(fields: JsonObject, names: Names): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [Object.hasOwn(names, name) ? (names[name] ?? name) : name, value]),
  );
}

function withAbsolutePaths(input: JsonObject, cwd: string): JsonObject {
  const absolute = (value: Json): Json =>
    typeof value === "string" && !isAbsolute(value) && !value.includes("://") ? resolve(cwd, value) : value;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (!pathFields.has(name)) return [name, value];
      return [name, Array.isArray(value) ? value.map(absolute) : absolute(value)];
    }),
  );
}
