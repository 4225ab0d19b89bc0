/** Texts of the view of changed files. */

export const changesOf = "Changes of";
export const inSession = "Changes in this session";
export const loading = "Loading changes…";
export const noneInSession = "No file was changed in this session.";
export const uncommitted = "Uncommitted changes";
export const noneUncommitted = "No uncommitted changes.";
export const diffCut = "The diff is too long to be shown in full. Run git diff to see all of it.";
export const noText = "No text to compare.";
