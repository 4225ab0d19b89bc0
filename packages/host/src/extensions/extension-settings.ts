/** The settings of skills and output styles. */
import { isJsonObject } from "@kedge/protocol";
import { flag, list, object, said, text } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type ExtensionSettings = {
  readonly skills: {
    readonly isEnabled: boolean;
    /** The only ones that count; all without any. */
    readonly include: readonly string[];
    readonly ignore: readonly string[];
    /** Further directories of skills, as written. */
    readonly directories: readonly string[];
    /** Sources whose skills are left out, by id. */
    readonly disabledSources: readonly string[];
  };
  /** By name. */
  readonly outputStyle: string | undefined;
};

export const extensionSettings: SettingDeclarations = {
  skills: {
    check: object({
      enabled: said("Offer skills to the model.", flag, true),
      include: said("Skills to enable, with * for any characters; default: all.", list(text), []),
      ignore: said("Skills to disable, with * for any characters.", list(text), []),
      dirs: said("Additional directories with skills; ~ is your home directory.", list(text), []),
      disabledSources: said("Sources whose skills are not used, such as codex or claude-marketplace.", list(text), []),
    }),
    project: ignored("only you decide which skills are used"),
    counts: "at start",
  },
  outputStyle: {
    check: said("Output style of new sessions.", text),
    project: ignored("only you decide how the model writes"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readExtensionSettings(skills: unknown, outputStyle: unknown): ExtensionSettings {
  const given = isJsonObject(skills) ? skills : {};
  const names = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return {
    skills: {
      isEnabled: given["enabled"] !== false,
      include: names(given["include"]),
      ignore: names(given["ignore"]),
      directories: names(given["dirs"]),
      disabledSources: names(given["disabledSources"]),
    },
    outputStyle: typeof outputStyle === "string" ? outputStyle : undefined,
  };
}
