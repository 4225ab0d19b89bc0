/** View events: what the parts view of a stream says, and what a client makes of it. */
export { applyViewEvent } from "./apply-view-event.ts";
export { eventsOfServer } from "./fact-events.ts";
export {
  frameOfViewEvent,
  type ViewEvent,
  type ViewEventOf,
  viewEventAliases,
  viewEventOfFrame,
} from "./view-event.ts";
export { beginTelling, passOver, tellFact, tellSignal, type ViewTelling } from "./view-events.ts";
