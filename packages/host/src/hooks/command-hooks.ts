/** The captured hooks for commands that start no session: they can be listed and tried, and nothing is stored. */

import { createRedactor } from "@kedge/memory";
import { childEnvironment, createLookAtPath, isSecretName } from "@kedge/sandbox";
import { createProcessTie } from "@kedge/tools";
import type { Configuration } from "../configuration/load-configuration.ts";
import type { Home } from "../machine/home.ts";
import { thisProcess } from "../machine/identity.ts";
import type { Project } from "../machine/project.ts";
import { createShellReading } from "../shell/shell-reading.ts";
import { type OpenedHooks, openHooks } from "./open-hooks.ts";

export type CommandHooksParts = {
  readonly home: Home;
  readonly project: Project;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly configuration: Pick<Configuration, "hooks" | "env">;
};

/** Undefined where there is none. */
export function openCommandHooks(parts: CommandHooksParts): OpenedHooks | undefined {
  const { home, project, environment, userDirectory, configuration } = parts;
  if (configuration.hooks.sources.length === 0) return undefined;
  const tie = createProcessTie(thisProcess());
  const { root } = project;
  const now = Date.now;
  const lookAtPath = createLookAtPath({ root, added: [], home: userDirectory, kedgeHome: home.directory, now });
  const shell = createShellReading({
    redefined: () => [],
    programOfProject: () => undefined,
    untrustedGitProgram: () => undefined,
    platform: process.platform,
  });
  const values = Object.keys(environment)
    .filter(isSecretName)
    .flatMap((name) => environment[name] ?? []);
  const hooks = openHooks({
    ...{ home, project, environment, userDirectory, now },
    captured: configuration.hooks,
    hookEnvironment: () => childEnvironment(environment, { scrub: true, ...configuration.env }),
    tied: tie.environment,
    shellPath: "/bin/bash",
    store: { read: noRecords },
    redact: createRedactor({ values: () => values }).redact,
    workspace: { lookAtPath, analyseShell: shell.analyse },
    // What is wrong is part of every answer.
    onNotice: () => undefined,
    monotonicMs: () => performance.now(),
    interactive: true,
  });
  return {
    ...hooks,
    async close() {
      await hooks.close();
      tie.close();
    },
  };
}

async function* noRecords() {}
