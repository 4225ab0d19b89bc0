/** How full the window of the model is, by what, and how far it is to the next compaction. */

import { type CommandAnswer, contextCells } from "@kedge/protocol";
import { barText } from "../../charts/bar-text.ts";
import { cleanLine } from "../../screen/clean-text.ts";
import { padText } from "../../screen/cut-text.ts";
import type { Dialog } from "../../screen/view.ts";
import { countText } from "../../status/short-figures.ts";
import { contextTexts } from "../../texts/reports.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { flowText } from "../text/dialog-text.ts";
import { edgedLine } from "../text/edged-line.ts";
import { percentText } from "./cost-dialog.ts";
import { createReadingDialog, type ReadingPage } from "./reading-dialog.ts";

export type ContextInspected = Extract<CommandAnswer<"context.inspect">, { readonly ok: true }>["value"];

export type ContextDialogProps = {
  /** Undefined while it is asked for. */
  readonly context: () => ContextInspected | undefined;
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
};

const partBarColumns = 12;
const figureColumns = 13;
/** The bar at the side is left out where names would have less. */
const nameColumnsMin = 8;

export function createContextDialog({ context, problem, theme }: ContextDialogProps): Dialog {
  return createReadingDialog<ContextInspected>({
    title: contextTexts.title,
    theme,
    content: context,
    problem,
    loadingText: contextTexts.loading,
    draw: contextLines,
  });
}

function contextLines(context: ContextInspected, { width, theme }: ReadingPage): readonly string[] {
  const { model, tokens, windowTokens, isMeasured, sources, parts } = context;
  const share = windowTokens > 0 ? tokens / windowTokens : 0;
  const counted = isMeasured ? contextTexts.countedByProvider : contextTexts.estimated;
  const named = sources.map(({ name, origin, tokens: size }) => ({
    name: contextTexts.source({ name, origin }),
    tokens: size,
  }));
  const largest = [...named, ...parts].sort((left, right) => right.tokens - left.tokens);
  const sum = largest.reduce((before, part) => before + part.tokens, 0);
  const { cells, advice } = contextCells(context);
  const filled = cells.reduce((before, cell) => before + cell.tokens, 0);
  return [
    edgedLine(cleanLine(model), percentText(share), width, theme),
    barText(share, width, theme, toneOf(context)),
    ...flowText(contextTexts.sum({ tokens: countText(tokens), window: countText(windowTokens), counted }), width),
    ...flowText(distanceText(context), width).map((line) => theme.fg(toneOf(context), line)),
    ...(advice === undefined ? [] : flowText(advice, width)),
    ...sources.flatMap(({ origin, note }) =>
      note === undefined
        ? []
        : flowText(cleanLine(contextTexts.noteOn({ origin, note })), width).map((line) => theme.fg("warning", line)),
    ),
    "",
    ...cells.map((cell) => partLine(cell, filled, width, theme)),
    ...(largest.length === 0
      ? []
      : ["", ...flowText(contextTexts.byPart, width).map((line) => theme.fg("muted", theme.bold(line)))]),
    ...largest.map((part) => partLine(part, sum, width, theme)),
    ...toolLines(context.tools, width, theme),
  ];
}

const toolStates = [
  ["loaded", contextTexts.loadedTools],
  ["found", contextTexts.foundTools],
  ["deferred", contextTexts.deferredTools],
] as const;

function toolLines(tools: ContextInspected["tools"], width: number, theme: Theme): readonly string[] {
  return toolStates.flatMap(([state, title]) => {
    const listed = tools.filter((tool) => tool.state === state).sort((left, right) => right.tokens - left.tokens);
    if (listed.length === 0) return [];
    const lines = listed.map(({ name, tokens }) => edgedLine(cleanLine(name), countText(tokens), width, theme));
    return ["", ...flowText(title, width).map((line) => theme.fg("muted", theme.bold(line))), ...lines];
  });
}

function distanceText({ tokens, compactAt, overflowAt }: ContextInspected): string {
  if (tokens >= overflowAt) return contextTexts.exceeded;
  const left = compactAt - tokens;
  if (left <= 0) return contextTexts.compactsNext;
  return contextTexts.compactsAt({ limit: countText(compactAt), left: countText(left) });
}

function toneOf({ tokens, compactAt, overflowAt }: ContextInspected): ForegroundToken {
  if (tokens >= overflowAt) return "error";
  return tokens >= compactAt ? "warning" : "statusLineContext";
}

function partLine(part: ContextInspected["parts"][number], sum: number, width: number, theme: Theme): string {
  const share = sum > 0 ? part.tokens / sum : 0;
  const figures = `${countText(part.tokens).padStart(6)} ${percentText(share).padStart(5)}`;
  const room = width - partBarColumns - 1;
  if (room < nameColumnsMin + figureColumns) return edgedLine(part.name, figures, width, theme);
  const text = edgedLine(part.name, figures.padStart(figureColumns), room, theme);
  return `${padText(text, room)} ${barText(share, partBarColumns, theme)}`;
}
