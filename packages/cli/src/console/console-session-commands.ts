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
import { choiceOf, treeRows, treeText } from "./console-tree.ts";

type Elsewhere = { readonly sessionId: string; readonly text: string };

type SessionCommand = {
  readonly summary: string;
  /** Gives back what is shown, and where the conversation goes on if that is elsewhere. */
  readonly run: (argument: string, client: Client, state: SessionState) => Promise<string | Elsewhere>;
};

export const sessionCommands: ReadonlyMap<string, SessionCommand> = new Map<string, SessionCommand>([
  ["/compact", { summary: "Summarize older messages to free context, with optional instructions", run: compact }],
  ["/shake", { summary: "Drop long tool output from the context (images: only images)", run: shake }],
  ["/context", { summary: "Show what is in the model's context", run: showContext }],
  ["/handoff", { summary: "Summarize into a new session, with an optional focus", run: handOff }],
  ["/tree", { summary: "Show the session tree; jump by number or search", run: showOrMove }],
  ["/fork", { summary: "Fork the conversation into a new session", run: fork }],
  ["/label", { summary: "Label this point in the tree, or remove its label", run: label }],
  ["/rename", { summary: "Rename the session", run: rename }],
]);

async function compact(argument: string, client: Client, { sessionId }: SessionState): Promise<string> {
  const instructions = argument === "" ? {} : { instructions: argument };
  const done = await client.send<"context.compact">({ type: "context.compact", sessionId, ...instructions });
  // The console shows the fact.
  return done.ok ? "" : failed(done.failure);
}

async function shake(argument: string, client: Client, { sessionId }: SessionState): Promise<string> {
  if (argument !== "" && argument !== "images") return "Usage: /shake, or /shake images for images only.\n";
  const images = argument === "images";
  const done = await client.send<"context.shake">({ type: "context.shake", sessionId, images });
  if (!done.ok) return failed(done.failure);
  const { resultCount, tokensFreed } = done.value;
  if (resultCount === 0) return "(nothing to drop)\n";
  const what = resultCount === 1 ? "1 result" : `${resultCount} results`;
  return `(${what} dropped from the context, about ${countText(tokensFreed)} tokens freed)\n`;
}

async function showContext(_: string, client: Client, { sessionId }: SessionState): Promise<string> {
  const looked = await client.send<"context.inspect">({ type: "context.inspect", sessionId });
  return looked.ok ? contextText(looked.value) : failed(looked.failure);
}

type Inspected = Extract<CommandAnswer<"context.inspect">, { readonly ok: true }>["value"];

export function contextText(inspected: Inspected): string {
  const { model, windowTokens, tokens, isMeasured, compactAt, overflowAt, sources, parts, tools } = inspected;
  const by = isMeasured ? "counted by the provider" : "estimated";
  const left = Math.max(0, compactAt - tokens);
  const rows = [...sources, ...parts.map((part) => ({ ...part, kind: "", place: "", origin: "" }))];
  const column = (title: "name" | "kind" | "place" | "origin") =>
    ({ title, align: "left", text: (row: (typeof rows)[number]) => row[title] }) as const;
  const table = tableText<(typeof rows)[number]>(
    [
      ...(["name", "kind", "place", "origin"] as const).map(column),
      { title: "tokens (estimated)", align: "right", text: (row) => countText(row.tokens) },
    ],
    rows,
  );
  const { cells, advice } = contextCells(inspected);
  const budget = cells.map(({ name, tokens: count }) => `${name} ${countText(count)}`).join(", ");
  return `${stripTerminalControls(model)}: ${countText(tokens)} of ${countText(windowTokens)} tokens (${by}).
Auto-compacts at ${countText(compactAt)} (${countText(left)} left). Limit: ${countText(overflowAt)}.
By kind, estimated: ${budget}.${advice === undefined ? "" : ` ${advice}`}
${table}${contextToolsText(tools)}${notesText(sources)}`;
}

const toolStates = { loaded: "Tools in requests", found: "Tools found by search", deferred: "Deferred tools" } as const;

/** The largest first; what is deferred costs its name alone. */
function contextToolsText(tools: Inspected["tools"]): string {
  return Object.entries(toolStates)
    .map(([state, title]) => {
      const listed = tools.filter((tool) => tool.state === state).sort((left, right) => right.tokens - left.tokens);
      const names = listed.map(({ name, tokens }) => `${name} ${countText(tokens)}`).join(", ");
      return listed.length === 0 ? "" : `${title}, with estimated tokens: ${stripTerminalControls(names)}.\n`;
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
  return handed.value.sessionId === sessionId ? "" : elsewhere("handed off to", handed.value, sessionId);
}

async function fork(_: string, client: Client, { sessionId }: SessionState): Promise<string | Elsewhere> {
  const forked = await client.send<"session.fork">({ type: "session.fork", sessionId });
  return forked.ok ? elsewhere("copied to", forked.value, sessionId) : failed(forked.failure);
}

function elsewhere(how: string, { sessionId }: { readonly sessionId: string }, from: string): Elsewhere {
  const text = `(${how} session ${sessionId}, now open. Return with kedge --resume ${from}.)\n`;
  return { sessionId, text };
}

const moveForm =
  "Usage: /tree <number> [summary], or /tree all|user|labelled|no-tools|<words>. With summary, the branch you leave is summarized.\n";

async function showOrMove(argument: string, client: Client, state: SessionState): Promise<string> {
  const [, number, word, instructions = ""] = /^(\d+)(?:\s+(summary)(?:\s+([\s\S]+))?)?$/.exec(argument) ?? [];
  if (/^\d/.test(argument) && number === undefined) return moveForm;
  if (number === undefined) return treeText(state, choiceOf(argument));
  const row = treeRows(state, { filter: "all", words: [] }).find((each) => each.number === Number(number));
  if (row === undefined) return `No entry ${number}. ${moveForm}`;
  const { sessionId } = state;
  const summary: BranchSummaryWish = word === undefined ? "none" : instructions === "" ? "summary" : { instructions };
  const moved = await client.send<"leaf.move">({ type: "leaf.move", sessionId, entryId: row.entryId, summary });
  if (!moved.ok) return failed(moved.failure);
  const { promptText } = moved.value;
  if (promptText === undefined) return `(continuing after entry ${row.number})\n`;
  return `(continuing before entry ${row.number})\n${stripTerminalControls(promptText)}\n`;
}

async function label(argument: string, client: Client, { sessionId, leaf }: SessionState): Promise<string> {
  if (leaf === undefined) return "Nothing to label yet. Send a prompt first.\n";
  const named = argument === "" ? {} : { label: argument };
  const done = await client.send<"entry.label">({ type: "entry.label", sessionId, entryId: leaf, ...named });
  if (!done.ok) return failed(done.failure);
  return argument === "" ? "(label removed)\n" : `(labeled ${stripTerminalControls(argument)})\n`;
}

async function rename(argument: string, client: Client, { sessionId, title }: SessionState): Promise<string> {
  if (argument === "") return `(title: ${stripTerminalControls(title)})\n`;
  const done = await client.send<"session.update">({ type: "session.update", sessionId, title: argument });
  return done.ok ? `(title: ${stripTerminalControls(argument)})\n` : failed(done.failure);
}

function failed(failure: Failure): string {
  return `${failureText(failure)}\n`;
}
