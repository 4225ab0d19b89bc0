/** Confinement: commands that can write to the workspace only and reach no network but what is allowed. */
export { checkLooks, checkSandbox, type LookCheck, type SandboxCheck } from "./check-sandbox.ts";
export {
  type CommandToConfine,
  type ConfinedCommand,
  type Confinement,
  type ConfinementParts,
  createConfinement,
} from "./confine-command.ts";
export { createLookView, type LookCommand, type LookView, type LookViewParts } from "./look/look-view.ts";
export type { SandboxProfile } from "./sandbox-profile.ts";
export { type WorkspaceProfileParts, workspaceProfile } from "./workspace-profile.ts";
