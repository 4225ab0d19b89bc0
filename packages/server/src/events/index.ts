/** The streams of events that leave a place of work. */
export { createEventHub, type EventHub, type EventHubParts } from "./event-hub.ts";
