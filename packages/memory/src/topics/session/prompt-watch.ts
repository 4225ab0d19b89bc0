/** Knows whether the user asked to remember something: the only way in which the word of an agent counts as the user's. */
import type { ContextSource, SessionState } from "@kedge/protocol";

export interface PromptWatch {
  /** Sees the state of a session at every step, and says nothing. */
  readonly source: ContextSource;
  /** Whether the latest prompt of the session asks to remember. */
  isAsked(sessionId: string): boolean;
  /** What belongs together for undo: everything since the latest prompt. */
  groupOf(sessionId: string): string | undefined;
  /** The groups from that prompt on, as far as they were seen. */
  groupsSince(sessionId: string, promptId: string): readonly string[];
}

type Latest = { readonly promptId: string; readonly isAsked: boolean; readonly all: readonly string[] };

/** More prompts are not undone at once. */
const promptsMax = 100;

/** The beginning of a line that the user typed; pasted documents come later. */
const wish =
  /^\s*(?:#(?![#\s]*$)|(?:please |also |and |oh,? |btw,? |by the way,? |can you |could you |you should |i want you to )*(?:remember|memori[sz]e|don['’]t forget|do not forget|keep in mind|make a note|note (?:down|that)|save (?:this|that|it)(?: to| in)? ?(?:memory)?|add (?:this |that |it )?to (?:your )?memory|update (?:your )?memory|merk(?:e)? dir|souviens-toi|recuerda)\b)/im;
const charactersMax = 1_000;

export function createPromptWatch(): PromptWatch {
  const latest = new Map<string, Latest>();
  return {
    source: {
      name: "memory wishes",
      kind: "reminder",
      place: "turn",
      read({ state }) {
        const prompt = latestPrompt(state);
        if (prompt !== undefined && latest.get(state.sessionId)?.promptId !== prompt.id) {
          const all = [...(latest.get(state.sessionId)?.all ?? []), prompt.id].slice(-promptsMax);
          const isAsked = wish.test(prompt.text.slice(0, charactersMax));
          latest.set(state.sessionId, { promptId: prompt.id, isAsked, all });
        }
        return nothing;
      },
    },
    isAsked: (sessionId) => latest.get(sessionId)?.isAsked === true,
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
