/** What commands do with instruction files: list them, and record what the user says about them. */

export { type ListedInstruction, listInstructions, shownPath } from "@kedge/memory/instructions";
export { acceptInstruction } from "./accept-instruction.ts";
export { approveInstruction } from "./approve-instruction.ts";
export { createFetchRemote } from "./fetch-remote.ts";
export { openInstructions } from "./open-instructions.ts";
export { remoteNotes } from "./remote-notes.ts";
export { proposeSplit } from "./split-instruction.ts";
