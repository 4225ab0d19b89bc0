/** What the agent can do to the machine: the built-in tools and the services their calls are given. */

export { createTools, type EditingSettings, type ToolParts } from "./create-tools.ts";
export { createFileState } from "./file-state.ts";
export { createTaskList } from "./planning/task-list.ts";
export { findRipgrep } from "./searching/find-ripgrep.ts";
export { createArtifacts } from "./shell/artifacts.ts";
export { createJobs } from "./shell/jobs.ts";
export { createOutputSink, type OutputSinkOptions } from "./shell/output-sink.ts";
export type { ShellGraces } from "./shell/shell-process.ts";
export { createGrammars } from "./syntax/grammars.ts";
export type { SearchBackend } from "./web/search-backends.ts";
