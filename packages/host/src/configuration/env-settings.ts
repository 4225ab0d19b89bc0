/** The settings of the environment that commands get: which secrets are left in it. */
import { flag, list, object, said, satisfies } from "./checks.ts";
import { ignored, type SettingDeclarations } from "./setting-declaration.ts";

export type EnvSettings = {
  /** Names of variables that stay although they look like secrets. */
  readonly passthrough: readonly string[];
  /** Takes the tokens of GitHub out as well. */
  readonly scrubGithub: boolean;
};

const variableName = satisfies(
  "the name of a variable",
  { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_-]*$" },
  (value) => typeof value === "string" && /^[A-Za-z_][\w-]*$/.test(value),
);

export const envSettings: SettingDeclarations = {
  env: {
    check: object({
      passthrough: said(
        "Environment variables to pass to commands although they look like secrets.",
        list(variableName),
        [],
      ),
      scrubGithub: said("Also hide GITHUB_TOKEN and GH_TOKEN from commands.", flag, false),
    }),
    project: ignored("a project may not decide which secrets its commands see"),
    sources: ["user", "policy"],
    counts: "on reload",
  },
};

/** Every value was checked when its file was read. */
export function readEnvSettings(value: unknown): EnvSettings {
  return { passthrough: [], scrubGithub: false, ...(value as Partial<EnvSettings> | undefined) };
}
