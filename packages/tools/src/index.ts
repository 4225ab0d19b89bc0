/** What the agent can do to the machine: the built-in tools and the services their calls are given. */

export type { CodeIndex } from "./code-index/code-index.ts";
export { openCodeIndex } from "./code-index/open-code-index.ts";
export { createTools, type EditingSettings, type ToolParts } from "./create-tools.ts";
export { diffTexts } from "./editing/file-diff.ts";
export { createFileState } from "./file-state.ts";
export { createTaskList } from "./planning/task-list.ts";
export { fileForContext } from "./reading/file-for-context.ts";
export type { ReadSettings } from "./reading/read-parts.ts";
export { isHidden } from "./searching/file-search.ts";
export { findRipgrep } from "./searching/find-ripgrep.ts";
export { describeIrregular, findIrregularAbove } from "./searching/irregular-ignore-file.ts";
export { type BashSettings, bashSettingsDefault } from "./shell/bash-settings.ts";
export type { InterceptorRule } from "./shell/command/interceptor-rules.ts";
export { createJobs } from "./shell/job/jobs.ts";
export { type PollWait, pollWaits } from "./shell/job/poll-wait.ts";
export { createArtifacts } from "./shell/output/artifacts.ts";
export { createOutputSink, type OutputSinkOptions } from "./shell/output/output-sink.ts";
export type { Confine, ConfineLook } from "./shell/process/confined-start.ts";
export { endOrphans, withOwner } from "./shell/process/owned-processes.ts";
export { createProcessTie, type ProcessTie } from "./shell/process/process-tie.ts";
export { createRcSnapshot, type RcSnapshot } from "./shell/process/rc-snapshot.ts";
export type { ShellGraces } from "./shell/process/shell-command.ts";
export { runUserShell, type UserShellEnd } from "./shell/user-shell.ts";
export { createGrammars } from "./syntax/grammars.ts";
export { fetchPage, type WebParts } from "./web/fetch-page.ts";
export type { SearchBackend } from "./web/search-backends.ts";
export { readWebAddress } from "./web/web-address.ts";
