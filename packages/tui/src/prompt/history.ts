/** Walking through what was sent before, and searching in it. */
import { promptText } from "./input-text.ts";

export type PromptHistory = {
  /** Of this project, oldest first. */
  entries(): readonly string[];
  add(text: string): void;
};

/** What a step leads to: an entry, or below the newest one what had been written and not sent. */
export type HistoryStep = { readonly kind: "entry" | "unsent"; readonly text: string };

export type HistoryWalk = {
  /** Undefined where there is nothing in this direction. */
  step(direction: -1 | 1, current: string): HistoryStep | undefined;
  /** The next step begins at the newest entry again. */
  leave(): void;
};

export function createHistoryWalk(history: PromptHistory): HistoryWalk {
  let walk: { readonly entries: readonly string[]; readonly index: number; readonly unsent: string } | undefined;

  function begin(unsent: string) {
    const entries = history.entries();
    return { entries, index: entries.length, unsent };
  }

  return {
    step(direction, current) {
      const from = walk ?? begin(current);
      const index = from.index + direction;
      if (index < 0 || index > from.entries.length) return undefined;
      const entry = from.entries[index];
      walk = entry === undefined ? undefined : { ...from, index };
      return entry === undefined ? { kind: "unsent", text: from.unsent } : { kind: "entry", text: entry };
    },
    leave() {
      walk = undefined;
    },
  };
}

export type HistorySearch = {
  readonly query: string;
  /** The entry that is shown, with the place where the query is in it. */
  readonly match: { readonly text: string; readonly at: number } | undefined;
};

export type HistorySearcher = {
  state(): HistorySearch;
  type(text: string): void;
  erase(): void;
  /** The next match: older (-1) or newer (1). Stays where there is none. */
  step(direction: -1 | 1): void;
};

/** Upper and lower case are the same unless the query has an upper one. */
export function createHistorySearcher(history: PromptHistory): HistorySearcher {
  const entries = history.entries();
  let query = "";
  let index = entries.length;

  const placeIn = (entry: string) =>
    query === query.toLowerCase() ? entry.toLowerCase().indexOf(query) : entry.indexOf(query);

  function find(from: number, direction: -1 | 1): number | undefined {
    for (let at = from; at >= 0 && at < entries.length; at += direction) {
      const entry = entries[at];
      if (entry !== undefined && entry !== entries[index] && placeIn(entry) !== -1) return at;
    }
    return undefined;
  }

  function refine(changed: string): void {
    query = changed;
    index = entries.length;
    index = query === "" ? index : (find(index - 1, -1) ?? index);
  }

  return {
    state() {
      const entry = entries[index];
      if (entry === undefined) return { query, match: undefined };
      const text = promptText(entry);
      return { query, match: { text, at: Math.max(0, placeIn(text)) } };
    },
    type: (text) => refine(query + text),
    erase: () => refine(Array.from(query).slice(0, -1).join("")),
    step(direction) {
      index = find(index + direction, direction) ?? index;
    },
  };
}
