/** Runs a hook that is a tool of an MCP server: fills its input from the event, and reads the result like a command's output. */
import { isJsonObject, type Json, type JsonObject } from "@kedge/protocol";
import type { Hook, HookAction } from "./hook.ts";
import { type ReadAnswer, readCommandAnswer } from "./hook-answer.ts";

export type ServerToolAction = Extract<HookAction, { type: "mcp_tool" }>;

export type ServerToolCall = {
  readonly server: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly timeoutMs: number;
};

export type ServerToolEnd =
  | { readonly ok: true; readonly text: string }
  /** A sentence without a full stop, about the hook. */
  | { readonly ok: false; readonly problem: string };

export type CallServerTool = (call: ServerToolCall, signal: AbortSignal) => Promise<ServerToolEnd>;

const outputCharactersMax = 1_000_000;

export async function runServerTool(
  {
    hook,
    action,
    event,
    timeoutMs,
  }: { readonly hook: Hook; readonly action: ServerToolAction; readonly event: JsonObject; readonly timeoutMs: number },
  call: CallServerTool,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const { server, tool } = action;
  // An object stays one: only what is in it is filled.
  const input = filled(action.input, event) as JsonObject;
  const ended = await call({ server, tool, input, timeoutMs }, signal);
  if (!ended.ok) return ended;
  const stdout = ended.text.slice(0, outputCharactersMax);
  return readCommandAnswer(hook, { exitCode: 0, stdout, stderr: "", isCut: stdout.length < ended.text.length });
}

const placeholder = /\$\{([\w.-]+)\}/g;

/** `${tool_input.file_path}` is that field of the event; a text that is nothing else keeps the type of the field. */
function filled(value: Json, event: JsonObject): Json {
  if (typeof value === "string") {
    const whole = /^\$\{([\w.-]+)\}$/.exec(value)?.[1];
    if (whole !== undefined) return fieldOf(event, whole) ?? "";
    return value.replaceAll(placeholder, (_, path: string) => textOf(fieldOf(event, path)));
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, event));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each as Json, event)]));
}

function fieldOf(event: JsonObject, path: string): Json | undefined {
  let at: Json | undefined = event;
  for (const name of path.split(".")) at = isJsonObject(at) && Object.hasOwn(at, name) ? (at[name] as Json) : undefined;
  return at;
}

function textOf(value: Json | undefined): string {
  return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
}
