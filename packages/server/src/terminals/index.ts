/** Terminals of the user. An entry of its own, because only a desk that was opened needs them. */
export { createTerminals, type Terminals } from "./terminals.ts";
