/** The schemas of everything that has one name on all wires, for rows and checks outside of this package. */
export { sessionStatus } from "./host-words.ts";
export { messageRow, part, session } from "./view-words.ts";
export * from "./words.ts";
