/** Texts of the view of hooks. */

export const title = "Hooks";
export const loading = "Loading hooks…";
export const everyCall = "Every call";
export const only = (matcher: string) => `Only ${matcher}`;
export const whatItRuns = "What it runs";
export const none = "No hooks are configured. Add them under `hooks` in a `config.json`.";
