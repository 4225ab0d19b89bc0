/** What commands do with instruction files: list them, and record what the user says about them. */

export { type ListedInstruction, listInstructions, shownPath } from "@kedge/memory/instructions";
export { type Acceptance, acceptInstruction } from "./accept-instruction.ts";
export { type Approval, approveInstruction } from "./approve-instruction.ts";
export { createFetchRemote, type FetchRemote } from "./fetch-remote.ts";
export { openInstructions } from "./open-instructions.ts";
export { remoteNotes } from "./remote-notes.ts";
