/** The settings of the sandbox around commands. */
import { list, object, oneOf, satisfies, text } from "./checks.ts";

export type SandboxSettings = {
  readonly mode: "off" | "on";
  /** Lets commands that no rule speaks of run unasked, because the sandbox holds them. */
  readonly autoAllow: boolean;
  /** Names, with `*.` for everything below one, and ports; commands reach nothing else. */
  readonly allowedHosts: readonly string[];
  /** Directories beside the workspace that commands may change, such as caches of package managers. */
  readonly writable: readonly string[];
};

export const sandboxCheck = object({
  mode: oneOf(["off", "on"]),
  autoAllow: satisfies("true or false", (value) => typeof value === "boolean"),
  allowedHosts: list(text),
  writable: list(text),
});

const usual: SandboxSettings = { mode: "off", autoAllow: true, allowedHosts: [], writable: [] };

/** Every value was checked when its file was read. */
export function readSandboxSettings(value: unknown): SandboxSettings {
  return { ...usual, ...(value as Partial<SandboxSettings> | undefined) };
}
