/** Takes out of the output of well-known programs what says only that all goes well. */

import { plainCommands } from "../command/plain-commands.ts";
import { type NoiseRule, outputFilters, passesOn, printsNothing, runsAnything } from "./output-filters.ts";

export type MinimisedOutput = {
  readonly text: string;
  /** How many lines are missing. */
  readonly shortenedLines: number;
};

/** Less than this is not worth a second text. */
const gainCharactersMin = 500;
const gainShareMin = 0.1;
/** More than this takes longer than it saves. */
const linesMax = 100_000;
/** Longer ones are no noise, and patterns may need long on them. */
const lineCharactersMax = 500;
const identicalLinesMin = 3;
const similarLinesMin = 4;

/** A line with one of these stays, whatever the filters say. */
const telling =
  /error|err!|warn|fail|fatal|panic|exception|traceback|denied|refused|rejected|conflict|cannot|could not|unable|not found|missing|invalid|mismatch|unresolved|undefined|unexpected|abort|killed|timed? ?out|exit|summary|total|vulnerab|deprecat|assert|skip|flaky|leak/i;
/** Numbers that change from one line of progress to the next. */
const measure = /(?<!\d)(?:\d+(?:\.\d+)?\s?%|\d+\s?(?:\/|of)\s?\d+|\d+(?:\.\d+)?\s?(?:[kKMG]i?B|bytes|m?s)\b)/;

/** Undefined when nothing is gained, or when somebody printed who is not known. */
export function minimiseOutput(command: string, output: string): MinimisedOutput | undefined {
  if (output.length < gainCharactersMin) return undefined;
  const noise = noiseOf(command);
  if (noise.length === 0) return undefined;
  const lines = output.split("\n");
  if (lines.length > linesMax) return undefined;
  const kept = foldRepeated(foldNoise(lines, noise));
  const text = kept.join("\n");
  const gain = output.length - text.length;
  if (gain < gainCharactersMin || gain < gainShareMin * output.length) return undefined;
  return { text, shortenedLines: lines.length - kept.filter((line) => !isMark(line)).length };
}

/** Nothing if any of the commands is unknown: its output could not be told from that of the others. */
function noiseOf(command: string): readonly NoiseRule[] {
  const rules = new Set<NoiseRule>();
  for (const { text, readsPipe } of plainCommands(command)) {
    if (printsNothing.test(text) || (readsPipe && passesOn.test(text))) continue;
    const isAnything = runsAnything.test(text);
    const filters = outputFilters.filter((filter) => isAnything || filter.command.test(text));
    if (filters.length === 0) return [];
    for (const rule of filters.flatMap((filter) => filter.noise)) rules.add(rule);
  }
  return [...rules];
}

function foldNoise(lines: readonly string[], noise: readonly NoiseRule[]): readonly string[] {
  const whatOf = (line: string) =>
    line === "" || line.length > lineCharactersMax || telling.test(line)
      ? undefined
      : noise.find(({ pattern }) => pattern.test(line))?.what;
  const kept: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const kinds = new Set<string>();
    let end = index;
    for (let what = whatOf(lines[end] ?? ""); what !== undefined; what = whatOf(lines[end] ?? "")) {
      kinds.add(what);
      end += 1;
    }
    const run = lines.slice(index, end);
    kept.push(...shorter([markOf(run.length, [...kinds].join(", "))], run));
    if (end < lines.length) kept.push(lines[end] ?? "");
    index = end + 1;
  }
  return kept;
}

/** Runs of the same line, and of lines that differ only in how far something has come. */
function foldRepeated(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const first = lines[index] ?? "";
    const isProgress = first.length <= lineCharactersMax && measure.test(first) && !telling.test(first);
    const shape = isProgress ? shapeOf(first) : first;
    let end = index + 1;
    while (end < lines.length && (isProgress ? shapeOf(lines[end] ?? "") : lines[end]) === shape) end += 1;
    const run = lines.slice(index, end);
    const isLong = run.length >= (isProgress ? similarLinesMin : identicalLinesMin) && first !== "";
    const last = run.at(-1) ?? "";
    const folded = isProgress
      ? [first, markOf(run.length - 2, "the same progress"), last]
      : [first, markOf(run.length - 1, "the same")];
    kept.push(...(isLong ? shorter(folded, run) : run));
    index = end;
  }
  return kept;
}

function shapeOf(line: string): string {
  return line.replaceAll(/\d+(?:[.:,]\d+)*/g, "0").replaceAll(/[=#━█▓░.·\- >]{2,}/g, "-");
}

function shorter(folded: readonly string[], run: readonly string[]): readonly string[] {
  const length = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);
  return length(folded) < length(run) ? folded : run;
}

function markOf(count: number, what: string): string {
  return `[… ${count} lines: ${what} …]`;
}

function isMark(line: string): boolean {
  return /^\[… \d+ lines: [^…]* …\]$/.test(line);
}
