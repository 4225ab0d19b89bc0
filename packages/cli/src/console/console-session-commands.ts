/** The console's commands about the conversation itself: its size, its tree, its name, and where it goes on. */
import {
  type BranchSummaryWish,
  type Client,
  type CommandAnswer,
  contextCells,
  type Failure,
  type SessionState,
  stripTerminalControls,
} from "@kedge/protocol";
import { failureText } from "../failure-text.ts";
import { countText, tableText } from "../text-table.ts";
import { conversationTexts } from "../texts/console.ts";
import { choiceOf, treeRows, treeText } from "./console-tree.ts";

type Elsewhere = { readonly sessionId: string; readonly text: string };

type SessionCommand = {
  readonly summary: string;
  /** Gives back what is shown, and where the conversation goes on if that is elsewhere. */
  readonly run: (argument: string, client: Client, state: SessionState) => Promise<string | Elsewhere>;
};

export const sessionCommands: ReadonlyMap<string, SessionCommand> = new Map<string, SessionCommand>([
  ["/compact", { summary: conversationTexts.compact, run: compact }],
  ["/shake", { summary: conversationTexts.shake, run: shake }],
  ["/context", { summary: conversationTexts.context, run: showContext }],
  ["/handoff", { summary: conversationTexts.handoff, run: handOff }],
  ["/tree", { summary: conversationTexts.tree, run: showOrMove }],
  ["/fork", { summary: conversationTexts.fork, run: fork }],
  ["/label", { summary: conversationTexts.label, run: label }],
  ["/rename", { summary: conversationTexts.rename, run: rename }],
]);

async function compact(argument: string, client: Client, { sessionId }: SessionState): Promise<string> {
  const instructions = argument === "" ? {} : { instructions: argument };
  const done = await client.send<"context.compact">({ type: "context.compact", sessionId, ...instructions });
  // The console shows the fact.
  return done.ok ? "" : failed(done.failure);
}

async function shake(argument: string, client: Client, { sessionId }: SessionState): Promise<string> {
  if (argument !== "" && argument !== "images") return conversationTexts.shakeUsage;
  const images = argument === "images";
  const done = await client.send<"context.shake">({ type: "context.shake", sessionId, images });
  if (!done.ok) return failed(done.failure);
  const { resultCount, tokensFreed } = done.value;
  if (resultCount === 0) return conversationTexts.nothingToDrop;
  return conversationTexts.dropped(resultCount, countText(tokensFreed));
}

async function showContext(_: string, client: Client, { sessionId }: SessionState): Promise<string> {
  const looked = await client.send<"context.inspect">({ type: "context.inspect", sessionId });
  return looked.ok ? contextText(looked.value) : failed(looked.failure);
}

type Inspected = Extract<CommandAnswer<"context.inspect">, { readonly ok: true }>["value"];

export function contextText(inspected: Inspected): string {
  const { model, windowTokens, tokens, isMeasured, compactAt, overflowAt, sources, parts, tools } = inspected;
  const by = isMeasured ? conversationTexts.counted : conversationTexts.estimated;
  const left = Math.max(0, compactAt - tokens);
  const rows = [...sources, ...parts.map((part) => ({ ...part, kind: "", place: "", origin: "" }))];
  const column = (title: "name" | "kind" | "place" | "origin") =>
    ({ title, align: "left", text: (row: (typeof rows)[number]) => row[title] }) as const;
  const table = tableText<(typeof rows)[number]>(
    [
      ...(["name", "kind", "place", "origin"] as const).map(column),
      { title: conversationTexts.estimatedTokens, align: "right", text: (row) => countText(row.tokens) },
    ],
    rows,
  );
  const { cells, advice } = contextCells(inspected);
  const budget = cells.map(({ name, tokens: count }) => `${name} ${countText(count)}`).join(", ");
  return [
    conversationTexts.contextUsed(stripTerminalControls(model), countText(tokens), countText(windowTokens), by),
    conversationTexts.contextLimits(countText(compactAt), countText(left), countText(overflowAt)),
    [conversationTexts.contextByKind(budget), ...(advice === undefined ? [] : [advice])].join(" "),
    `${table}${contextToolsText(tools)}${notesText(sources)}`,
  ].join("\n");
}

const toolStates = {
  loaded: conversationTexts.toolsInRequests,
  found: conversationTexts.toolsFound,
  deferred: conversationTexts.deferredTools,
} as const;

/** The largest first; what is deferred costs its name alone. */
function contextToolsText(tools: Inspected["tools"]): string {
  return Object.entries(toolStates)
    .map(([state, title]) => {
      const listed = tools.filter((tool) => tool.state === state).sort((left, right) => right.tokens - left.tokens);
      const names = listed.map(({ name, tokens }) => `${name} ${countText(tokens)}`).join(", ");
      return listed.length === 0 ? "" : conversationTexts.toolTokens(title, stripTerminalControls(names));
    })
    .join("");
}

function notesText(sources: Inspected["sources"]): string {
  const noted = sources.filter(({ note }) => note !== undefined);
  return noted.map(({ origin, note }) => `${stripTerminalControls(`${origin}: ${note}`)}\n`).join("");
}

async function handOff(argument: string, client: Client, { sessionId }: SessionState): Promise<string | Elsewhere> {
  const focus = argument === "" ? {} : { focus: argument };
  const handed = await client.send<"session.handoff">({ type: "session.handoff", sessionId, ...focus });
  if (!handed.ok) return failed(handed.failure);
  return handed.value.sessionId === sessionId ? "" : elsewhere(conversationTexts.handedOff, handed.value, sessionId);
}

async function fork(_: string, client: Client, { sessionId }: SessionState): Promise<string | Elsewhere> {
  const forked = await client.send<"session.fork">({ type: "session.fork", sessionId });
  return forked.ok ? elsewhere(conversationTexts.copied, forked.value, sessionId) : failed(forked.failure);
}

function elsewhere(how: string, { sessionId }: { readonly sessionId: string }, from: string): Elsewhere {
  const text = conversationTexts.elsewhere(how, sessionId, from);
  return { sessionId, text };
}

const moveForm = conversationTexts.treeUsage;

async function showOrMove(argument: string, client: Client, state: SessionState): Promise<string> {
  const [, number, word, instructions = ""] = /^(\d+)(?:\s+(summary)(?:\s+([\s\S]+))?)?$/.exec(argument) ?? [];
  if (/^\d/.test(argument) && number === undefined) return moveForm;
  if (number === undefined) return treeText(state, choiceOf(argument));
  const row = treeRows(state, { filter: "all", words: [] }).find((each) => each.number === Number(number));
  if (row === undefined) return conversationTexts.noEntry(number, moveForm);
  const { sessionId } = state;
  const summary: BranchSummaryWish = word === undefined ? "none" : instructions === "" ? "summary" : { instructions };
  const moved = await client.send<"leaf.move">({ type: "leaf.move", sessionId, entryId: row.entryId, summary });
  if (!moved.ok) return failed(moved.failure);
  const { promptText } = moved.value;
  if (promptText === undefined) return conversationTexts.continuingAfter(row.number);
  return conversationTexts.continuingBefore(row.number, stripTerminalControls(promptText));
}

async function label(argument: string, client: Client, { sessionId, leaf }: SessionState): Promise<string> {
  if (leaf === undefined) return conversationTexts.nothingToLabel;
  const named = argument === "" ? {} : { label: argument };
  const done = await client.send<"entry.label">({ type: "entry.label", sessionId, entryId: leaf, ...named });
  if (!done.ok) return failed(done.failure);
  return argument === "" ? conversationTexts.labelRemoved : conversationTexts.labeled(stripTerminalControls(argument));
}

async function rename(argument: string, client: Client, { sessionId, title }: SessionState): Promise<string> {
  if (argument === "") return conversationTexts.titleIs(stripTerminalControls(title));
  const done = await client.send<"session.update">({ type: "session.update", sessionId, title: argument });
  return done.ok ? conversationTexts.titleIs(stripTerminalControls(argument)) : failed(done.failure);
}

function failed(failure: Failure): string {
  return `${failureText(failure)}\n`;
}
