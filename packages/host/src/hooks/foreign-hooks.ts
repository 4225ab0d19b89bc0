/** Reads the hooks of one file of another agent, and which hooks that file turns off there. */
import type { DialectId } from "@kedge/extend/hooks";
import { isJsonObject } from "@kedge/protocol";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import { readSettings, type Settings } from "../configuration/setting-file.ts";

export type ForeignHooks =
  | {
      readonly ok: true;
      /** Undefined where the file has none. */
      readonly hooks: unknown;
      /** No hook of the agent runs: the setting that says so. */
      readonly off?: string;
      /** Only those of this file do not. */
      readonly isFileOff?: true;
      /** Hooks that are off by their name or their command. */
      readonly disabled: readonly string[];
    }
  | { readonly ok: false; readonly sentence: string };

export async function readForeignHooks(
  path: string,
  { dialect, name, isOwnFile }: { readonly dialect: DialectId; readonly name: string; readonly isOwnFile: boolean },
): Promise<ForeignHooks> {
  const read = path.endsWith(".toml") ? await readTomlSettings(path, name) : await readSettings(path, { name });
  if (!read.ok) return read;
  const { settings } = read;
  const { hooks } = settings;
  const off = offSwitches[dialect]?.find((key) => isSwitchedOff(settings, key));
  const disabled = dialect === "gemini" ? [objectAt(settings, "hooksConfig"), objectAt(settings, "hooks")] : [];
  return {
    ok: true,
    hooks,
    ...(off !== undefined && (isOwnFile ? { isFileOff: true } : { off })),
    disabled: disabled.flatMap(({ disabled: names }) => (Array.isArray(names) ? names.map(String) : [])),
  };
}

/** The settings that turn off all hooks of an agent. */
const offSwitches: { readonly [Id in DialectId]?: readonly string[] } = {
  claude: ["disableAllHooks"],
  copilot: ["disableAllHooks"],
  gemini: ["hooksConfig.enabled", "hooks.enabled"],
  codex: ["features.hooks", "features.codex_hooks"],
};

function isSwitchedOff(settings: Settings, key: string): boolean {
  const [first = "", second] = key.split(".");
  return second === undefined ? settings[first] === true : objectAt(settings, first)[second] === false;
}

function objectAt(settings: Settings, key: string): Settings {
  const value = settings[key];
  return isJsonObject(value) ? value : {};
}

async function readTomlSettings(path: string, name: string) {
  const text = readSettingsText(path);
  if (!text.ok) return { ok: false, sentence: `${name} ${text.why}` } as const;
  // Nothing of it is needed where no hook and no switch can be.
  if (!/hooks/.test(text.text)) return { ok: true, settings: {} as Settings } as const;
  const { readToml } = await import("../import/toml/read-toml.ts");
  const read = readToml(text.text);
  if (!read.ok) return { ok: false, sentence: `${name} is not valid TOML at line ${read.line}: ${read.why}` } as const;
  return { ok: true, settings: read.table as Settings } as const;
}

/** Without the hooks that are off by their name or their command. */
export function withoutDisabled(hooks: unknown, disabled: readonly string[]): unknown {
  if (disabled.length === 0 || !isJsonObject(hooks)) return hooks;
  const isDisabled = (hook: unknown) =>
    isJsonObject(hook) && [hook["name"], hook["command"]].some((each) => disabled.includes(String(each)));
  const left = (group: unknown) =>
    isJsonObject(group) && Array.isArray(group["hooks"])
      ? { ...group, hooks: group["hooks"].filter((hook) => !isDisabled(hook)) }
      : group;
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [
      event,
      Array.isArray(groups) ? groups.filter((group) => !isDisabled(group)).map(left) : groups,
    ]),
  );
}
