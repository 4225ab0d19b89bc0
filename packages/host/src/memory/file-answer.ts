/** `/file [title]`: keeps the last answer as a page of memory, with what it drew on. Only ever by the user's own word. */
import { draftFromText } from "@kedge/memory/topics";
import type { SessionState } from "@kedge/protocol";
import { answerSources } from "./answer-sources.ts";
import { failure, type MemoryAnswer } from "./memory-answer.ts";
import type { ProjectMemory } from "./open-memory.ts";

const descriptionCharactersMax = 200;
const nameCharactersMax = 80;

export async function fileAnswer(title: string, state: SessionState, memory: ProjectMemory): Promise<MemoryAnswer> {
  const { place, redact } = memory;
  if (place.state !== "on") return failure(`Memory is off: ${place.why}.`);
  const text = lastAnswer(state);
  if (text === "") return failure("No answer to save yet.");
  const store = await memory.openStore();
  const draft = draftFromText(text, redact);
  const named = redact(title).slice(0, nameCharactersMax);
  const sources = answerSources(state).map((source) => redact(source));
  const saved = await store.save(
    {
      ...draft,
      type: "reference",
      ...(named !== "" && { name: named }),
      description: draft.description.slice(0, descriptionCharactersMax),
      sources,
    },
    { origin: "agent-inferred", sessionId: state.sessionId },
  );
  if (saved.outcome === "refused") return failure(saved.problem);
  if (saved.outcome === "known") return { text: `Already saved: ${saved.slug}.` };
  if (saved.place === "quarantine")
    return { text: `Quarantined: ${saved.path} (${saved.suspicion ?? ""}). Review it with /memory inbox.` };
  // Whoever files an answer has read it.
  const accepted = saved.place === "inbox" ? await store.accept(saved.slug) : { ok: true as const, path: saved.path };
  if (!accepted.ok) return failure(accepted.problem);
  return {
    text: `Saved: ${accepted.path} with ${sources.length} ${sources.length === 1 ? "source" : "sources"}.`,
    data: { path: accepted.path, sources },
  };
}

function lastAnswer({ items }: SessionState): string {
  for (const item of items.toReversed()) {
    if (item.type !== "answer") continue;
    const text = item.content
      .flatMap((block) => (block.type === "text" ? [block.text] : []))
      .join("\n")
      .trim();
    if (text !== "") return text;
  }
  return "";
}
