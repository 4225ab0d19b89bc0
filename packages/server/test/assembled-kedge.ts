/** The whole of kedge, wired as the program wires it, on directories of a test. */
import type { AddedHandlers } from "@kedge/engine";
import { assemble, findProject, type Kedge, loadConfiguration, openHome } from "@kedge/host";

type AssembledOptions = {
  readonly project: string;
  readonly userDirectory: string;
  readonly homeDirectory: string;
  readonly environment: { readonly [name: string]: string };
  readonly interactive: boolean;
  readonly now?: () => number;
  readonly commands?: AddedHandlers;
};

export async function openAssembled(options: AssembledOptions): Promise<Kedge> {
  const { userDirectory, homeDirectory, environment, interactive } = options;
  const project = findProject(options.project);
  const loaded = await loadConfiguration({
    home: homeDirectory,
    userDirectory,
    cwd: options.project,
    projectRoot: project.root,
    environment,
    files: [],
    isTrusted: true,
  });
  if (!loaded.ok) throw new Error(loaded.failure.message);
  const opened = openHome(homeDirectory);
  if (!opened.ok) throw new Error(opened.failure.message);
  const assembled = await assemble({
    ...{ configuration: loaded.configuration, settings: loaded.settings },
    home: opened.home,
    project,
    environment,
    userDirectory,
    commandLineRules: { source: "command-line", rules: [] },
    interactive,
    unattended: true,
    kedgeVersion: "0.0.0",
    onNotice: () => undefined,
    ...(options.now !== undefined && { now: options.now }),
    ...(options.commands !== undefined && { commands: options.commands }),
  });
  if (!assembled.ok) throw new Error(assembled.failure.message);
  return assembled.kedge;
}
