/** Texts of the view of permissions. */

export const title = "Permissions";
export const loading = "Loading…";
export const modeOfNew = "Mode of new sessions:";
export const trusted = "This project is trusted.";
export const notTrusted = "This project is not trusted.";
export const order = "Within a source, later rules override earlier ones.";
export const loadingRules = "Loading rules…";
export const noRules = "No rules. The permission mode decides.";
export const rules = "Rules";
export const answer = "Answer";
export const permission = "Permission";
export const pattern = "Pattern";
export const source = "Source";
export const change = "Change";
export const inItsFile = "in its file";
export const remove = "Remove";
export const removeQuestion = "Remove this rule?";
