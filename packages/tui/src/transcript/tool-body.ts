/** What stands below the line of a call, closed and opened. */
import { lineCount, type OutputLine, type ToolBody, type ToolDisplay } from "@kedge/protocol";
import { cleanLine, cleanText, judgedText } from "../screen/clean-text.ts";
import { cutText } from "../screen/cut-text.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { ForegroundToken, Theme } from "../theme/theme.ts";
import { cleanLines, indented, outputLine, wrapClean } from "./line-text.ts";
import { type DiffView, expandKeyUsual, moreLines, shownLinesMax, type TranscriptParts } from "./transcript-parts.ts";
import type { Look } from "./unit.ts";

const bodyIndent = 4;
const tailLinesMax = 5;
const shellLinesMax = 10;
const errorLinesMax = 5;
const columnsUsual = 80;
/** An opened diff; whoever wants more of it has the pager. */
const openDiffLinesMax = 400;

type Draw = (look: Look) => readonly string[];

export function createToolBody(parts: TranscriptParts, display: ToolDisplay): Draw {
  const draw = drawerOf(parts, display);
  return (look) => indented(draw({ ...look, width: Math.max(1, look.width - bodyIndent) }), bodyIndent);
}

/** Whether opening it shows what is not there already. */
export function isFoldableBody(body: ToolBody): boolean {
  switch (body.kind) {
    case "none":
    case "checklist":
    case "question":
      return false;
    case "terminal":
      return body.output.length > shellLinesMax || body.command.trim().includes("\n");
    case "text":
      // How often its lines are wrapped is not known here.
      return !body.isError || lineCount(body.text) > errorLinesMax || body.text.length > errorLinesMax * columnsUsual;
    case "diff":
      return lineCount(body.patch) > shownLinesMax;
    case "replacement":
      return lineCount(body.before) + lineCount(body.after) > shownLinesMax;
    case "search":
    case "page":
    case "json":
      return true;
  }
}

function drawerOf(parts: TranscriptParts, { body, status }: ToolDisplay): Draw {
  switch (body.kind) {
    case "none":
      return () => [];
    case "text":
      return status === "done" ? outputDrawer(parts, body.text) : reasonDrawer(parts, body);
    case "diff":
      return diffDrawer(parts, (linesMax) => parts.createDiff({ patch: body.patch }, body.path, linesMax));
    case "replacement": {
      const { before, after, path } = body;
      return diffDrawer(parts, (linesMax) => parts.createDiff({ before, after }, path, linesMax));
    }
    case "terminal":
      return (look) => terminalLines(parts, body, { ...look, isRunning: status === "running" });
    case "checklist":
      return (look) => body.items.map((item) => todoLine(item, look));
    case "search":
      return searchDrawer(parts, body);
    case "page":
      return outputDrawer(parts, body.text);
    case "question":
      return (look) => body.items.flatMap((item) => questionLines(item, look));
    case "json":
      return outputDrawer(parts, [judgedText(body.input), body.output].filter((text) => text !== "").join("\n"));
  }
}

/** One row for each line of it, once it is opened. */
function outputDrawer(parts: TranscriptParts, text: string): Draw {
  return (look) => {
    const { width, isOpen, theme } = look;
    if (!isOpen) return [];
    const lines = cleanLines(text);
    const shown = lines
      .slice(0, shownLinesMax)
      .map((line) => styled(theme, "toolOutput", cutText(line, width, theme.symbols.ellipsis)));
    const count = lines.length - shown.length;
    return count === 0 ? shown : [...shown, moreLines(parts, look, { count })];
  };
}

/** Why a call came to nothing, in sentences. What was refused is known to whoever refused it. */
function reasonDrawer(parts: TranscriptParts, { text, isError }: Extract<ToolBody, { kind: "text" }>): Draw {
  return (look) => {
    const { width, isOpen, theme } = look;
    if (!isOpen && !isError) return [];
    const lines = wrapClean(text, width);
    const shown = lines
      .slice(0, isOpen ? shownLinesMax : errorLinesMax)
      .map((line) => styled(theme, isError ? "error" : "toolOutput", line));
    const count = lines.length - shown.length;
    return count === 0 ? shown : [...shown, moreLines(parts, look, { count })];
  };
}

function diffDrawer(parts: TranscriptParts, create: (linesMax: number) => DiffView): Draw {
  let closed: DiffView | undefined;
  let opened: DiffView | undefined;
  return (look) => {
    if (look.isOpen) {
      opened ??= create(openDiffLinesMax);
      return opened.render(look.width);
    }
    closed ??= create(shownLinesMax);
    return withKey(parts, closed.render(look.width), look);
  };
}

/** A diff says itself that it was cut, but does not know the key that shows more. */
function withKey({ keys }: TranscriptParts, lines: readonly string[], { width, theme }: Look): readonly string[] {
  const last = lines.at(-1) ?? "";
  const key = `, ${keys?.expand ?? expandKeyUsual}`;
  const isCut = /^\d+ more lines?$/.test(cleanText(last).replace(theme.symbols.ellipsis, "").trim());
  if (!isCut || visibleWidth(last) + key.length > width) return lines;
  return [...lines.slice(0, -1), last + theme.fg("dim", key)];
}

type TerminalLook = Look & { readonly isRunning: boolean };

/** The end of the output says most, so that is what is kept. */
function terminalLines(
  parts: TranscriptParts,
  { command, output }: Extract<ToolBody, { kind: "terminal" }>,
  look: TerminalLook,
): readonly string[] {
  const { width, isOpen, isRunning, theme } = look;
  const { ellipsis } = theme.symbols;
  const linesMax = isRunning ? tailLinesMax : isOpen ? shownLinesMax : shellLinesMax;
  const commandLines = command.trim().split("\n");
  const rest = isOpen ? commandLines.slice(1, shownLinesMax) : [];
  const count = Math.max(0, output.length - linesMax);
  return [
    ...rest.map((line) => theme.fg("text", cutText(judgedText(line), width, ellipsis))),
    ...(count > 0 && !isRunning ? [moreLines(parts, look, { count, word: "earlier" })] : []),
    ...output.slice(count).map((line) => shellLine(theme, line, width)),
  ];
}

function shellLine(theme: Theme, { text, stream }: OutputLine, width: number): string {
  const line = cutText(outputLine(text), width, theme.symbols.ellipsis);
  return styled(theme, stream === "stderr" ? "warning" : "toolOutput", line);
}

type ChecklistItem = Extract<ToolBody, { kind: "checklist" }>["items"][number];

function todoLine({ content, status }: ChecklistItem, { theme, width }: Look): string {
  const { todoOpen, todoDone, running, cross, ellipsis } = theme.symbols;
  const line = (sign: string) => cutText(`${sign} ${cleanLine(content)}`, width, ellipsis);
  switch (status) {
    case "pending":
      return theme.fg("text", line(todoOpen));
    case "in_progress":
      return theme.fg("accent", line(running));
    case "completed":
      return theme.fg("muted", line(todoDone));
    case "cancelled":
      return theme.fg("dim", theme.strikethrough(line(cross)));
  }
}

function searchDrawer(parts: TranscriptParts, { groups }: Extract<ToolBody, { kind: "search" }>): Draw {
  const countWidth = Math.max(...groups.map(({ count }) => (count === undefined ? 0 : String(count).length)));
  return (look) => {
    const { width, isOpen, theme } = look;
    if (!isOpen) return [];
    const shown = groups.slice(0, shownLinesMax).map(({ path, count }) => {
      const number = count === undefined ? " ".repeat(countWidth) : String(count).padStart(countWidth);
      const name = cutText(cleanLine(path), Math.max(1, width - countWidth - 2), theme.symbols.ellipsis);
      return countWidth === 0
        ? theme.fg("toolOutput", name)
        : `${theme.fg("accent", number)}  ${theme.fg("toolOutput", name)}`;
    });
    const count = groups.length - shown.length;
    return count === 0 ? shown : [...shown, moreLines(parts, look, { count })];
  };
}

type AskedQuestion = Extract<ToolBody, { kind: "question" }>["items"][number];

/** What can be answered, until there is an answer. */
function questionLines({ question, options, answer }: AskedQuestion, { theme, width }: Look): readonly string[] {
  const { arrow, separator } = theme.symbols;
  const asked = wrapClean(question, width).map((line) => styled(theme, "text", line));
  const shown = answer ?? options.map(cleanLine).join(` ${separator} `);
  const tone = answer === undefined ? "muted" : "accent";
  const [first, ...rest] = wrapClean(shown, width - arrow.length - 1);
  if (first === undefined || first === "") return asked;
  const lines = [`${arrow} ${first}`, ...indented(rest, arrow.length + 1)];
  return [...asked, ...lines.map((line) => styled(theme, tone, line))];
}

function styled(theme: Theme, token: ForegroundToken, line: string): string {
  return line === "" ? "" : theme.fg(token, line);
}
