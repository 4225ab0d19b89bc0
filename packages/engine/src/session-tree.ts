/** Moves in the tree of a session: to another place, and names for places. Nothing is ever deleted by them. */
import type { CommandAnswer, FactOf } from "@kedge/protocol";
import type { Journal } from "./journal.ts";
import { unknownEntry } from "./stored-sessions.ts";

const labelCharactersMax = 80;

/** A prompt is chosen to be said anew: the conversation goes on before it. Everything else is gone on from. */
export async function moveLeaf(journal: Journal, entryId: string | undefined): Promise<CommandAnswer<"leaf.move">> {
  const { state } = journal;
  const entry = entryId === undefined ? undefined : state.tree.get(entryId);
  if (entryId !== undefined && entry === undefined) return unknownEntry(entryId);
  const isPrompt = entry?.item.type === "prompt";
  const leafId = isPrompt ? entry?.parent : entryId;
  const said = entry?.item.type === "prompt" ? { promptText: entry.item.text } : {};
  const target = leafId === undefined ? {} : { leafId };
  if (leafId !== state.leaf) await journal.emit({ type: "leaf.moved", ...target } satisfies FactOf<"leaf.moved">);
  return { ok: true, value: { ...target, ...said } };
}

export async function labelEntry(
  journal: Journal,
  entryId: string,
  label: string | undefined,
): Promise<CommandAnswer<"entry.label">> {
  if (!journal.state.tree.has(entryId)) return unknownEntry(entryId);
  const name = label?.trim().slice(0, labelCharactersMax);
  const given = name === undefined || name === "" ? {} : { label: name };
  await journal.emit({ type: "entry.labelled", entryId, ...given });
  return { ok: true, value: {} };
}
