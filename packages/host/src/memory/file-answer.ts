/** `/file [title]`: keeps the last answer as a page of memory, with what it drew on. Only ever by the user's own word. */
import { draftFromText } from "@kedge/memory/topics";
import { type AssistantBlock, isJsonObject, type SessionState } from "@kedge/protocol";
import { failure, type MemoryAnswer } from "./memory-answer.ts";
import type { ProjectMemory } from "./open-memory.ts";

const sourcesMax = 20;
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
  const sources = sourcesOf(state).map((source) => redact(source));
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

/** Files and addresses that were read since the last prompt, each once. */
function sourcesOf({ items }: Pick<SessionState, "items">): readonly string[] {
  const start = items.findLastIndex(({ type }) => type === "prompt");
  const sources = items
    .slice(start + 1)
    .flatMap((item) => (item.type === "answer" ? item.content.flatMap(sourceOf) : []));
  return [...new Set(sources)].slice(0, sourcesMax);
}

function sourceOf(block: AssistantBlock): readonly string[] {
  if (block.type !== "tool-call" || !readingTools.has(block.tool)) return [];
  const input = parsed(block.inputText);
  const named = isJsonObject(input) ? (input["filePath"] ?? input["url"]) : undefined;
  return typeof named === "string" ? [named] : [];
}

const readingTools: ReadonlySet<string> = new Set(["read", "webfetch"]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The call was refused for that reason.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
