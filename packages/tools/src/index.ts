/** What the agent can do to the machine: the built-in tools and the services their calls are given. */
export { createArtifacts } from "./artifacts.ts";
export { createTools, type EditingSettings, type ToolParts } from "./create-tools.ts";
export { createFileState } from "./file-state.ts";
export { findRipgrep } from "./find-ripgrep.ts";
export { createJobs } from "./jobs.ts";
export { createOutputSink, type OutputSinkOptions } from "./output-sink.ts";
export type { ShellGraces } from "./shell-process.ts";
export { createGrammars } from "./syntax/grammars.ts";
export { createTaskList } from "./task-list.ts";
export type { SearchBackend } from "./web/search-backends.ts";
