/** `kedge session tree`: every branch of a session, with the way to where it goes on. */
import {
  applyRecord,
  type ConversationItem,
  emptySession,
  type SessionState,
  stripTerminalControls,
  type TreeEntry,
  toolCalls,
  wholeItem,
  wholePath,
} from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { writeResult } from "../output.ts";
import type { OneSession } from "./session-action.ts";

const textCharactersMax = 60;

type Row = {
  readonly entryId: string;
  readonly parent?: string;
  readonly depth: number;
  readonly type: ConversationItem["type"];
  readonly text: string;
  readonly label?: string;
  readonly isOnPath: boolean;
  readonly isLeaf: boolean;
};

/** Results and answers that only call tools are left out unless `--all` asks for them. */
export const showTree: OneSession = async ({ started, flags, session }) => {
  const state = emptySession(session.sessionId);
  for await (const record of started.kedge.client.facts(session.sessionId)) applyRecord(state, record);
  const rows = treeRows(state).filter((row) => flags.all || isTelling(row, state));
  if (flags.json) writeResult(`${JSON.stringify(rows)}\n`);
  else writeResult(rows.map(rowText).join(""));
  return exitCodes.success;
};

/** Depth grows only where branches part, so that a long conversation stays at the edge. */
function treeRows(state: SessionState): readonly Row[] {
  const children = new Map<string | undefined, TreeEntry[]>();
  for (const entry of state.tree.values()) {
    const siblings = children.get(entry.parent) ?? [];
    children.set(entry.parent, siblings);
    siblings.push(entry);
  }
  const { leaf } = state;
  const onPath = new Set(wholePath(state, leaf).map(({ id }) => id));
  const rows: Row[] = [];
  const open = (children.get(undefined) ?? []).map((entry) => ({ entry, depth: 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { entry, depth } = next;
    const item = wholeItem(entry.item);
    const { id } = item;
    const label = state.labels.get(id);
    rows.push({
      entryId: id,
      ...(entry.parent !== undefined && { parent: entry.parent }),
      depth,
      type: item.type,
      text: textOf(item),
      ...(label !== undefined && { label }),
      isOnPath: onPath.has(id),
      isLeaf: id === leaf,
    });
    const below = children.get(id) ?? [];
    const isFork = below.length > 1;
    open.push(...below.map((child) => ({ entry: child, depth: isFork ? depth + 1 : depth })).reverse());
  }
  return rows;
}

function isTelling({ entryId, type, isLeaf, label }: Row, { tree }: SessionState): boolean {
  if (isLeaf || label !== undefined) return true;
  if (type === "results" || type === "reminder") return false;
  const item = tree.get(entryId)?.item;
  return item?.type !== "answer" || toolCalls(item.content).length === 0;
}

function textOf(item: ConversationItem): string {
  switch (item.type) {
    case "prompt":
    case "reminder":
    case "record":
      return item.text;
    case "answer":
      return item.content.map((block) => (block.type === "text" ? block.text : "")).join(" ");
    case "results":
      return item.results.map(({ tool }) => tool).join(", ");
    case "report":
      return item.report;
    case "compaction":
      return item.summary;
  }
}

const names: { readonly [type in Row["type"]]: string } = {
  prompt: "you",
  reminder: "note",
  answer: "model",
  results: "results",
  report: "report",
  record: "record",
  compaction: "summary",
};

function rowText({ entryId, depth, type, text, label, isOnPath, isLeaf }: Row): string {
  const plain = stripTerminalControls(text).replaceAll(/\s+/g, " ").trim();
  const short = plain.length > textCharactersMax ? `${plain.slice(0, textCharactersMax - 1)}…` : plain;
  const mark = isLeaf ? ">" : isOnPath ? "|" : " ";
  const name = label === undefined ? "" : `[${stripTerminalControls(label)}] `;
  return `${mark} ${"  ".repeat(depth)}${names[type].padEnd(7)} ${name}${short}  (${entryId})\n`;
}
