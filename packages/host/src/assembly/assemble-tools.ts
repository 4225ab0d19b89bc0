/** Makes the tools of one place of work, and what they share: the shell and how it is read, the sandbox, the paths. */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isForbiddenFile, isSecretFile } from "@kedge/engine";
import { fixedToolSource, type LeaseHolder, type Tool, type ToolSource } from "@kedge/protocol";
import { childEnvironment, createLookAtPath, judgeUrl } from "@kedge/sandbox";
import {
  createGrammars,
  createRcSnapshot,
  createTaskList,
  createTools,
  findRipgrep,
  openCodeIndex,
  type ProcessTie,
  type SearchBackend,
  withOwner,
} from "@kedge/tools";
import type { Configuration } from "../configuration/load-configuration.ts";
import { whileHeld } from "../machine/file-lock.ts";
import type { Home } from "../machine/home.ts";
import { loadPtyLibrary } from "../machine/load-pty-library.ts";
import type { Project } from "../machine/project.ts";
import { createCommandLooks } from "../shell/command-looks.ts";
import { createCommandSandbox } from "../shell/command-sandbox.ts";
import { createProjectPrograms } from "../shell/project-programs.ts";
import { createShellReading } from "../shell/shell-reading.ts";
import { type TeamRegistry, tasksOf } from "../teams/team-registry.ts";
import { gitProgramAt } from "../trust/git-programs.ts";
import { judgeWorkspace } from "../trust/workspace-trust.ts";

export type ToolParts = {
  readonly configuration: Configuration;
  readonly home: Home;
  readonly project: Project;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  /** True when a person can answer questions. */
  readonly interactive: boolean;
  /** Those of the program that uses kedge. */
  readonly tools?: readonly Tool[];
  /** The only ones that are offered; all without this. */
  readonly toolNames?: readonly string[];
  /** Count as inside the workspace. All exist. */
  readonly addedDirectories: readonly string[];
  readonly onNotice: (sentence: string) => void;
  readonly holder: LeaseHolder;
  /** Which sessions share the tasks of a team. */
  readonly teams: TeamRegistry;
  readonly tie: ProcessTie;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  /** What a command finds in its environment. */
  readonly commandEnvironment: () => { readonly [name: string]: string };
  readonly ca: NonNullable<Parameters<typeof createTools>[0]["web"]["ca"]> | undefined;
  readonly searchBackend: () => SearchBackend | undefined;
  readonly searchRecords: NonNullable<Parameters<typeof createTools>[0]["searchRecords"]>;
};

export type AssembledTools = ReturnType<typeof assembleTools>;

export function assembleTools(parts: ToolParts) {
  const { configuration, home, project, environment, userDirectory, now, monotonicMs, commandEnvironment } = parts;
  const { cwd, root, projectId } = project;
  const { tools: settings } = configuration;
  const { tools, toolNames } = parts;
  const shellPath = ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path)) ?? "/bin/sh";
  const lookAtPath = createLookAtPath({
    root,
    added: parts.addedDirectories,
    home: userDirectory,
    kedgeHome: home.directory,
    now,
  });
  const isInside = (path: string) => lookAtPath(path).place === "inside";
  const grammars = createGrammars();
  const shellCache = join(home.directory, "cache", "shell");
  const rcSnapshot = settings.usesRcSnapshot
    ? createRcSnapshot({ shellPath, childEnvironment: commandEnvironment, cacheDirectory: shellCache })
    : undefined;
  const shell = createShellReading({
    platform: process.platform,
    redefined: () => rcSnapshot?.redefinedWords() ?? [],
    programOfProject: createProjectPrograms({ searchPath: () => commandEnvironment()["PATH"] ?? "", isInside }),
    untrustedGitProgram: (directory) => {
      const found = gitProgramAt(directory, { root, home: userDirectory });
      if (found === undefined || found.isOther) return found?.program;
      return judgeWorkspace({ home, root, userDirectory, now }).state === "trusted" ? undefined : found.program;
    },
  });
  const codeIndex = settings.codeIndex.isEnabled
    ? openCodeIndex({
        path: join(home.data, "code-index", `${projectId}.db`),
        ripgrepPath: findRipgrep,
        childEnvironment: () => parts.tie.environment(childEnvironment(environment, { scrub: true })),
        grammars,
        isSecret: (path) => isSecretFile(path) || isForbiddenFile(path, home.directory),
        now: monotonicMs,
        sizeBytesMax: settings.codeIndex.sizeBytesMax,
      })
    : undefined;
  const sandbox = createCommandSandbox({
    settings: configuration.sandbox,
    home,
    roots: [root, ...parts.addedDirectories],
    userDirectory,
    temporaryDirectory: tmpdir(),
    readable: [shellCache],
  });
  const looks = createCommandLooks({
    home,
    roots: [root, ...parts.addedDirectories],
    userDirectory,
    temporaryDirectory: tmpdir(),
    shown: [shellCache],
    now,
    ...(sandbox !== undefined && { temporary: sandbox.temporary }),
  });
  const projectTasks = createTaskList({ path: join(home.data, "tasks", `${projectId}.json`), lock: whileHeld });
  const ownTools = (sessionId: string) => {
    const backend = parts.searchBackend();
    return createTools({
      ripgrepPath: findRipgrep,
      shellPath,
      childEnvironment: () => withOwner(commandEnvironment(), parts.holder),
      bash: settings.bash,
      isBashOffered: settings.isBashOffered,
      isInteractive: parts.interactive,
      jobsEnabled: settings.jobs.isEnabled,
      pollWait: settings.jobs.pollWait,
      pty: { available: () => parts.interactive && environment["KEDGE_NO_PTY"] === undefined, load: loadPtyLibrary },
      readCommands: shell.load,
      onlyLooks: (command, directory) =>
        shell.analyse(command, { cwd: resolve(cwd, directory), root, home: userDirectory, lookAtPath }).readOnly,
      lookEnvironment: (variables) => shell.lookEnvironment(variables, { isInside }),
      ...(sandbox !== undefined && { confine: sandbox.confine }),
      confineLook: looks.confineLook,
      prepareLooks: looks.prepare,
      ...(rcSnapshot !== undefined && { rcSnapshot }),
      ...(settings.interceptor !== undefined && {
        interceptor: { ...settings.interceptor, onProblem: parts.onNotice },
      }),
      ...(codeIndex !== undefined && { codeIndex }),
      searchRecords: parts.searchRecords,
      now: monotonicMs,
      wallClockMs: now,
      isInside,
      grammars,
      tasks: tasksOf(sessionId, projectTasks, parts.teams),
      web: {
        judgeAddress: (url, addresses) => judgeUrl({ url, ...(addresses !== undefined && { addresses }) }),
        ...(parts.ca !== undefined && { ca: parts.ca }),
        ...(backend !== undefined && { backend }),
      },
      editing: settings.editing,
      reading: settings.reading,
      offersCheckpoints: settings.offersCheckpoints,
    });
  };
  const toolSources: readonly ToolSource[] = [
    {
      name: "kedge",
      kind: "built-in",
      open({ sessionId }) {
        const own = ownTools(sessionId);
        return { tools: () => own };
      },
    },
    ...(tools === undefined
      ? []
      : [fixedToolSource({ name: "the program that uses kedge", kind: "sdk" }, () => tools)]),
  ];
  const offered = { toolSources, interactive: parts.interactive, ...(toolNames !== undefined && { toolNames }) };
  // What they are made of makes those of a worktree.
  return { parts, offered, shellPath, lookAtPath, shell, sandbox, looks };
}
