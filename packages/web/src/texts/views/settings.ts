/** Texts of the view of settings. */

export const kedgeSettings = "kedge settings";
export const reload = "Reload from files";
export const loading = "Loading settings…";
export const thisBrowser = "This browser";
export const theme = "Theme";
export const showThinking = "Show thinking";
export const showDetails = "Show details beside the conversation";
export const allProjects = "All projects";
export const thisProject = "This project, on this machine";
export const allDefault = "All settings are at their defaults.";
export const settings = "Settings";
export const setting = "Setting";
export const value = "Value";
export const source = "Source";
export const change = "Change";
export const remove = "Remove";
export const removeQuestion = (key: string) => `Remove ${key}?`;
export const inItsFile = "in its file";
export const nameSetting = "Name a setting, such as titles.enabled.";
export const changeSetting = "Change a setting";
export const appliesTo = "Applies to";
export const save = "Save";
