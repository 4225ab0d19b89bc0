/** Confinement: commands that can write to the workspace only and reach no network but what is allowed. */
export { checkSandbox, type SandboxCheck } from "./check-sandbox.ts";
export {
  type CommandToConfine,
  type ConfinedCommand,
  type Confinement,
  type ConfinementParts,
  createConfinement,
} from "./confine-command.ts";
export type { SandboxProfile } from "./sandbox-profile.ts";
export { type WorkspaceProfileParts, workspaceProfile } from "./workspace-profile.ts";
