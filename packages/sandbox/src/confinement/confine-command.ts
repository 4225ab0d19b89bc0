/** Confines the commands of one session with bubblewrap: what `wrap` gives back starts the command inside, or says why not. */

import { randomBytes } from "node:crypto";
import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";
import { checkSandbox, type SandboxCheck } from "./check-sandbox.ts";
import { confinedEnvironment } from "./confined-environment.ts";
import { type ConfinementSetup, openConfinement } from "./confinement-setup.ts";
import type { AskHost } from "./egress-proxy.ts";
import { createNestedRepositories } from "./nested-repositories.ts";
import { waitForSandboxEnd } from "./sandbox-end.ts";
import { isVisible, lookAtHost } from "./sandbox-mounts.ts";
import type { SandboxProfile } from "./sandbox-profile.ts";
import { createStandIns } from "./stand-ins.ts";

export type ConfinementParts = {
  readonly profile: SandboxProfile;
  readonly platform: string;
  readonly architecture: string;
  /** The host's directory for temporary files; a private one is made in it. */
  readonly temporaryRoot: string;
  /** One for all sessions of a user. */
  readonly leaseDirectory: string;
  /** How the proxy resolves names; by the machine's resolver if left out. */
  readonly lookUp?: (name: string) => Promise<readonly string[]>;
};

export type CommandToConfine = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A terminal's library cannot hand descriptors on, and its session must stay the command's. */
  readonly hasTerminal?: boolean;
  /** Asked while the command waits, about a host that is not on the list; without it the host is refused. */
  readonly askHost?: AskHost;
};

export type ConfinedCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** To be handed on from `firstDescriptor` on; those below are the caller's. */
  readonly descriptors: readonly number[];
  /** Called once, when the process has gone or could not be started. */
  release(): Promise<void>;
};

export interface Confinement {
  wrap(command: CommandToConfine): Promise<ConfinedCommand | { readonly problem: string }>;
  check(): Promise<SandboxCheck>;
  /** Where commands have their temporary files; none before the first of them. */
  temporary(): string | undefined;
  close(): Promise<void>;
}

export const firstDescriptor = 4;

/** Nothing is started before the first command, and never a command without its sandbox. */
export function createConfinement(parts: ConfinementParts): Confinement {
  const { profile, leaseDirectory } = parts;
  const allowedHosts = profile.network === "off" ? [] : profile.network.allowedHosts;
  /** Each command has a word of its own, so that the proxy knows on whose behalf it asks. */
  const askers = new Map<string, AskHost>();
  const standIns = createStandIns({ leaseDirectory });
  const nested = createNestedRepositories(profile.searched);
  const check = () => checkSandbox({ ...parts, needsBridge: allowedHosts.length > 0 });
  let opening: Promise<ConfinementSetup | { readonly problem: string }> | undefined;
  let temporary: string | undefined;
  let count = 0;

  const open = async () => {
    const checked = await check();
    return checked.ok
      ? openConfinement({ ...parts, allowedHosts, askerOf: (word) => askers.get(word) })
      : { problem: `${checked.sentence} ${checked.howTo}` };
  };
  return {
    check,
    async wrap(command) {
      opening ??= open();
      const setup = await opening;
      if ("problem" in setup) {
        // What is missing now may be installed by the next time.
        opening = undefined;
        return setup;
      }
      temporary = setup.temporary;
      const host = lookAtHost(profile, [setup.directory, leaseDirectory]);
      if ("problem" in host) return host;
      if (!isVisible(command.cwd, [...host.writable, ...host.readable])) return { problem: unseen(command.cwd) };
      const guarded = await standIns.guard(
        [...profile.protectedPaths, ...nested.protectedPaths(command.cwd)],
        host.writable,
      );
      if ("problem" in guarded) return guarded;

      const { hasTerminal = false } = command;
      const descriptors = { filter: firstDescriptor, report: firstDescriptor + 1 };
      const args = bubblewrapArguments({ ...setup, ...host, ...guarded }, { ...command, hasTerminal, descriptors });
      const line: Line = [...setup.entry, setup.bwrapPath, ...args];
      count += 1;
      const files = { filter: setup.filter, report: join(setup.directory, `report-${count}`) };
      writeFileSync(files.report, "");
      const word = randomBytes(16).toString("hex");
      if (command.askHost !== undefined) askers.set(word, command.askHost);
      const opened = hasTerminal ? [] : [openSync(files.filter, "r"), openSync(files.report, "w")];
      return {
        ...(hasTerminal ? openingDescriptors(line, files) : startOf(line)),
        environment: confinedEnvironment(command.environment, setup.hasProxy ? { word } : {}),
        descriptors: opened,
        async release() {
          for (const descriptor of opened) closeSync(descriptor);
          askers.delete(word);
          const isOver = await waitForSandboxEnd(files.report);
          rmSync(files.report, { force: true });
          // The lease stays with this process then, and the stand-ins are taken away after it.
          if (isOver) await guarded.release();
        },
      };
    },
    temporary: () => temporary,
    async close() {
      const setup = await opening;
      opening = undefined;
      temporary = undefined;
      if (setup !== undefined && !("problem" in setup)) setup.close();
    },
  };
}

type Line = readonly [file: string, ...args: string[]];
type Start = { readonly file: string; readonly args: readonly string[] };

function startOf([file, ...args]: Line): Start {
  return { file, args };
}

function openingDescriptors(
  line: Line,
  { filter, report }: { readonly filter: string; readonly report: string },
): Start {
  const text = `filter=$1 report=$2; shift 2; exec "$@" ${firstDescriptor}<"$filter" ${firstDescriptor + 1}>"$report"`;
  return { file: "/bin/sh", args: ["-c", text, "sh", filter, report, ...line] };
}

function unseen(path: string): string {
  return `The sandbox has its own temporary directory and does not show ${path}. Run the command in the workspace.`;
}
