/** The ContextSource contract: what the model sees besides the conversation comes from named sources. */
import type { ContextKind, ContextPlace } from "../context-entry.ts";
import type { SessionState } from "../facts/session-state.ts";
import type { FenceMarks } from "../text/fence-text.ts";
import type { Model } from "./model.ts";

export type ContextBlock = {
  readonly text: string;
  /** Where it comes from: a path or a name, unique in its source. */
  readonly origin: string;
  /**
   * Names this version of the text, such as a digest or a branch. A version is sent once, and again only when the
   * conversation no longer shows it; another version in any place is sent behind the conversation. Without a hash a
   * block of `turn` is sent each time it is given, and any other one never again.
   */
  readonly hash?: string;
  /** What the fence around data says besides source and origin, such as who said it and when. */
  readonly marks?: FenceMarks;
  /** For the person who looks at what fills the context, never for the model. */
  readonly note?: string;
};

/** What a source may look at. */
export type ContextSession = {
  readonly state: Readonly<SessionState>;
  readonly model: Model;
  /** The answer must come through `structured_output`. */
  readonly isStructured: boolean;
  /** The version of one of its own blocks that the model saw last; undefined when it sees none. */
  readonly shown: (origin: string) => string | undefined;
};

/**
 * Asked at every step, so `read` never waits and costs next to nothing when nothing changed. What was said stays said:
 * a source that has to take something back gives a block that says so. One that throws is skipped with a notice.
 */
export interface ContextSource {
  readonly name: string;
  readonly kind: ContextKind;
  readonly place: ContextPlace;
  /** What is longer is cut, and the cut says so; 50,000 without it. */
  readonly tokensMax?: number;
  read(session: ContextSession): readonly ContextBlock[];
}
