/** How the tree of a session reads in the console: numbered places, branches indented, the way to the leaf marked. */
import { stripTerminalControls } from "@kedge/host";
import { type ConversationItem, type SessionState, toolCalls, wholePath } from "@kedge/protocol";

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

/** Children by time. What only tools were told, and answers that only call them, have no number unless they are the leaf. */
export function treeRows(state: Tree): readonly TreeRow[] {
  const children = childrenOf(state);
  const path = new Set(wholePath(state, state.leaf).map(({ id }) => id));
  const rows: TreeRow[] = [];
  const open = withDepth(children.get(undefined) ?? [], 0);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { entryId, depth } = next;
    const item = state.tree.get(entryId)?.item;
    if (item === undefined) continue;
    const label = state.labels.get(entryId);
    const text = shortText(item) ?? (entryId === state.leaf || label !== undefined ? "(at work)" : undefined);
    if (text !== undefined) {
      const isOnPath = path.has(entryId);
      rows.push({ number: rows.length + 1, entryId, text, depth, isOnPath, ...(label !== undefined && { label }) });
    }
    open.push(...withDepth(children.get(entryId) ?? [], depth));
  }
  return rows;
}

export function treeText(state: Tree): string {
  const rows = treeRows(state);
  if (rows.length === 0) return "(nothing was said yet)\n";
  const width = String(rows.length).length;
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
      return `you: ${oneLine(item.text)}`;
    case "answer": {
      const text = item.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      if (text.trim() !== "") return `model: ${oneLine(text)}`;
      return toolCalls(item.content).length > 0 ? undefined : "model: (nothing)";
    }
    case "report":
      return `report: ${oneLine(item.report)}`;
    case "record":
      return `record: ${oneLine(item.text)}`;
    case "compaction":
      return `summary: ${oneLine(item.summary)}`;
    case "reminder":
    case "results":
      return undefined;
  }
}

function oneLine(text: string): string {
  const line = stripTerminalControls(text).replaceAll(/\s+/g, " ").trim();
  const characters = Array.from(line.slice(0, textCharactersMax * 2));
  return characters.length > textCharactersMax ? `${characters.slice(0, textCharactersMax - 3).join("")}...` : line;
}
