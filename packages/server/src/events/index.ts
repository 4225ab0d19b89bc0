/** The streams of events that leave a place of work. */
export { createEventHub, type EventHub, type EventHubParts } from "./event-hub.ts";
export type { HubFollowOptions } from "./follow-options.ts";
export { type EventSource, type JoinedEngines, joinEngines } from "./join-engines.ts";
