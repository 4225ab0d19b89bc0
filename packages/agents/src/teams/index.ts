/** Teams: workers that share tasks and write to each other, in this process or in panes. Loaded with the first team. */

export * from "./mailbox.ts";
export * from "./panes/choose-backend.ts";
export { createItermBackend } from "./panes/iterm-backend.ts";
export * from "./panes/pane-backend.ts";
export { createTmuxBackend } from "./panes/tmux-backend.ts";
export * from "./protocol-messages.ts";
export * from "./seal.ts";
export * from "./shutdown.ts";
export * from "./task-claims.ts";
export * from "./team-file.ts";
export { teamWorkers } from "./team-workers.ts";
export * from "./worker-loop.ts";
export * from "./worker-ports.ts";
