/** How the tree of a session reads in the console: numbered places, branches indented, the way to the leaf marked. */
import {
  type ConversationItem,
  type SessionState,
  stripTerminalControls,
  toolCalls,
  wholeItem,
  wholePath,
} from "@kedge/protocol";
import { treeTexts } from "../texts/console.ts";

export type TreeRow = {
  readonly number: number;
  readonly entryId: string;
  readonly text: string;
  /** How many branches it lies away from the root. */
  readonly depth: number;
  readonly isOnPath: boolean;
  readonly label?: string;
};

const textCharactersMax = 80;

type Tree = Pick<SessionState, "tree" | "leaf" | "labels">;

/** Which places are shown: those that say something, also the tools, only the user's, only the named. */
const treeFilters = ["default", "no-tools", "user", "labelled", "all"] as const;

export type TreeChoice = {
  readonly filter: (typeof treeFilters)[number];
  /** All must occur in what is shown of a place. */
  readonly words: readonly string[];
};

/** The name of a filter, then words. */
export function choiceOf(argument: string): TreeChoice {
  const [first = "", ...rest] = argument.toLowerCase().split(/\s+/).filter(Boolean);
  const filter = treeFilters.find((each) => each === first);
  return filter === undefined
    ? { filter: "default", words: first === "" ? [] : [first, ...rest] }
    : { filter, words: rest };
}

/** Children by time. Each place has the same number whatever is shown. */
export function treeRows(state: Tree, choice: TreeChoice): readonly TreeRow[] {
  const children = childrenOf(state);
  const path = new Set(wholePath(state, state.leaf).map(({ id }) => id));
  const rows: TreeRow[] = [];
  let number = 0;
  const open = withDepth(children.get(undefined) ?? [], 0);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { entryId, depth } = next;
    const entry = state.tree.get(entryId);
    if (entry === undefined) continue;
    const item = wholeItem(entry.item);
    number += 1;
    const label = state.labels.get(entryId);
    const text = shortText(item) ?? workText(item);
    const isOnPath = path.has(entryId);
    const row = { number, entryId, text, depth, isOnPath, ...(label !== undefined && { label }) };
    if (isShown(row, item, choice, entryId === state.leaf)) rows.push(row);
    open.push(...withDepth(children.get(entryId) ?? [], depth));
  }
  return rows;
}

/** What only tools were told, and answers that only call them, are left out unless they are the leaf or have a name. */
function isShown(row: TreeRow, item: ConversationItem, { filter, words }: TreeChoice, isLeaf: boolean): boolean {
  const said = `${row.label ?? ""} ${row.text}`.toLowerCase();
  if (!words.every((word) => said.includes(word))) return false;
  const isTelling = shortText(item) !== undefined;
  switch (filter) {
    case "all":
      return true;
    case "labelled":
      return row.label !== undefined;
    case "user":
      return item.type === "prompt";
    case "no-tools":
      return isTelling && !(item.type === "answer" && toolCalls(item.content).length > 0);
    case "default":
      return isTelling || isLeaf || row.label !== undefined;
  }
}

export function treeText(state: Tree, choice: TreeChoice): string {
  if (state.tree.size === 0) return treeTexts.empty;
  const rows = treeRows(state, choice);
  if (rows.length === 0) return treeTexts.noMatch;
  const width = String(rows.at(-1)?.number ?? 0).length;
  const lines = rows.map(({ number, entryId, text, depth, isOnPath, label }) => {
    const mark = entryId === state.leaf ? ">" : isOnPath ? "*" : " ";
    const name = label === undefined ? "" : `[${stripTerminalControls(label)}] `;
    return `${mark} ${String(number).padStart(width)}  ${"  ".repeat(depth)}${name}${text}\n`;
  });
  return lines.join("");
}

function childrenOf({ tree }: Tree): ReadonlyMap<string | undefined, readonly string[]> {
  const children = new Map<string | undefined, string[]>();
  // Places are in the order in which they were made.
  for (const [entryId, { parent }] of tree) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [entryId]);
    else siblings.push(entryId);
  }
  return children;
}

/** The first on top, as they are taken from the end. */
function withDepth(entryIds: readonly string[], depth: number) {
  const isBranching = entryIds.length > 1;
  return entryIds.map((entryId) => ({ entryId, depth: isBranching ? depth + 1 : depth })).reverse();
}

/** Undefined for what nobody would go back to. */
function shortText(item: ConversationItem): string | undefined {
  switch (item.type) {
    case "prompt":
      return treeTexts.you(oneLine(item.text));
    case "answer": {
      const text = item.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      if (text.trim() !== "") return treeTexts.model(oneLine(text));
      return toolCalls(item.content).length > 0 ? undefined : treeTexts.modelSaidNothing;
    }
    case "report":
      return treeTexts.report(oneLine(item.report));
    case "record":
      return treeTexts.record(oneLine(item.text));
    case "compaction":
      return treeTexts.summary(oneLine(item.summary));
    case "reminder":
    case "results":
      return undefined;
  }
}

function workText(item: ConversationItem): string {
  if (item.type === "reminder") return `kedge: ${oneLine(item.text)}`;
  return item.type === "results" ? treeTexts.tools(item.results.map(({ tool }) => tool).join(", ")) : treeTexts.working;
}

function oneLine(text: string): string {
  const line = stripTerminalControls(text).replaceAll(/\s+/g, " ").trim();
  const characters = Array.from(line.slice(0, textCharactersMax * 2));
  return characters.length > textCharactersMax ? `${characters.slice(0, textCharactersMax - 3).join("")}...` : line;
}
