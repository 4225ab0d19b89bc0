/** The settings of the environment that commands get: which secrets are left in it. */
import { list, object, satisfies } from "./checks.ts";

export type EnvSettings = {
  /** Names of variables that stay although they look like secrets. */
  readonly passthrough: readonly string[];
  /** Takes the tokens of GitHub out as well. */
  readonly scrubGithub: boolean;
};

const variableName = satisfies(
  "the name of a variable",
  (value) => typeof value === "string" && /^[A-Za-z_][\w-]*$/.test(value),
);

export const envCheck = object({
  passthrough: list(variableName),
  scrubGithub: satisfies("true or false", (value) => typeof value === "boolean"),
});

/** Every value was checked when its file was read. */
export function readEnvSettings(value: unknown): EnvSettings {
  return { passthrough: [], scrubGithub: false, ...(value as Partial<EnvSettings> | undefined) };
}
