/** What whoever follows may ask for. */
export type HubFollowOptions = {
  /** The id of the last frame that was seen. */
  readonly after?: string;
  readonly sessionId?: string;
  /** A number of that session, in the place of an id. */
  readonly afterSeq?: number;
  /** Messages and parts in the place of facts and signals. */
  readonly view?: "parts";
  /** With the other names of view events. */
  readonly hasAliases?: boolean;
  readonly signal: AbortSignal;
};
