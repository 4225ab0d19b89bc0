/** The sandbox around commands, when the user wants one: opened with the first command, never left out in silence. */
import { join } from "node:path";
import type { Confinement, SandboxCheck } from "@kedge/sandbox/confinement";
import type { Confine } from "@kedge/tools";
import type { SandboxSettings } from "../configuration/sandbox-settings.ts";
import { type Home, siblingHomes } from "../machine/home.ts";

export type CommandSandboxParts = {
  readonly settings: SandboxSettings;
  readonly home: Home;
  /** The workspace first, then the directories added to it. All exist. */
  readonly roots: readonly string[];
  readonly userDirectory: string;
  readonly temporaryDirectory: string;
  /** Directories for temporary files hide everything but these from commands. */
  readonly readable: readonly string[];
  /** Look empty to commands, besides what is secret anyway. */
  readonly hidden?: readonly string[];
};

export type CommandSandbox = {
  readonly confine: Confine;
  check(): Promise<SandboxCheck>;
  /** Where commands have their temporary files; `none` before the first of them. */
  temporary(): string | "none";
  close(): Promise<void>;
};

/** Whether commands can be confined on this machine, and what is missing. */
export async function examineSandbox(): Promise<SandboxCheck> {
  const { checkSandbox } = await import("@kedge/sandbox/confinement");
  return checkSandbox({ platform: process.platform, architecture: process.arch, needsBridge: false });
}

/** Undefined when it is off. */
export function createCommandSandbox(parts: CommandSandboxParts): CommandSandbox | undefined {
  if (parts.settings.mode === "off") return undefined;
  let opening: Promise<Confinement> | undefined;
  let opened: Confinement | undefined;
  const open = () => {
    opening ??= openConfinement(parts);
    return opening;
  };
  const releases = new Set<Promise<void>>();
  return {
    async confine(command) {
      opened = await open();
      const wrapped = await opened.wrap(command);
      if ("problem" in wrapped) return wrapped;
      const release = () => {
        const released = wrapped.release().finally(() => releases.delete(released));
        releases.add(released);
        return released;
      };
      return { ...wrapped, release };
    },
    check: async () => (await open()).check(),
    temporary: () => opened?.temporary() ?? "none",
    async close() {
      // What stands in for absent files is taken away before kedge ends.
      await Promise.allSettled(releases);
      await (await opening)?.close();
    },
  };
}

async function openConfinement(parts: CommandSandboxParts): Promise<Confinement> {
  const { settings, home, roots, userDirectory, temporaryDirectory, readable, hidden = [] } = parts;
  const { createConfinement, workspaceProfile } = await import("@kedge/sandbox/confinement");
  const profile = workspaceProfile({
    roots,
    writable: settings.writable.map((path) => (path.startsWith("~/") ? join(userDirectory, path.slice(2)) : path)),
    readable,
    home: userDirectory,
    secrets: [
      ...siblingHomes(home.directory).flatMap((each) =>
        ["credentials.json", "mcp-credentials.json", "tokens.json", "reach", "run", "data"].map((name) =>
          join(each, name),
        ),
      ),
      ...hidden,
    ],
    allowedHosts: settings.allowedHosts,
  });
  return createConfinement({
    profile,
    platform: process.platform,
    architecture: process.arch,
    temporaryRoot: temporaryDirectory,
    leaseDirectory: join(home.directory, "run", "sandbox"),
  });
}
