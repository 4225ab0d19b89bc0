/** Knows whether the user asked to remember something: the only way in which the word of an agent counts as the user's. */
import type { ContextSource, SessionState } from "@kedge/protocol";
import { asksToRemember } from "./remember-wish.ts";

interface PromptWatch {
  /** Sees the state of a session at every step, and says nothing. */
  readonly source: ContextSource;
  /**
   * Whether the latest prompt of the session asks to remember this text. Once the agent has read something for it, only
   * what the prompt itself says is the user's word.
   */
  isAsked(sessionId: string, text: string): boolean;
  /** What belongs together for undo: everything since the latest prompt. */
  groupOf(sessionId: string): string | undefined;
  /** The groups from that prompt on, as far as they were seen. */
  groupsSince(sessionId: string, promptId: string): readonly string[];
}

type Latest = {
  readonly promptId: string;
  readonly isAsked: boolean;
  readonly words: ReadonlySet<string>;
  readonly all: readonly string[];
};

/** More prompts are not undone at once. */
const promptsMax = 100;

export function createPromptWatch(): PromptWatch {
  const latest = new Map<string, Latest>();
  /** Sessions in which a tool has told something since the latest prompt. */
  const informed = new Set<string>();
  return {
    source: {
      name: "memory wishes",
      kind: "reminder",
      place: "turn",
      read({ state }) {
        const prompt = latestPrompt(state);
        if (prompt !== undefined && latest.get(state.sessionId)?.promptId !== prompt.id) {
          const all = [...(latest.get(state.sessionId)?.all ?? []), prompt.id].slice(-promptsMax);
          const isAsked = asksToRemember(prompt.text);
          latest.set(state.sessionId, { promptId: prompt.id, isAsked, all, words: wordsOf(prompt.text) });
        }
        if (hasReadSince(state, prompt?.id)) informed.add(state.sessionId);
        else informed.delete(state.sessionId);
        return nothing;
      },
    },
    isAsked(sessionId, text) {
      const known = latest.get(sessionId);
      if (known?.isAsked !== true) return false;
      return !informed.has(sessionId) || isSaidIn(text, known.words);
    },
    groupOf: (sessionId) => latest.get(sessionId)?.promptId,
    groupsSince(sessionId, promptId) {
      const all = latest.get(sessionId)?.all ?? [];
      return all.includes(promptId) ? all.slice(all.indexOf(promptId)) : [promptId];
    },
  };
}

const nothing = [] as const;

/** What waits to enter the view with this step counts as well. */
function latestPrompt({
  items,
  queue,
}: Readonly<SessionState>): { readonly id: string; readonly text: string } | undefined {
  const waiting = queue.at(-1);
  if (waiting !== undefined) return { id: waiting.promptId, text: waiting.text };
  const item = items.findLast(({ type }) => type === "prompt");
  return item?.type === "prompt" ? item : undefined;
}

/** Tools whose results say nothing that was not said to them. */
const ownTools: ReadonlySet<string> = new Set(["write", "edit"]);

/** Looks from the end of the conversation back to the prompt. */
function hasReadSince({ items }: Readonly<SessionState>, promptId: string | undefined): boolean {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item?.type === "prompt" && item.id === promptId) return false;
    if (item?.type !== "answer") continue;
    if (item.content.some((block) => block.type === "tool-call" && !ownTools.has(block.tool))) return true;
  }
  return false;
}

/** Most of its words, without the frontmatter that every topic has. */
const mostWords = 0.6;

function isSaidIn(text: string, said: ReadonlySet<string>): boolean {
  const words = [...wordsOf(text.replace(/^---\n[\s\S]*?\n---\n/, ""))];
  return words.filter((word) => said.has(word)).length >= words.length * mostWords;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
}
