/** What a hook is told, in the names of its own agent. */
import { isAbsolute, resolve } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "@kedge/protocol";
import type { Dialect, Names } from "./dialects/dialect.ts";
import { patchOf, writtenText } from "./written-text.ts";

/** A call as a hook sees it: its name and input there, and the way back for a changed input. */
export type CallView = {
  readonly toolName: string;
  /** Further names that a matcher may use. */
  readonly otherNames?: readonly string[];
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

/** What a command of a shell writes is guarded by whoever looks at commands. */
const running: ReadonlySet<string> = new Set(["bash"]);

const pathFields: ReadonlySet<string> = new Set(["filePath", "path", "paths"]);

/**
 * One view, or one for each file where a tool that has no counterpart changes files: a guard of edits sees every edit,
 * whatever kedge calls it.
 */
export function viewsOf({ tool, input, cwd, paths, isWriting }: ViewedCall, dialect: Dialect): readonly CallView[] {
  const absolute = withAbsolutePaths(input, cwd);
  const { editing, patching, tools, fields } = dialect;
  const files = isWriting && !running.has(tool) ? [...new Set(paths.map((path) => resolve(cwd, path)))] : [];
  if (patching !== undefined && files.length > 0) {
    const { tool: toolName, otherNames, field } = patching;
    const patch = patchOf(tool, absolute, files);
    return [{ toolName, otherNames, toolInput: { ...absolute, file_path: files[0] ?? "", [field]: patch } }];
  }
  const isKnown = Object.hasOwn(tools, tool) || Object.hasOwn(fields, tool);
  const otherNames = dialect.otherNames?.[tool] ?? [];
  if (!isKnown && editing !== undefined && files.length > 0) {
    const text = editing.text === undefined ? {} : { [editing.text]: writtenText(input) };
    return files.map((path) => ({
      toolName: editing.tool,
      otherNames,
      toolInput: { ...absolute, [editing.path]: path, ...text },
    }));
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
      otherNames,
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
    ...(result !== undefined && { tool_response: resultFor(result, dialect.result) }),
    ...(result !== undefined && secondResult(result, dialect)),
    ...(dialect.errorAsObject === true && errorObject(event)),
  };
  return renamed(named, dialect.eventFields);
}

/** `content` is the text, `is_error` whether the call failed. */
function resultFor(result: Json, names: Dialect["result"]): Json {
  if (!isJsonObject(result)) return result;
  const { content = "", is_error: isError = false, ...rest } = result;
  return {
    ...rest,
    [names.text]: content,
    ...(names.kind !== undefined && { [names.kind]: isError ? "failure" : "success" }),
    ...(isError && names.error !== undefined && { [names.error]: content }),
  };
}

function secondResult(result: Json, { secondResult: names }: Dialect): JsonObject {
  if (names === undefined || !isJsonObject(result)) return {};
  const { content = "", is_error: isError } = result;
  return { [names.field]: { [names.text]: content, [names.kind]: isError === true ? "failure" : "success" } };
}

function errorObject({ error, error_details: message }: JsonObject): JsonObject {
  return message === undefined ? {} : { error: { name: error ?? "", message }, error_context: "model_call" };
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
