/** The tools of this kedge for a throw-away workspace: those that only need its files can run, nothing else can. */
import { join } from "node:path";
import type { Tool } from "@kedge/protocol";
import { createGrammars, createTaskList, createTools, findRipgrep } from "@kedge/tools";
import type { Configuration } from "../configuration/load-configuration.ts";

export type ReplayToolParts = {
  /** Those of the user: what an edit may do depends on them. */
  readonly settings: Pick<Configuration["tools"], "editing" | "reading">;
  readonly environment: () => Readonly<Record<string, string>>;
};

export function createReplayTools(
  { settings, environment }: ReplayToolParts,
  { root, isInside }: { readonly root: string; readonly isInside: (path: string) => boolean },
): readonly Tool[] {
  const now = () => 0;
  return createTools({
    ripgrepPath: findRipgrep,
    shellPath: "/bin/sh",
    childEnvironment: environment,
    isBashOffered: true,
    jobsEnabled: true,
    pollWait: "smart",
    now,
    wallClockMs: now,
    isInside,
    grammars: createGrammars(),
    tasks: createTaskList({ path: join(root, ".git", "tasks.json") }),
    web: { judgeAddress: () => ({ verdict: "block", why: "a replay does not use the network" }) },
    editing: settings.editing,
    reading: settings.reading,
    offersCheckpoints: true,
  });
}
