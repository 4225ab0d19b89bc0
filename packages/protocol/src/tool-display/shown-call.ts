/** A tool part with its input understood and its end named: what every kind of tool is described from. */
import type { JsonObject } from "../json/json.ts";
import type { PartView, ToolPartState } from "../view.ts";
import { abortedCall } from "../view-fold/tool-state.ts";
import { readInput, readPartialInput, type ShownInput } from "./partial-input.ts";
import type { OutputLine, ToolStatus } from "./tool-display.ts";

export type ToolPart = Extract<PartView, { type: "tool" }>;

export type ShowingContext = {
  /** The newest lines of a call that runs. */
  readonly tail?: readonly OutputLine[];
  /** Paths below it are shown without it. */
  readonly directory?: string;
};

export type ShownCall = {
  readonly tool: string;
  readonly input: ShownInput;
  readonly inputText: string;
  readonly status: ToolStatus;
  /** What the tool itself called the call, once it ended well. */
  readonly title: string | undefined;
  /** The result, or what went wrong. */
  readonly output: string;
  readonly metadata: JsonObject;
  readonly durationMs: number | undefined;
  readonly context: ShowingContext;
};

export function readCall({ tool, state }: ToolPart, context: ShowingContext): ShownCall {
  const inputText = state.status === "pending" ? state.raw : state.input;
  const isOver = state.status === "completed" || state.status === "error";
  return {
    tool,
    input: state.status === "pending" ? readPartialInput(inputText) : readInput(inputText),
    inputText,
    status: statusOf(state),
    title: state.status === "completed" ? state.title : undefined,
    output: state.status === "completed" ? state.output : state.status === "error" ? state.error : "",
    metadata: (isOver ? state.metadata : undefined) ?? {},
    durationMs: isOver && state.startedAt !== undefined ? Math.max(0, state.endedAt - state.startedAt) : undefined,
    context,
  };
}

/** What all sentences say that tell of a refusal; a call that was refused has no start either. */
const refusal = /\bdid not run\b/;

function statusOf(state: ToolPartState): ToolStatus {
  switch (state.status) {
    case "pending":
    case "running":
      return state.status;
    case "completed":
      return "done";
    case "error":
      if (state.error.startsWith(abortedCall)) return "interrupted";
      return state.startedAt === undefined && refusal.test(state.error) ? "refused" : "failed";
  }
}

/** The text of a member, or nothing. */
export function textOf({ input }: Pick<ShownCall, "input">, ...names: readonly string[]): string {
  for (const name of names) {
    const value = input[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return "";
}

export function numberOf(values: { readonly [name: string]: unknown }, name: string): number | undefined {
  const value = values[name];
  return typeof value === "number" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** As the tool named it, else from the input, and short below the directory. */
export function pathOf(call: ShownCall, ...names: readonly string[]): string {
  return call.title ?? shortPath(textOf(call, ...names), call.context.directory);
}

export function shortPath(path: string, directory: string | undefined): string {
  if (directory === undefined || directory === "" || directory === "/") return path;
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, " ").trim();
}
