/** One tool call as an editor shows it: its title, what it touches, and what came of it. */
import { resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { type JsonObject, type Media, parseCallInput, stripTerminalControls, type ToolOutcome } from "@kedge/protocol";
import { diffContents } from "./diff-contents.ts";
import { toolKindOf } from "./tool-kinds.ts";

export type KnownCall = { readonly callId: string; readonly tool: string; readonly inputText: string };

export type EndedCall = {
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly metadata?: JsonObject | undefined;
  readonly media?: readonly Media[] | undefined;
};

/** The members that do not change while a call runs. */
export type CallView = {
  readonly toolCallId: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly locations: ToolCallLocation[];
  readonly rawInput: JsonObject;
};

export type CallEnd = {
  readonly status: "completed" | "failed";
  readonly content: ToolCallContent[];
  readonly locations?: ToolCallLocation[];
};

const titleCharactersMax = 200;

export function viewCall({ callId, tool, inputText }: KnownCall, cwd: string): CallView {
  const input = parsedInput(inputText);
  return {
    toolCallId: callId,
    name: tool,
    kind: toolKindOf(tool),
    title: titleOf(tool, input),
    locations: locationsOf(tool, input, cwd),
    rawInput: input,
  };
}

/** What a person or a program sees in the place of an input that is no JSON. */
function parsedInput(inputText: string): JsonObject {
  return parseCallInput(inputText === "" ? "{}" : inputText) ?? { text: inputText };
}

/** The member of an input that says most about it, in this order. */
const telling = ["command", "filePath", "path", "planPath", "pattern", "query", "url", "goal", "jobID"] as const;

function titleOf(tool: string, input: JsonObject): string {
  const name = telling.find((each) => typeof input[each] === "string" && input[each] !== "");
  const value = name === undefined ? "" : String(input[name]);
  const text = name === "command" ? value : `${tool} ${value}`;
  const line = stripTerminalControls(text).trim().split("\n", 1)[0] ?? "";
  return line.length > titleCharactersMax ? `${line.slice(0, titleCharactersMax)}…` : line;
}

function locationsOf(tool: string, input: JsonObject, cwd: string): ToolCallLocation[] {
  const path = input["filePath"] ?? input["path"];
  if (typeof path !== "string" || path === "") return [];
  const line = tool === "read" ? input["offset"] : undefined;
  return [{ path: resolve(cwd, path), ...(typeof line === "number" && line > 0 && { line }) }];
}

type CallPlace = { readonly cwd: string; readonly locations: readonly ToolCallLocation[] };

/** What the end of a call adds to its view. */
export function viewEnd(ended: EndedCall, { cwd, locations }: CallPlace): CallEnd {
  const { outcome, output, metadata = {}, media = [] } = ended;
  const { diff, firstChangedLine: line } = metadata;
  const diffs = outcome === "completed" && typeof diff === "string" ? diffContents(diff, cwd) : undefined;
  const [first] = locations;
  const pictures = media.filter(({ mediaType }) => mediaType.startsWith("image/")).map(pictureContent);
  const isPlaced = outcome === "completed" && first !== undefined && typeof line === "number";
  return {
    status: outcome === "completed" ? "completed" : "failed",
    content: [...(diffs ?? outputContent(output)), ...pictures],
    ...(isPlaced && { locations: [{ ...first, line }] }),
  };
}

export function outputContent(output: string): ToolCallContent[] {
  return output.trim() === "" ? [] : [textContent(fenced(output))];
}

/** What a person is shown before answering: a diff as such, everything else as it stands. */
export function previewContent(preview: string, cwd: string): readonly ToolCallContent[] {
  return diffContents(preview, cwd) ?? [textContent(fenced(preview))];
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text: stripTerminalControls(text) } };
}

function pictureContent({ base64, mediaType }: Media): ToolCallContent {
  return { type: "content", content: { type: "image", data: base64, mimeType: mediaType } };
}

const fenceMin = 3;

/** Editors show texts as Markdown; what a program wrote is none. */
export function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(Math.max(fenceMin, longest + 1));
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
