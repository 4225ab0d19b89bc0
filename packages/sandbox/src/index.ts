/** What keeps the machine safe from commands and texts: child environments, path judgement, terminal-safe text. */
export { type ChildEnvironmentOptions, childEnvironment, isSecretName } from "./child-environment.ts";
export { createPathJudge, type PathJudgeOptions, type PathVerdict } from "./path-judgement.ts";
export { showTerminalControls, stripTerminalControls } from "./terminal-text.ts";
