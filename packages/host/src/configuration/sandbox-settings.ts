/** The settings of the sandbox around commands. */
import { flag, list, object, oneOf, said, text } from "./checks.ts";
import { ignored, type SettingDeclarations } from "./setting-declaration.ts";

export type SandboxSettings = {
  readonly mode: "off" | "on";
  /** Lets commands that no rule speaks of run unasked, because the sandbox holds them. */
  readonly autoAllow: boolean;
  /** Names, with `*.` for everything below one, and ports; commands reach nothing else. */
  readonly allowedHosts: readonly string[];
  /** Directories beside the workspace that commands may change, such as caches of package managers. */
  readonly writable: readonly string[];
};

const usual = { mode: "off", autoAllow: true, allowedHosts: [], writable: [] } as const satisfies SandboxSettings;

export const sandboxSettings: SettingDeclarations = {
  sandbox: {
    check: object({
      mode: said("Confine commands to the project (Linux).", oneOf(["off", "on"]), usual.mode),
      autoAllow: said("Run confined commands without asking if no rule covers them.", flag, usual.autoAllow),
      allowedHosts: said("Hosts that confined commands may reach.", list(text), usual.allowedHosts),
      writable: said("Additional directories that confined commands may change.", list(text), usual.writable),
    }),
    project: ignored("a project may not decide what its commands can reach"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readSandboxSettings(value: unknown): SandboxSettings {
  return { ...usual, ...(value as Partial<SandboxSettings> | undefined) };
}
