/** What every command needs first: kedge's directory, the project, and the configuration that holds there. */
import { type Configuration, findProject, homeDirectory, type Loaded, loadConfiguration, openHome } from "@kedge/host";
import type { Failure } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { writeDiagnostic } from "../output.ts";
import { ignoreStage, type PassStage } from "../start/startup-stages.ts";
import { settingsTexts } from "../texts/opening.ts";
import { establishTrust, type TrustQuestion } from "./establish-trust.ts";
import type { Surroundings } from "./surroundings.ts";

export type OpenedSettings =
  | {
      readonly ok: true;
      readonly home: Extract<ReturnType<typeof openHome>, { readonly ok: true }>["home"];
      readonly project: ReturnType<typeof findProject>;
      readonly configuration: Configuration;
      /** What it was made of. */
      readonly settings: Extract<Loaded, { readonly ok: true }>["settings"];
      readonly isTrusted: boolean;
    }
  | { readonly ok: false; readonly failure: Failure };

export type SettingsOptions = {
  /** Given where a person can say whether the project is trusted. */
  readonly ask?: TrustQuestion;
  readonly onNotice?: (sentence: string) => void;
  /** Sessions follow, for which instruction files of the project count as well. */
  readonly loadsInstructions?: true;
  /** Its servers are shown, so that it is said when those of the project are left out. */
  readonly looksAtServers?: true;
  readonly passStage?: PassStage;
};

/** Says what it ignored of the settings files. */
export async function openSettings(
  flags: Flags,
  surroundings: Surroundings,
  { ask, loadsInstructions, looksAtServers, onNotice = writeDiagnostic, passStage = ignoreStage }: SettingsOptions = {},
): Promise<OpenedSettings> {
  const { cwd, environment, userDirectory } = surroundings;
  if (cwd === "") return { ok: false, failure: goneDirectory };
  const project = findProject(cwd);
  const opened = openHome(homeDirectory(environment, userDirectory));
  if (!opened.ok) return opened;
  const { home } = opened;
  const { cwd: directory, root } = project;
  const place = { home, root, userDirectory, cwd: directory };
  const trust = await establishTrust(place, {
    give: flags.trust === true,
    ask,
    ...(loadsInstructions && { loadsInstructions }),
    ...(looksAtServers && { looksAtServers }),
  });
  if (!trust.ok) return trust;
  passStage("trust");
  const loaded = await loadConfiguration({
    home: home.directory,
    userDirectory,
    cwd: project.cwd,
    projectRoot: project.root,
    environment,
    files: flags.settings ?? [],
    isTrusted: trust.isTrusted,
    ...(trust.isHeldBack && { isHeldBack: true }),
  });
  if (!loaded.ok) return loaded;
  passStage("configuration");
  for (const warning of loaded.warnings) onNotice(`kedge: ${warning}.`);
  const { configuration, settings } = loaded;
  return { ok: true, home, project, configuration, settings, isTrusted: trust.isTrusted };
}

const goneDirectory: Failure = {
  code: "storage",
  message: settingsTexts.noDirectory,
  retryable: false,
};
