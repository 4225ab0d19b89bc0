/** The configuration of a process that runs on: tells what counts and why, changes it, and follows its files. */
import { type CommandAnswer, type Failure, type QueryAnswer, type RuleSet, reasonOf } from "@kedge/protocol";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import { judgeWorkspace } from "../trust/workspace-trust.ts";
import { type ChangeParts, changeSetting, type SettingChange } from "./change-setting.ts";
import { countingEntries, nestedSettings } from "./config-entries.ts";
import { explainGathered } from "./explain-settings.ts";
import { gatherSettings } from "./gather-settings.ts";
import { knownSettings } from "./known-settings.ts";
import { type Configuration, type Loaded, loadConfiguration } from "./load-configuration.ts";
import { type ManagedPlace, rulesUnderPolicy } from "./managed-policy.ts";
import { withoutAllowRules } from "./read-rules.ts";
import type { Settings } from "./setting-file.ts";
import type { ConfigurationSources } from "./setting-layers.ts";
import { watchSettingFiles } from "./watch-setting-files.ts";

export type ConfigurationDeskParts = {
  readonly home: Home;
  readonly project: Project;
  readonly userDirectory: string;
  readonly environment: ConfigurationSources["environment"];
  /** Files given on the command line. */
  readonly settingFiles: readonly string[];
  /** What counts since the start. */
  readonly configuration: Configuration;
  /** The settings it was made of. */
  readonly settings: Settings;
  /** Those of files and command line, in the order of their sources. */
  readonly rules: { readonly list: () => readonly RuleSet[]; readonly replace: (sets: readonly RuleSet[]) => void };
  /** Told what counts from now on: the settings that change at once, or also those that wait for the user's word. */
  readonly apply: (configuration: Configuration, when: "at once" | "on reload") => void;
  readonly now: () => number;
  readonly managed?: ManagedPlace;
};

export type SettingsChanged = {
  /** Names of settings that count now as the files say. */
  readonly applied: readonly string[];
  /** Names of settings that stay as they were, until the files are read again on request or at the next start. */
  readonly waiting: readonly string[];
  readonly warnings: readonly string[];
};

export interface ConfigurationDesk {
  /** What counts now. */
  current(): Configuration;
  read(): Promise<QueryAnswer<"config.read">>;
  set(change: SettingChange): Promise<CommandAnswer<"config.set">>;
  /** The user's word: also what was left alone until now. */
  reload(): Promise<CommandAnswer<"config.reload">>;
  /** Follows the files until the function given back is called. */
  watch(onChange: (changed: SettingsChanged) => void): () => void;
}

export function createConfigurationDesk(parts: ConfigurationDeskParts): ConfigurationDesk {
  let current = parts.configuration;
  let inForce = parts.settings;

  function sources(): ConfigurationSources {
    const { home, project, userDirectory, environment, settingFiles: files, managed } = parts;
    const { state } = judgeWorkspace({ home, root: project.root, userDirectory, now: parts.now });
    return {
      ...{ home: home.directory, userDirectory, cwd: project.cwd, projectRoot: project.root, environment, files },
      isTrusted: state === "trusted" || state === "nothing",
      ...(managed !== undefined && { managed }),
    };
  }

  const load = () => loadConfiguration(sources());

  /** The rules as they count once no file is broken any more; undefined while none is. */
  let held: readonly RuleSet[] | undefined;

  /** What was denied and asked stays; what was allowed waits, since nobody knows what the broken file denies by now. */
  function hold(): void {
    if (held !== undefined) return;
    held = [...parts.rules.list()];
    parts.rules.replace(withoutAllowRules(held));
  }

  function letGo(): void {
    if (held === undefined) return;
    parts.rules.replace(held);
    held = undefined;
  }

  function applyAtOnce(next: Configuration): void {
    const { model, collab, share } = next;
    current = { ...current, model, collab, share };
    parts.apply(current, "at once");
  }

  /** What the files say now beside what counts. */
  async function follow(): Promise<SettingsChanged> {
    const loaded = await load();
    if (!loaded.ok) {
      hold();
      return { applied: [], waiting: [], warnings: [loaded.failure.message] };
    }
    if (isBroken(loaded)) {
      hold();
      return { applied: [], waiting: [], warnings: loaded.warnings };
    }
    letGo();
    const before = inForce;
    const after = loaded.settings;
    const names = changedNames(before, after);
    const applied = names.filter(countsAtOnce);
    if (applied.length > 0) {
      applyAtOnce(loaded.configuration);
      inForce = { ...before, ...Object.fromEntries(applied.map((name) => [name, after[name]])) };
    }
    return { applied, waiting: names.filter((name) => !countsAtOnce(name)), warnings: loaded.warnings };
  }

  return {
    current: () => current,
    async read() {
      const from = sources();
      const outcome = await gatherSettings(from);
      if (!outcome.ok) return { ok: false, failure: invalid(outcome.sentence) };
      const { settings, warnings } = await explainGathered(outcome.gathered, from);
      const entries = countingEntries(settings);
      return { ok: true, value: { settings: nestedSettings(entries), entries, warnings } };
    },
    async set(change) {
      const changing: ChangeParts = { home: parts.home, sources: sources(), now: parts.now };
      const changed = await changeSetting(change, changing);
      if (!changed.ok) return changed;
      await follow();
      return { ok: true, value: { file: changed.file } };
    },
    async reload() {
      const loaded = await load();
      if (!loaded.ok || isBroken(loaded)) {
        hold();
        return loaded.ok ? { ok: false, failure: invalid(loaded.warnings.join(". ")) } : loaded;
      }
      held = undefined;
      const changed = changedNames(inForce, loaded.settings);
      inForce = loaded.settings;
      current = loaded.configuration;
      const ofCommandLine = parts.rules.list().filter(({ source }) => source === "command-line");
      parts.rules.replace(rulesUnderPolicy([...ofCommandLine, ...current.rules], current.policy));
      parts.apply(current, "on reload");
      const later = changed.filter((name) => knownSettings[name]?.counts === "at start");
      const warnings = later.map((name) => `${name} takes effect after a restart`);
      return { ok: true, value: { changed, warnings: [...loaded.warnings, ...warnings] } };
    },
    watch(onChange) {
      return watchSettingFiles(sources(), {
        async onChange() {
          const changed = await follow();
          if (changed.applied.length + changed.waiting.length + changed.warnings.length > 0) onChange(changed);
        },
        onFailure(error) {
          const sentence = `Could not apply the changed settings (${reasonOf(error)}). kedge retries at the next change.`;
          onChange({ applied: [], waiting: [], warnings: [sentence] });
        },
      });
    },
  };
}

function isBroken({ configuration }: Extract<Loaded, { readonly ok: true }>): boolean {
  return configuration.policy?.broken !== undefined;
}

function countsAtOnce(name: string): boolean {
  return knownSettings[name]?.counts === "at once";
}

function changedNames(before: Settings, after: Settings): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).toSorted();
}

function invalid(sentence: string): Failure {
  return { code: "configuration", message: `${sentence}.`, retryable: false };
}
