/** What the agent can do to the machine: the built-in tools and the services their calls are given. */
export { createArtifacts } from "./artifacts.ts";
export { createTools, type ToolParts } from "./create-tools.ts";
export { createFileState } from "./file-state.ts";
export { findRipgrep } from "./find-ripgrep.ts";
export { createJobs } from "./jobs.ts";
export { createOutputSink, type OutputSinkOptions } from "./output-sink.ts";
export type { ShellGraces } from "./shell-process.ts";
