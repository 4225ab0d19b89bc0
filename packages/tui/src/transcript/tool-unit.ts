/** One tool call: a line that says what it does and what came of it, and below it what is worth seeing. */

import { displayOfTool, type PartView, type ShowingContext, type ToolDisplay, type ToolStatus } from "@kedge/protocol";
import { cleanLine, judgedText } from "../screen/clean-text.ts";
import { cutText } from "../screen/cut-text.ts";
import { visibleWidth } from "../screen/text-width.ts";
import { transcriptTexts } from "../texts/conversation.ts";
import type { ForegroundToken, Symbols } from "../theme/theme.ts";
import { createToolBody, isFoldableBody } from "./tool-body.ts";
import type { TranscriptParts } from "./transcript-parts.ts";
import { createUnit, type Joining, joinsNever, type Look, type Unit } from "./unit.ts";

export type ToolPart = Extract<PartView, { type: "tool" }>;

/** Undefined for a call that is nothing to see. */
export function createToolUnit(parts: TranscriptParts, part: ToolPart, context: ShowingContext): Unit | undefined {
  const display = displayOfTool(part, context);
  if (display.isHidden) return undefined;
  const body = createToolBody(parts, display);
  const facts = {
    key: part.id,
    messageId: part.messageId,
    isTight: true,
    joins: joiningOf(display),
    isFoldable: isFoldableBody(display.body),
  };
  const draw = (look: Look) => [headLine(display, look), ...body(look)];
  const isDiff = display.body.kind === "diff" || display.body.kind === "replacement";
  // A diff remembers what it drew, and may get its colours later.
  return isDiff ? { ...facts, render: draw } : createUnit(facts, draw);
}

function joiningOf({ isQuiet, status, title, groupNoun }: ToolDisplay): Joining {
  if (!isQuiet) return joinsNever;
  return { kind: "call", status, title, ...(groupNoun !== undefined && { noun: groupNoun }) };
}

const titleWidthMin = 8;

function headLine(display: ToolDisplay, { width, theme }: Look): string {
  const { symbols } = theme;
  const { sign, tone } = signOf(display, symbols);
  const isShell = display.body.kind === "terminal";
  const name = isShell ? "$" : cleanLine(display.name);
  const title = isShell ? commandTitle(display, symbols.ellipsis) : shownTitleOf(display);
  const summary = cleanLine(display.summary);
  const left = visibleWidth(sign) + 1 + visibleWidth(name);
  if (left >= width) return theme.fg(tone, cutText(`${sign} ${name}`, width, symbols.ellipsis));
  const behind = visibleWidth(symbols.separator) + 2;
  // The title gives way to the summary, down to where it would say nothing.
  const titleRoom = Math.max(titleWidthMin, width - left - 1 - (summary === "" ? 0 : behind + visibleWidth(summary)));
  const shownTitle = title === "" ? "" : cutText(title, Math.min(titleRoom, width - left - 1), symbols.ellipsis);
  const used = left + (shownTitle === "" ? 0 : 1 + visibleWidth(shownTitle));
  const summaryRoom = width - used - behind;
  const shownSummary = summary === "" || summaryRoom < 2 ? "" : cutText(summary, summaryRoom, symbols.ellipsis);
  return [
    theme.fg(tone, sign),
    " ",
    isShell ? theme.fg("bashMode", name) : theme.fg("toolTitle", name),
    shownTitle === "" ? "" : ` ${theme.fg("text", shownTitle)}`,
    shownSummary === "" ? "" : theme.fg("muted", ` ${symbols.separator} ${shownSummary}`),
  ].join("");
}

/** What a tool that nobody knows is given stands there as it is, and nothing in it may hide something else. */
function shownTitleOf({ body, title }: ToolDisplay): string {
  return body.kind === "json" ? judgedText(title) : cleanLine(title);
}

/** The first line of the command, with everything in it made visible. */
function commandTitle({ body }: ToolDisplay, ellipsis: string): string {
  if (body.kind !== "terminal") return "";
  const lines = body.command.trim().split("\n");
  const first = judgedText(lines[0] ?? "");
  return lines.length > 1 ? `${first} ${ellipsis} ${transcriptTexts.moreLines(lines.length - 1)}` : first;
}

function signOf(
  { status, body }: Pick<ToolDisplay, "status" | "body">,
  symbols: Symbols,
): { readonly sign: string; readonly tone: ForegroundToken } {
  const isBadExit = body.kind === "terminal" && body.exitCode !== undefined && body.exitCode !== 0;
  return signOfStatus(status === "done" && isBadExit ? "failed" : status, symbols);
}

function signOfStatus(status: ToolStatus, symbols: Symbols): { readonly sign: string; readonly tone: ForegroundToken } {
  switch (status) {
    case "pending":
      return { sign: symbols.pending, tone: "muted" };
    case "running":
      return { sign: symbols.running, tone: "accent" };
    case "done":
      return { sign: symbols.check, tone: "success" };
    case "failed":
      return { sign: symbols.cross, tone: "error" };
    case "refused":
      return { sign: symbols.cross, tone: "warning" };
    case "interrupted":
      return { sign: symbols.warning, tone: "warning" };
  }
}
