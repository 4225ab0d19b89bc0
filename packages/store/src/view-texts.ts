/** The view fold of a session as texts, none of them long, and back: the form in which a store keeps it. */
import { isJsonObject, type SessionView, type ViewState } from "@kedge/protocol";
import { isSameText, isStateOfTexts, parseText, stateOfTexts, textsOfState } from "./state-texts.ts";

/** What is the view's own in one text, then those of its skeleton. */
export function* textsOfView(view: ViewState): Generator<string> {
  yield ownText(view);
  yield* textsOfState(view.skeleton);
}

/** Compares without a second view in memory. */
export function isViewOfTexts(view: ViewState, texts: Iterable<string>): boolean {
  const each = texts[Symbol.iterator]();
  return (
    isSameText(ownText(view), each.next().value) && isStateOfTexts(view.skeleton, { [Symbol.iterator]: () => each })
  );
}

function ownText({ skeleton: _, queued, entries, step, ...rest }: ViewState): string {
  return JSON.stringify({
    ...rest,
    queued: [...queued],
    entries: [...entries],
    ...(step !== undefined && { step: { ...step, calls: [...step.calls], endedCalls: [...step.endedCalls] } }),
  });
}

/** As JSON has it: lists in the place of collections. */
type WrittenView = Omit<ViewState, "skeleton" | "queued" | "entries" | "step"> & {
  readonly queued: [string, number][];
  readonly entries: [string, EntryOf<ViewState["entries"]>][];
  readonly step?: Omit<Step, "calls" | "endedCalls"> & {
    readonly calls: [string, EntryOf<Step["calls"]>][];
    readonly endedCalls: string[];
  };
};

type EntryOf<Collection> = Collection extends ReadonlyMap<string, infer Entry> ? Entry : never;
type Step = NonNullable<ViewState["step"]>;

/** Undefined when these are not all the texts of one view of this session. */
export function viewOfTexts(sessionId: string, texts: Iterable<string>): ViewState | undefined {
  const [first, ...others] = texts;
  const parsed = first === undefined ? undefined : parseText(first);
  const skeleton = stateOfTexts(sessionId, others);
  if (skeleton === undefined || !isJsonObject(parsed)) return undefined;
  // The first text was written by `textsOfView` alone.
  const { session, queued, entries, step, tree } = parsed as unknown as WrittenView;
  return {
    sessionId,
    skeleton,
    session: session && withSkeleton(session, skeleton),
    queued: new Map(queued),
    entries: new Map(entries),
    step: step && { ...step, calls: new Map(step.calls), endedCalls: new Set(step.endedCalls) },
    tree,
  };
}

/** The fold tells that a session changed by its parts being other objects than those of the skeleton. */
function withSkeleton(session: SessionView, skeleton: ViewState["skeleton"]): SessionView {
  const { usage, cost, todos, origin, reverts } = skeleton;
  const files = reverts.at(-1)?.files;
  return {
    ...session,
    ...{ usage, cost, todos },
    ...(origin !== undefined && { origin }),
    ...(session.revert !== undefined && files !== undefined && { revert: { ...session.revert, files } }),
  };
}
