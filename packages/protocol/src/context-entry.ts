/** What a text that the model sees besides the conversation counts for, where it stands, and its row in a list. */

/**
 * What a text counts for, which decides how it is fenced. `policy` speaks with the authority of the system prompt,
 * `instruction` for the user and the project; `data` is a record that nobody vouches for and never an order; a
 * `reminder` is kedge's own word about the state of the work.
 */
export type ContextKind = "policy" | "instruction" | "data" | "reminder";

/**
 * `prefix`: the start of the system prompt, the same bytes in all sessions. `head`: what precedes the conversation,
 * fixed while the session is open: policy ends the system prompt, everything else is the first message. `turn`: behind
 * the conversation, with the step at which it is due.
 */
export type ContextPlace = "prefix" | "head" | "turn";

/** One block that the model sees, for a person. The tokens are estimated. */
export type ContextEntry = {
  readonly name: string;
  readonly kind: ContextKind;
  readonly place: ContextPlace;
  readonly origin: string;
  readonly tokens: number;
  readonly hash?: string;
  /** What its source wants a person to know about it, such as that it was cut. */
  readonly note?: string;
};
