/** One tool call: a line that says what it does and what came of it, and below it what is worth seeing. */
import { displayOfTool, type PartView, type ToolDisplay, type ToolStatus } from "@kedge/protocol";
import { h, type JSX } from "preact";
import * as texts from "../texts/parts.ts";
import type { Look } from "./look.ts";
import { Attachment } from "./picture.ts";
import { isOpenAtFirst, ToolResult } from "./tool-body.ts";
import { visibleCode, visibleLine } from "./visible-text.ts";

export type ToolPart = Extract<PartView, { type: "tool" }>;

export function displayOf(part: ToolPart, look: Look): ToolDisplay {
  const tail = part.state.status === "running" ? look.tailOf?.(part.callId) : undefined;
  const { directory } = look;
  return displayOfTool(part, { ...(directory !== undefined && { directory }), ...(tail !== undefined && { tail }) });
}

export function ToolCard({ part, look }: { readonly part: ToolPart; readonly look: Look }): JSX.Element {
  const display = displayOf(part, look);
  const media = part.state.status === "completed" ? (part.state.attachments ?? []) : [];
  const pictures = media.map((item) => h(Attachment, { media: item }));
  const result = ToolResult({ display, look });
  const input = look.hasInputs ? givenInput(part) : undefined;
  const state = shownStatus(display);
  if (result === undefined && input === undefined && pictures.length === 0)
    return h("div", { class: `tool ${state}` }, h("p", { class: "tool-line" }, toolLine(display, state)));
  return h(
    "details",
    { class: `tool ${state}`, open: isOpenAtFirst(display) || pictures.length > 0 },
    h("summary", { class: "tool-line" }, toolLine(display, state)),
    h("div", { class: "tool-body" }, result, pictures, input),
  );
}

function givenInput({ state }: ToolPart): JSX.Element {
  const text = state.status === "pending" ? state.raw : state.input;
  return h(
    "details",
    { class: "more" },
    h("summary", {}, texts.input),
    h("pre", { class: "plain given", tabIndex: 0 }, visibleCode(text)),
  );
}

/** A command that ended badly did run, and its line says so. */
function shownStatus({ status, body }: ToolDisplay): ToolStatus {
  const isBadExit = body.kind === "terminal" && body.exitCode !== undefined && body.exitCode !== 0;
  return status === "done" && isBadExit ? "failed" : status;
}

const signs: { readonly [Status in ToolStatus]: string } = {
  pending: "○",
  running: "◐",
  done: "✓",
  failed: "✕",
  refused: "✕",
  interrupted: "!",
};

function toolLine(display: ToolDisplay, state: ToolStatus): JSX.Element {
  const isShell = display.body.kind === "terminal";
  const title = isShell ? commandTitle(display) : visibleLine(display.title);
  const summary = visibleLine(display.summary);
  return h(
    "span",
    { class: "line-parts" },
    h("span", { class: "sign", role: "img", "aria-label": state }, signs[state]),
    " ",
    h("span", { class: isShell ? "tool-name shell" : "tool-name" }, isShell ? "$" : visibleLine(display.name)),
    title === "" ? undefined : [" ", h("span", { class: "tool-title" }, title)],
    summary === "" ? undefined : [" ", h("span", { class: "tool-summary" }, summary)],
  );
}

function commandTitle({ body }: ToolDisplay): string {
  if (body.kind !== "terminal") return "";
  const lines = body.command.trim().split("\n");
  const first = visibleLine(lines[0] ?? "");
  return lines.length > 1 ? texts.firstLine(first, lines.length - 1) : first;
}
