/** The host: configuration, kedge's directory, the project, and the wiring of all parts. */

/** Screens take these from here, because they know no other package below. */
export type { ListedModel, ListedProvider } from "@kedge/models";
export { childEnvironment, isSecretName } from "@kedge/sandbox";
export { createProcessTie } from "@kedge/tools";
export { type Assembled, assemble, type Kedge } from "./assembly/assemble.ts";
export type { AssembleOptions } from "./assembly/assemble-options.ts";
export { bytesText } from "./bytes-text.ts";
export { bringsCode } from "./code/code-folders.ts";
export { type Configuration, type Loaded, loadConfiguration } from "./configuration/load-configuration.ts";
export { isFixedByPolicy, type ManagedPlace, type Policy, rulesUnderPolicy } from "./configuration/managed-policy.ts";
export { commandLineRules } from "./configuration/read-rules.ts";
export type { ConfigurationSources } from "./configuration/setting-layers.ts";
export { type Credentials, openCredentials } from "./credentials/credentials.ts";
export { type DoctorFinding, type DoctorParts, examineMachine } from "./doctor.ts";
export { projectExtensions } from "./extensions/project-extensions.ts";
export { bringsHooks } from "./hooks/hook-places.ts";
export { projectInstructions } from "./instructions/project-instructions.ts";
export { isContainer } from "./machine/container.ts";
export { homeDirectory, openHome, profileOf } from "./machine/home.ts";
export { thisProcess } from "./machine/identity.ts";
export { openNetwork } from "./machine/network.ts";
export { findProject } from "./machine/project.ts";
export { replaceFile } from "./machine/replace-file.ts";
export { memoryActions } from "./memory/memory-actions.ts";
export { checkProviderKey, createModelCatalogue, listKnownModels } from "./models/model-catalogue.ts";
export {
  type InstalledPackage,
  installPackage,
  listInstalledPackages,
  parseWantedPackage,
} from "./provider-packages/install-package.ts";
export type { PruneReport } from "./retention/prune-sessions.ts";
export type { Retention } from "./retention/retention.ts";
export type { Scrubbed } from "./retention/scrub-session.ts";
export { findAddedDirectories } from "./sessions/added-directories.ts";
export { isChild, readStatuses, type SessionStatuses } from "./sessions/session-status.ts";
export {
  bringsServers,
  collectProjectInputs,
  describeInput,
  type ProjectInput,
  projectSettingNames,
} from "./trust/project-inputs.ts";
export {
  answerTrust,
  forgetTrust,
  type InputChange,
  isTooWide,
  judgeWorkspace,
  recordedAnswer,
  type TrustParts,
  type WorkspaceTrust,
} from "./trust/workspace-trust.ts";
export { aggregateUsage, startOfDays } from "./usage/aggregate-usage.ts";
export { type CostReport, type CostRow, explainCost, mostExpensive } from "./usage/explain-cost.ts";
