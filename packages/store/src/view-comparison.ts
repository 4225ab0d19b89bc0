/** Compares what a store derived from the facts of a session with a fresh fold of them. */
import { isDeepStrictEqual } from "node:util";
import {
  applyToView,
  emptyView,
  type FactRecord,
  type MessageView,
  noUsage,
  type SessionView,
  type Todo,
  type Usage,
  type ViewState,
} from "@kedge/protocol";
import { createMessageMarks } from "./message-marks.ts";
import { wordsOfPart } from "./part-search.ts";

/** What is stored beside the messages. */
export type DerivedRest = {
  readonly session: SessionView | undefined;
  readonly todos: readonly Todo[];
  readonly usage: Usage;
  /** Parts that the search knows. */
  readonly searchable: number;
};

export type ViewComparison = {
  /** The fresh fold, up to the record followed last. */
  readonly view: ViewState;
  follow(record: FactRecord): void;
  /** Takes the stored messages from the last one to the first; gives the first one that differs. */
  takeMessage(message: MessageView): string | undefined;
  /** After the first message. */
  takeRest(rest: DerivedRest): string | undefined;
};

/** Looks at the facts that the tables were made of and not at newer ones, which nobody has asked for yet. */
export function createViewComparison(
  sessionId: string,
  { projected, isDeleted }: { readonly projected: number; readonly isDeleted: boolean },
): ViewComparison {
  const view = emptyView(sessionId);
  const marks = createMessageMarks();
  let expected: string[] | undefined;
  let session: SessionView | undefined;
  let searchable = 0;
  const stillExpected = () => {
    expected ??= marks.messageIds();
    return expected;
  };
  return {
    view,
    follow(record) {
      if (isDeleted || record.seq > projected) return;
      for (const change of applyToView(view, record)) {
        if (change.kind === "session") session = change.session;
        else marks.take(change);
      }
    },
    takeMessage(message) {
      if (stillExpected().pop() !== message.id || !marks.isSame(message)) return `message ${message.id}`;
      searchable += message.parts.filter((part) => wordsOfPart(part, (text) => text) !== undefined).length;
      return undefined;
    },
    takeRest(rest) {
      const missing = stillExpected().pop();
      if (missing !== undefined) return `message ${missing}`;
      if (!isDeepStrictEqual(rest.session, session)) return "the session";
      if (!isDeepStrictEqual(rest.todos, session?.todos ?? [])) return "the todos";
      if (!isDeepStrictEqual(rest.usage, session?.usage ?? noUsage)) return "the usage";
      return rest.searchable === searchable ? undefined : "the search";
    },
  };
}

export function projectionDiffers(what: string | undefined): string | undefined {
  return what && `the projection differs from its records: ${what}`;
}

/** Sums of columns that are named after the fields. */
export function usageOfSums({ webSearches = 0, ...sums }: Usage): Usage {
  return webSearches === 0 ? sums : { ...sums, webSearches };
}
