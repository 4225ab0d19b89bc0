/** What a command wrote: the end of it says most, errors are tinted, colours are kept. */
import type { OutputLine } from "@kedge/protocol";
import { type ComponentChildren, h, type JSX } from "preact";
import * as texts from "../texts/parts.ts";
import { ansiSpans } from "./ansi.ts";
import { visibleCode } from "./visible-text.ts";

export type TerminalOutputProps = {
  readonly lines: readonly OutputLine[];
  /** How many lines are shown before somebody asks for all of them. */
  readonly linesMax: number;
  readonly isRunning: boolean;
};

export function TerminalOutput({ lines, linesMax, isRunning }: TerminalOutputProps): JSX.Element | undefined {
  if (lines.length === 0) return undefined;
  const hidden = Math.max(0, lines.length - linesMax);
  const shown = outputLines(lines.slice(hidden));
  const label = isRunning ? texts.outputSoFar : texts.output;
  const output = h("pre", { class: "terminal-output", tabIndex: 0, role: "group", "aria-label": label }, shown);
  if (hidden === 0 || isRunning) return output;
  return h(
    "div",
    {},
    h(
      "details",
      { class: "more" },
      h("summary", {}, texts.earlierLines(hidden)),
      h(
        "pre",
        { class: "terminal-output", tabIndex: 0, role: "group", "aria-label": texts.earlierOutput },
        outputLines(lines.slice(0, hidden)),
      ),
    ),
    output,
  );
}

function outputLines(lines: readonly OutputLine[]): ComponentChildren[] {
  return lines.map(({ text, stream }, index) => [
    index === 0 ? undefined : "\n",
    h("span", { class: stream }, lineSpans(text)),
  ]);
}

function lineSpans(text: string): ComponentChildren[] {
  return ansiSpans(text).map(({ text: piece, classes }) =>
    classes === "" ? visibleCode(piece) : h("span", { class: classes }, visibleCode(piece)),
  );
}
