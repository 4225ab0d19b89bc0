/** Translates the indentation a model wrote into that of the block it meant. */
import { indentOf, isBlank } from "./text-lines.ts";

/** The indentation of one line as the model wrote it and as the file has it. */
export type IndentPair = { readonly wanted: string; readonly present: string };

export type IndentSource = {
  /** Of all lines of the block. */
  readonly pairs: readonly IndentPair[];
  /** All that the model wrote, and the file around, from which the width of one step is guessed. */
  readonly wantedLines: readonly string[];
  readonly fileLines: readonly string[];
};

/** Undefined where the translation would be a guess. `nearPairs` belong to the lines that are being replaced. */
export type Reindent = (line: string, nearPairs: readonly IndentPair[]) => string | undefined;

export function createReindent(source: IndentSource): Reindent {
  const { pairs } = source;
  // Models often begin to copy behind the indentation of the first line, which then says nothing about the others.
  const telling = pairs.length > 1 && pairs[0]?.wanted === "" ? pairs.slice(1) : pairs;
  const isIdentity = telling.every(({ wanted, present }) => wanted === present);
  const shift = isIdentity ? undefined : findShift({ ...source, pairs: telling });
  const steps = isIdentity ? undefined : findSteps({ ...source, pairs: telling });
  const translate = (indent: string, nearPairs: readonly IndentPair[]): string | undefined => {
    const known = lookUp(indent, nearPairs) ?? lookUp(indent, pairs);
    if (known !== undefined) return known;
    return isIdentity ? indent : (shift?.(indent) ?? steps?.(indent));
  };
  return (line, nearPairs) => {
    if (isBlank(line)) return "";
    const indent = indentOf(line);
    const translated = translate(indent, nearPairs);
    return translated === undefined ? undefined : translated + line.slice(indent.length);
  };
}

function lookUp(indent: string, pairs: readonly IndentPair[]): string | undefined {
  const found = new Set(pairs.filter(({ wanted }) => wanted === indent).map(({ present }) => present));
  return found.size === 1 ? [...found][0] : undefined;
}

type Translation = (indent: string) => string | undefined;

/** The same characters were added to, or taken from, the front of every line. */
function findShift({ pairs, wantedLines, fileLines }: IndentSource): Translation | undefined {
  const differences = new Set(pairs.map(({ wanted, present }) => present.length - wanted.length));
  const [difference] = differences;
  if (differences.size !== 1 || difference === undefined) return undefined;
  const characters = new Set(pairs.flatMap(({ wanted, present }) => [...wanted, ...present]));
  if (characters.size !== 1) return undefined;
  const [character = " "] = characters;
  // One shifted line says nothing about how far the next level stands in: there the steps must agree.
  const distinct = new Set(pairs.map(({ wanted }) => wanted.length)).size;
  if (distinct === 1 && indentStep(wantedLines) !== indentStep(fileLines)) return undefined;
  return (indent) => {
    const length = indent.length + difference;
    if (length < 0 || [...indent].some((found) => found !== character)) return undefined;
    return character.repeat(length);
  };
}

/** Levels stay the same while the width of a level differs, such as tabs for spaces. */
function findSteps({ pairs, wantedLines, fileLines }: IndentSource): Translation | undefined {
  const wantedStep = indentStep(wantedLines);
  const presentStep = indentStep(fileLines);
  if (wantedStep === undefined || presentStep === undefined) return undefined;
  let offset: number | undefined;
  for (const { wanted, present } of pairs) {
    const from = measure(wanted, wantedStep);
    const to = measure(present, presentStep);
    if (from === undefined || to === undefined || from.rest !== to.rest) return undefined;
    offset ??= to.levels - from.levels;
    if (to.levels - from.levels !== offset) return undefined;
  }
  const levelsAdded = offset;
  if (levelsAdded === undefined) return undefined;
  return (indent) => {
    const from = measure(indent, wantedStep);
    if (from === undefined || from.levels + levelsAdded < 0) return undefined;
    return presentStep.repeat(from.levels + levelsAdded) + " ".repeat(from.rest);
  };
}

/** Whole levels, and the spaces that line up a comment or a continuation behind them. */
function measure(indent: string, step: string): { readonly levels: number; readonly rest: number } | undefined {
  let levels = 0;
  while (indent.startsWith(step, levels * step.length)) levels += 1;
  const rest = indent.slice(levels * step.length);
  return rest.includes("\t") ? undefined : { levels, rest: rest.length };
}

const stepWidthMax = 8;

/** One level of indentation as it occurs most often, or undefined for lines that have none. */
export function indentStep(lines: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  let before: string | undefined;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const indent = indentOf(line);
    const step = before !== undefined && indent.startsWith(before) ? indent.slice(before.length) : "";
    // A single space lines up comments; it is never a level of its own.
    if (step === "\t" || (/^ {2,}$/.test(step) && step.length <= stepWidthMax))
      counts.set(step, (counts.get(step) ?? 0) + 1);
    before = indent;
  }
  let best: string | undefined;
  for (const [step, count] of counts) if (best === undefined || count > (counts.get(best) ?? 0)) best = step;
  return best;
}
