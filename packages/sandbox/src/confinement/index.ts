/** Confinement: commands that can write to the workspace only and reach no network but what is allowed. */
export { checkLooks, checkSandbox, type LookCheck, type SandboxCheck } from "./check-sandbox.ts";
export { type Confinement, createConfinement } from "./confine-command.ts";
export { createLookView, type LookView } from "./look/look-view.ts";
export { workspaceProfile } from "./workspace-profile.ts";
