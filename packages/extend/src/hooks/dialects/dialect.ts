/** How the hooks of one agent see the world: its names for events, tools, fields, modes and variables, as data. */
import type { HookEvent } from "../hook-events.ts";

export type DialectId = "kedge" | "claude" | "codex" | "copilot" | "gemini";

/** Our names to theirs. */
export type Names = { readonly [ours: string]: string };

export type Dialect = {
  readonly id: DialectId;
  /** Names of events that are not ours; the others have the same name. */
  readonly events: { readonly [theirs: string]: HookEvent };
  /** Tools that have another name there; the others keep ours. */
  readonly tools: Names;
  /** Fields of the input of our tools; the others keep our names. */
  readonly fields: { readonly [tool: string]: Names };
  /** The tool that every call changing files looks like which has no counterpart there, and its field for the path. */
  readonly editing?: { readonly tool: string; readonly path: string };
  /** Fields of the event itself. */
  readonly eventFields: Names;
  /** The input of a tool is passed as one text of JSON. */
  readonly inputAsText?: true;
  /** Events tell their time, in milliseconds or as a date. */
  readonly timestamp?: "milliseconds" | "date";
  /** Names under which the text of a tool's result is passed, and under which the result lies. */
  readonly result: { readonly text: string; readonly error?: string };
  /** Kinds of permission mode. */
  readonly modes: Names;
  /** Variables that hold the root of the project. */
  readonly projectVariables: readonly string[];
  /** The time limit of a hook: its field, what it counts in, and what holds without it. */
  readonly timeout: { readonly field: string; readonly unitMs: number; readonly defaultMs?: number };
  /** A matcher is a regular expression whatever it looks like. */
  readonly matcherIsPattern?: true;
  /** Blocking after a call hides its result instead of commenting on it. */
  readonly blockHidesResult?: true;
  /** A changed input holds only what changes. */
  readonly inputIsPatch?: true;
  /** Its hooks are given the path of a transcript, so the file is written before they start. */
  readonly wantsTranscript?: true;
};
