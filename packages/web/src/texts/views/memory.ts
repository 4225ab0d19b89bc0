/** Texts of the view of memory. */

export const waiting = "Waiting for review";
export const loading = "Loading…";
export const noneWaiting = "Nothing is waiting for review.";
export const openToSee = "Open a session to see which memory its model reads.";
export const openFirst = "Open a session first.";
export const heldBack = "Held back:";
export const text = "Text";
export const accept = "Accept";
export const deleteIt = "Delete";
export const deleteQuestion = "Delete this text? /memory undo restores it.";
export const readBySession = "Read by the model of this session";
export const from = "From";
export const readAs = "Read as";
export const tokens = "Tokens";
export const suspicious = "suspicious";
