/** The streams of events that leave a place of work. */
export { createEventHub, type EventHub } from "./event-hub.ts";
