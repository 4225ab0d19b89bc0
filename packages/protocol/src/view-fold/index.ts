/** The view fold: from facts to the messages and parts that clients, exports and searches see. */
export { applyToView } from "./apply-to-view.ts";
export { collectChange, collectView, emptyCollection, messagesOf, type ViewCollection } from "./collect-view.ts";
export { messageIdOf } from "./view-ids.ts";
export { emptyView, type ViewState } from "./view-state.ts";
