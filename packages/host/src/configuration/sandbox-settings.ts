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
      mode: said("Whether commands are confined to the project, on Linux.", oneOf(["off", "on"]), usual.mode),
      autoAllow: said("Whether confined commands that no rule speaks of run unasked.", flag, usual.autoAllow),
      allowedHosts: said("Hosts that confined commands reach.", list(text), usual.allowedHosts),
      writable: said("Directories beside the project that confined commands may change.", list(text), usual.writable),
    }),
    project: ignored("a project may not say what its commands can reach"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readSandboxSettings(value: unknown): SandboxSettings {
  return { ...usual, ...(value as Partial<SandboxSettings> | undefined) };
}
