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
  };
  /** By name. */
  readonly outputStyle: string | undefined;
};

export const extensionSettings: SettingDeclarations = {
  skills: {
    check: object({
      enabled: said("Whether the model is told of skills.", flag, true),
      include: said("Names of the only skills that count; all of them when empty.", list(text), []),
      ignore: said("Names of skills that do not count.", list(text), []),
    }),
    project: ignored("which skills count is the user's choice"),
    counts: "at start",
  },
  outputStyle: {
    check: said("The output style of new sessions, by name.", text),
    project: ignored("how the model writes is the user's choice"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readExtensionSettings(skills: unknown, outputStyle: unknown): ExtensionSettings {
  const given = isJsonObject(skills) ? skills : {};
  const names = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return {
    skills: { isEnabled: given["enabled"] !== false, include: names(given["include"]), ignore: names(given["ignore"]) },
    outputStyle: typeof outputStyle === "string" ? outputStyle : undefined,
  };
}
