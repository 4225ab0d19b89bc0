/** How the hooks of one agent see the world: its names for events, tools, fields, modes and variables, as data. */
import type { HookEvent } from "../hook-events.ts";

export type DialectId = "kedge" | "claude" | "codex" | "copilot" | "copilot-claude" | "gemini";

/** Our names to theirs. */
export type Names = { readonly [ours: string]: string };

export type Dialect = {
  readonly id: DialectId;
  /** Names of events that are not ours; the others have the same name. */
  readonly events: { readonly [theirs: string]: HookEvent };
  /** The dialect of hooks that name an event as we do, where an agent reads two. */
  readonly ofOurEvents?: DialectId;
  /** Tools that have another name there; the others keep ours. */
  readonly tools: Names;
  /** Further names that a matcher may use for a tool; one that only matches such a name sees the tool under it. */
  readonly otherNames?: { readonly [tool: string]: readonly string[] };
  /** Fields of the input of our tools; the others keep our names. */
  readonly fields: { readonly [tool: string]: Names };
  /**
   * The tool that every call changing files looks like which has no counterpart there, and its fields for the path and
   * for what is written.
   */
  readonly editing?: { readonly tool: string; readonly path: string; readonly text?: string };
  /** Every tool that changes files looks like one whose field holds a patch; a matcher may also name the others. */
  readonly patching?: { readonly tool: string; readonly field: string; readonly otherNames: readonly string[] };
  /** Fields of the event itself. */
  readonly eventFields: Names;
  /** The input of a tool is passed as one text of JSON. */
  readonly inputAsText?: true;
  /** Events tell their time, in milliseconds or as a date. */
  readonly timestamp?: "milliseconds" | "date";
  /** Names under which the text of a tool's result is passed, and under which the result lies. */
  readonly result: { readonly text: string; readonly error?: string; readonly kind?: string };
  /** The result once more, under another name and form, where an agent passes both. */
  readonly secondResult?: { readonly field: string; readonly text: string; readonly kind: string };
  /** Kinds of permission mode. */
  readonly modes: Names;
  /** Variables that hold the root of the project. */
  readonly projectVariables: readonly string[];
  /** The time limit of a hook: its field, what it counts in, and what holds without it. */
  readonly timeout: {
    readonly field: string;
    /** Counts where the field is absent. */
    readonly otherField?: string;
    readonly unitMs: number;
    readonly defaultMs?: number;
  };
  /** A matcher is a regular expression whatever it looks like. */
  readonly matcherIsPattern?: true;
  /** A matcher has to match a whole name. */
  readonly matcherIsWhole?: true;
  /** The only events that exit code 2 blocks; elsewhere it is a failure like another. All that can be without it. */
  readonly blockedByExit?: readonly HookEvent[];
  /** Events that a command refuses by failing, whatever it printed. */
  readonly refusedByFailure?: readonly HookEvent[];
  /** Events that its hooks cannot block, whatever they answer. */
  readonly unblockable?: readonly HookEvent[];
  /** Lines of a command's output that say how far it is, and are no part of its answer. */
  readonly printsProgress?: true;
  /** A prompt is what the user would have typed, and no question to a model. */
  readonly submitsPrompts?: true;
  /** The error of a failed run is an object. */
  readonly errorAsObject?: true;
  /** Blocking after a call hides its result instead of commenting on it. */
  readonly blockHidesResult?: true;
  /** A changed input holds only what changes. */
  readonly inputIsPatch?: true;
  /** Its hooks are given the path of a transcript, so the file is written before they start. */
  readonly wantsTranscript?: true;
};
