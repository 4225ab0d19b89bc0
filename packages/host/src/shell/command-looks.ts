/** The read-only view in which commands that only look run unasked: tried with the first command, never left out in silence. */
import { realpathSync } from "node:fs";
import type { LookCheck, LookView } from "@kedge/sandbox/confinement";
import type { ConfineLook } from "@kedge/tools";
import { type Home, siblingHomes } from "../machine/home.ts";

export type CommandLooksParts = {
  readonly home: Home;
  /** The workspace first, then the directories added to it. All exist. */
  readonly roots: readonly string[];
  readonly userDirectory: string;
  readonly temporaryDirectory: string;
  /** Shown although they lie in the directory of kedge. */
  readonly shown: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Where commands have temporary files of their own. */
  readonly temporary?: () => string | "none";
};

export type CommandLooks = {
  readonly confineLook: ConfineLook;
  /** Resolves when it is known whether looks can be confined. */
  prepare(): Promise<void>;
  /** As far as is known by now. */
  isConfining(): boolean;
  close(): Promise<void>;
};

export function createCommandLooks(parts: CommandLooksParts): CommandLooks {
  let opening: Promise<LookView> | undefined;
  let isConfining = false;
  const open = () => {
    opening ??= openView(parts);
    return opening;
  };
  return {
    confineLook: async (command, look) => (await open()).wrap(command, look),
    async prepare() {
      if (!isConfining) isConfining = (await (await open()).check()).ok;
    },
    isConfining: () => isConfining,
    close: async () => (await opening)?.close(),
  };
}

/** Whether looks can be confined on this machine, and what is missing. */
export async function examineLooks(): Promise<LookCheck> {
  const { checkLooks } = await import("@kedge/sandbox/confinement");
  return checkLooks(machine());
}

function machine() {
  return { platform: process.platform, architecture: process.arch, isRoot: process.getuid?.() === 0 };
}

async function openView(parts: CommandLooksParts): Promise<LookView> {
  const { home, roots, userDirectory, temporaryDirectory, shown, now, temporary } = parts;
  const { createLookView } = await import("@kedge/sandbox/confinement");
  return createLookView({
    ...machine(),
    temporaryRoot: temporaryDirectory,
    roots: roots.map((path) => realpathSync(path)),
    home: userDirectory,
    own: siblingHomes(home.directory),
    shown,
    now,
    ...(temporary !== undefined && { temporary }),
  });
}
