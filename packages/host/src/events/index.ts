/** The streams of events that leave a place of work. */
export { bytesOf, streamText } from "./encoded-frame.ts";
export { createEventHub, type EventHub, type EventHubParts, type HubFollowOptions, type OpenFollower } from "./event-hub.ts";
export { type EventSource, type JoinedEngines, joinEngines } from "./join-engines.ts";
export { replicate, type ReplicationStart } from "./replicate.ts";
