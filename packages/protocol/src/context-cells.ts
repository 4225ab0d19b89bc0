/** The window of a model by what fills it, in a few cells, and what to do about the largest. */
import type { ContextEntry, ContextKind } from "./context-entry.ts";

const contextCellNames = ["system", "tools", "instructions", "memory", "history", "tool output", "free"] as const;

export type ContextCellName = (typeof contextCellNames)[number];

export type ContextCells = {
  /** In a fixed order; those with nothing in them are left out. */
  readonly cells: readonly { readonly name: ContextCellName; readonly tokens: number }[];
  /** About the largest that is not free; absent where nothing is large. */
  readonly advice?: string;
};

export type ContextSizes = {
  readonly tokens: number;
  readonly windowTokens: number;
  readonly sources: readonly Pick<ContextEntry, "kind" | "tokens">[];
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
};

const cellsOfKinds: { readonly [kind in ContextKind]: ContextCellName } = {
  policy: "system",
  instruction: "instructions",
  data: "memory",
  reminder: "history",
};

const cellsOfParts: { readonly [part: string]: ContextCellName } = {
  "tool definitions": "tools",
  "tools found by search": "tools",
  "tool output": "tool output",
};

const remedies: { readonly [cell in Exclude<ContextCellName, "free">]: string } = {
  system: "Shorten the text of --append-system-prompt or SYSTEM.md.",
  tools: "Offer fewer tools with --tools.",
  instructions: "List the files with /memory; move what applies to one kind of work into rules with paths.",
  memory: "List the files with /memory.",
  history: "Run /compact to summarize it.",
  "tool output": "Run /shake to drop long tool output.",
};

/** Of a window that is emptier than this nothing is said. */
const worthAdvice = 0.1;

export function contextCells({ tokens, windowTokens, sources, parts }: ContextSizes): ContextCells {
  const sums = new Map<ContextCellName, number>();
  const add = (cell: ContextCellName, count: number) => sums.set(cell, (sums.get(cell) ?? 0) + count);
  for (const source of sources) add(cellsOfKinds[source.kind], source.tokens);
  for (const part of parts) add(cellsOfParts[part.name] ?? "history", part.tokens);
  add("free", Math.max(0, windowTokens - tokens));
  const cells = contextCellNames
    .map((name) => ({ name, tokens: sums.get(name) ?? 0 }))
    .filter((cell) => cell.tokens > 0);
  const [largest] = cells.filter(({ name }) => name !== "free").sort((left, right) => right.tokens - left.tokens);
  if (largest === undefined || largest.name === "free" || tokens < windowTokens * worthAdvice) return { cells };
  return { cells, advice: `Largest: ${largest.name}. ${remedies[largest.name]}` };
}
