/** Finds the topics that fit a prompt, beside the run that answers it: a turn never waits for them. */
import { askAside, type OpenSession } from "@kedge/engine";
import {
  rankScanned,
  readSelection,
  recalledBlocks,
  type ScannedNote,
  type Selection,
  scanNotes,
  selectionRequest,
  selectionSystem,
  selectionTokensMax,
  sessionReads,
} from "@kedge/memory/extraction";
import type { ContextBlock, FactOf } from "@kedge/protocol";
import type { UpkeepParts } from "./upkeep-parts.ts";

const sessionBytesMax = 61_440;
const timeoutMs = 10_000;

export async function recallNotes(
  session: OpenSession,
  prompt: string,
  parts: UpkeepParts,
  signal: AbortSignal,
): Promise<void> {
  const { store, recalled, clean, cwd, now } = parts;
  const { state } = session;
  const { directory } = store;
  const left = sessionBytesMax - recalled.bytes(state);
  if (left <= 0) return;
  const startedAt = parts.workerEngine().shared.clock.monotonicMs();
  const surfaced = recalled.surfaced(state);
  const notes = scanNotes(directory, clean).filter(({ file }) => !surfaced.has(file));
  if (notes.length === 0) return;
  const { files, recentTools } = sessionReads(state, directory, cwd);
  const wish = { prompt, notes, recentTools, nonce: parts.nonceOf(state.sessionId) };
  const chosen = (await selectByModel(wish, parts, { beside: state.model, signal })) ?? {};
  if (signal.aborted) return;
  const selected = chosen.selected ?? rankOrNothing(notes, prompt);
  const unread = selected.filter((file) => !files.has(file));
  const blocks = withinBytes(recalledBlocks(unread, { directory, clean, nowMs: now() }), left);
  recalled.offer(state, blocks);
  const fact: FactOf<"memory.recalled"> = {
    type: "memory.recalled",
    candidates: notes.length,
    selected: blocks.map(({ origin }) => origin),
    bytes: blocks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    durationMs: Math.round(parts.workerEngine().shared.clock.monotonicMs() - startedAt),
    by: chosen.selected === undefined ? "keywords" : "model",
    ...(chosen.spent !== undefined && chosen.spent),
  };
  await session.record(fact);
}

type Chosen = {
  readonly selected?: readonly string[];
  readonly spent?: Required<Pick<FactOf<"memory.recalled">, "usage" | "cost">>;
};

/** Nothing is selected where there is no small model, it is late, or its answer is not what was asked for. */
async function selectByModel(
  wish: Selection,
  parts: UpkeepParts,
  { beside, signal }: { readonly beside: string; readonly signal: AbortSignal },
): Promise<Chosen | undefined> {
  const { model } = parts.settings;
  if (model === undefined) return undefined;
  const { models, newRequestId, redact } = parts.workerEngine().shared;
  const answer = await askAside(
    { models, newRequestId },
    {
      model,
      beside,
      source: "background",
      system: selectionSystem,
      messages: [{ role: "user", text: redact(selectionRequest(wish)) }],
      outputTokensMax: selectionTokensMax,
      timeoutMs,
      signal,
    },
  );
  const { usage, cost } = answer;
  const selected = answer.ok ? readSelection(answer.text, wish.notes) : undefined;
  return { spent: { usage, cost }, ...(selected !== undefined && { selected }) };
}

function rankOrNothing(notes: readonly ScannedNote[], prompt: string): readonly string[] {
  try {
    return rankScanned(notes, prompt);
  } catch {
    // Whatever is wrong with the ranking: a turn goes on without notes.
    return [];
  }
}

function withinBytes(blocks: readonly ContextBlock[], bytesMax: number): readonly ContextBlock[] {
  let left = bytesMax;
  return blocks.filter(({ text }) => {
    left -= Buffer.byteLength(text);
    return left >= 0;
  });
}
