/** The host: configuration, kedge's directory, the project, and the wiring of all parts. */

/** Screens take these from here, because they know no other package below. */
export { showTerminalControls, stripTerminalControls } from "@kedge/sandbox";
export { type Assembled, type AssembleOptions, assemble, type Kedge } from "./assemble.ts";
export {
  type Configuration,
  type ConfigurationSources,
  type Loaded,
  loadConfiguration,
} from "./configuration/load-configuration.ts";
export { commandLineRules } from "./configuration/read-rules.ts";
export { isContainer } from "./container.ts";
export { homeDirectory, openHome } from "./home.ts";
export { findProject } from "./project.ts";
