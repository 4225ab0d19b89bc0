/** The rows as values. An entry of its own, because a plain run needs their types alone: making them takes 2 ms. */
export * as schema from "../json/schema.ts";
export { commandRows } from "./command-rows.ts";
export { pairRow } from "./device-rows.ts";
export { queryRows } from "./query-rows.ts";
export { cookieRow, frameId, promptRunRow, readRows } from "./read-rows.ts";
export { scopeOfCommand } from "./scope-of-command.ts";
export * as words from "./words-by-name.ts";
