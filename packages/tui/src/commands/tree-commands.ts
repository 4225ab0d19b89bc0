/** Places of the session's tree by number and by name: the entries behind the messages, which only the facts know. */

import { applyRecord, type BranchSummaryWish, type Client, emptySession, type SessionState } from "@kedge/protocol";
import { sessionNoticeTexts } from "../texts/commands.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";

export const treeWords: readonly string[] = ["all", "user", "labelled", "no-tools"];

const moveForm = sessionNoticeTexts.usageOfTree;

export async function showOrMove(argument: string, context: CommandContext): Promise<void> {
  const { client, notice, open } = context;
  const [, number, word, instructions = ""] = /^(\d+)(?:\s+(summary)(?:\s+([\s\S]+))?)?$/.exec(argument) ?? [];
  if (number === undefined) {
    if (/^\d+\s/.test(argument)) notice("warning", moveForm);
    else if (argument === "") open("tree");
    else open("tree", argument);
    return;
  }
  const session = sessionOf(context);
  if (session === undefined) return;
  const entryId = treePlaces(await readSessionState(client, session.id))[Number(number) - 1];
  if (entryId === undefined) {
    notice("warning", sessionNoticeTexts.noEntry(number));
    return;
  }
  const { desk } = context;
  if (word === undefined) return desk.moveTo(entryId);
  const summary: BranchSummaryWish = instructions === "" ? "summary" : { instructions };
  const moved = await desk.send<"leaf.move">({ type: "leaf.move", sessionId: session.id, entryId, summary });
  if (!moved.ok) return;
  const { promptText } = moved.value;
  if (promptText === undefined) notice("info", sessionNoticeTexts.continuesAfter(number));
  else notice("info", sessionNoticeTexts.continuesBefore({ number, prompt: promptText }));
}

/** Entries in the order in which they are numbered: each before those that follow from it, siblings by time. */
export function treePlaces({ tree }: Pick<SessionState, "tree">): readonly string[] {
  const children = new Map<string | undefined, string[]>();
  // Places are in the order in which they were made.
  for (const [entryId, { parent }] of tree) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [entryId]);
    else siblings.push(entryId);
  }
  const places: string[] = [];
  const open = [...(children.get(undefined) ?? [])].reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    places.push(next);
    open.push(...[...(children.get(next) ?? [])].reverse());
  }
  return places;
}

export async function labelPlace(argument: string, context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  const { client, desk, notice } = context;
  const { leaf } = await readSessionState(client, session.id);
  if (leaf === undefined) {
    notice("warning", sessionNoticeTexts.nothingToLabel);
    return;
  }
  const named = argument === "" ? {} : { label: argument };
  const done = await desk.send<"entry.label">({ type: "entry.label", sessionId: session.id, entryId: leaf, ...named });
  if (!done.ok) return;
  notice("info", argument === "" ? sessionNoticeTexts.labelRemoved : sessionNoticeTexts.labeled(argument));
}

/** Reads the whole session, so it is for what the user asks for once, not for drawing. */
export async function readSessionState(client: Client, sessionId: string): Promise<SessionState> {
  const state = emptySession(sessionId);
  for await (const record of client.facts(sessionId)) applyRecord(state, record);
  return state;
}
