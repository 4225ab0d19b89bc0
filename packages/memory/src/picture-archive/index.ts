/** Conversation history printed on pictures. Load it when something is printed, not before. */
export { printHistory } from "./print-history.ts";
