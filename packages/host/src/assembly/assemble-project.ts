/** What the user and the project bring to every session: instruction files, memory, lessons, extensions and hooks. */
import { join, resolve } from "node:path";
import type { Network } from "@kedge/models";
import type { ReadRights, RuleSet, Store } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import type { OpenedAcpAgents } from "../acp-agents/open-acp-agents.ts";
import { type OpenedAgents, openAgents } from "../agents/open-agents.ts";
import { hasCodeFolders } from "../code/code-folders.ts";
import { type Extensions, openExtensions } from "../extensions/open-extensions.ts";
import type { ForkSkillIn } from "../extensions/open-skills.ts";
import { readShownFile } from "../extensions/read-shown-file.ts";
import { type OpenedHooks, openHooks } from "../hooks/open-hooks.ts";
import { openInstructions } from "../instructions/open-instructions.ts";
import { createRunLessons } from "../lessons/run-lessons.ts";
import { pluginLanguageServers } from "../lsp/plugin-language-servers.ts";
import type { OpenedMcp } from "../mcp/open-mcp.ts";
import { openMemory, type ProjectMemory } from "../memory/open-memory.ts";
import { openPlugins } from "../plugins/open-plugins.ts";
import { type PluginCode, pluginParts } from "../plugins/plugin-parts.ts";
import { commandVariables } from "../plugins/program-path.ts";
import { worktreeHooks } from "../worktrees/worktree-hooks.ts";
import { createWorktreeToolSource } from "../worktrees/worktree-tools.ts";
import type { AssembleOptions } from "./assemble-options.ts";
import type { AssembledTools } from "./assemble-tools.ts";
import { createFileCare } from "./file-care.ts";
import type { LiveConfiguration } from "./live-configuration.ts";
import type { ProcessParts } from "./process-parts.ts";

export type ProjectParts = {
  readonly options: AssembleOptions;
  readonly own: ProcessParts;
  readonly live: LiveConfiguration;
  readonly tools: AssembledTools;
  readonly store: Store;
  /** Rules that memory and extensions bring of their own are added to these. */
  readonly rules: RuleSet[];
  readonly reading: ReadRights;
  readonly addedDirectories: readonly string[];
  /** The way to others, and further authorities that are trusted. */
  readonly network: Network;
};

export type AssembledProject = Awaited<ReturnType<typeof assembleProject>>;

export async function assembleProject(parts: ProjectParts) {
  const { options, own, tools, rules, reading } = parts;
  const { configuration, home, project, environment, userDirectory, onNotice } = options;
  const { now, monotonicMs, randomBytes, redact, newId } = own;
  const instructions = openInstructions({
    ...{ home, project, userDirectory, redact, now, onNotice },
    settings: configuration.instructions,
    disabledSources: configuration.instructions.disabledSources,
    ...(options.isTrusted && { isTrusted: options.isTrusted }),
  });
  const memory = await openMemory({
    ...{ home, project, environment, userDirectory, redact, now, randomBytes, onNotice },
    ...{ settings: configuration.memory, background: configuration.background },
    ...{ interactive: options.interactive, rules: () => rules },
    isWanted: options.memory !== false,
  });
  const plugins = openPlugins(configuration.plugins, { home, onNotice, learnSecret: own.learnSecret });
  const extensionParts = {
    ...{ home, project, userDirectory, now, onNotice },
    settings: configuration.extensions,
    plugins: configuration.plugins,
    offersSkills: options.toolNames?.every((name) => name.toLowerCase() !== "skill") !== true,
    disabledSources: configuration.instructions.disabledSources,
    readFile: (path: string) => readShownFile(resolve(project.cwd, path), { reading, redact }),
  };
  const extensions = await openExtensions(extensionParts);
  // Nobody wrote these, so they are neither listed nor lost when files are read again.
  const ownRules = [...(memory.session?.rules ?? []), ...extensions.rules];
  rules.push(...ownRules);
  const lessons =
    memory.place.state === "on"
      ? createRunLessons({
          path: join(home.directory, "projects", project.projectId, "lessons.jsonl"),
          now,
          newId,
          redact,
          ofAnswers: options.interactive || configuration.memory.headless,
        })
      : undefined;
  const acp = await openAcp(parts);
  const agents = await openProjectAgents(parts, extensions, acp);
  if (agents !== undefined) extensions.bindForks(lateForks(agents.runs));
  const { skillHooksOff } = configuration.hooks;
  const mayGrow = (extensions.bringsHooks || agents?.bringsHooks === true) && skillHooksOff === undefined;
  const hooks =
    configuration.hooks.sources.length === 0 && !mayGrow
      ? undefined
      : openProjectHooks(parts, { mayGrow, mcp: () => mcp });
  bindSkillHooks(
    extensions,
    hooks,
    onNotice,
    skillHooksOff ?? (mayGrow ? undefined : "the skill was found after startup"),
  );
  const handed = configuration.plugins.plugins.length === 0 ? undefined : pluginParts(configuration.plugins);
  const fileCare = createFileCare({
    ...{ configuration, home, project, userDirectory, monotonicMs, onNotice, now },
    added: handed?.lspServers.flatMap((server) => pluginLanguageServers(server, onNotice)) ?? [],
    isInside: (path) => tools.lookAtPath(path).place === "inside",
    environment: scrubbedEnvironment(parts),
    searchPath: () => environment["PATH"] ?? "",
  });
  const mcp = await openProjectMcp(parts, hooks);
  const code = await openProjectCode(parts, handed?.code ?? [], { memory, extensions });
  const sources = [
    ...tools.offered.toolSources,
    ...(agents === undefined ? [] : [agents.toolSource]),
    ...(project.isGitRepository || worktreeHooks(hooks, "") !== undefined
      ? [createWorktreeToolSource({ ...options, now }, (sessionId) => worktreeHooks(hooks, sessionId))]
      : []),
    ...extensions.toolSources,
    ...fileCare.toolSources,
    ...(code?.toolSources ?? []),
  ];
  const toolSources = code === undefined ? sources : await code.described(sources);
  return {
    ...{ instructions, memory, extensions, extensionParts, lessons, hooks, mcp, plugins, code, fileCare, agents, acp },
    ...{ toolSources, ownRules, mayAttachHooks: mayGrow },
    forCommands: commandVariables(handed?.programs ?? [], { left: hooks?.left, code }),
    /** Commands that users wrote, and prompts of servers. */
    addedCommands: async () => {
      const written = await extensions.commands();
      if (mcp === undefined) return written;
      return [...written, ...(await import("../mcp/prompt-commands.ts")).promptCommands(mcp)];
    },
    async closeProject() {
      await hooks?.close();
      await fileCare.close();
      mcp?.close();
      plugins?.release();
      await code?.close();
    },
  };
}

/** For programs that are started here: without secrets, and tied to this process. */
function scrubbedEnvironment({ options, own, live }: ProjectParts): () => { readonly [name: string]: string } {
  const { telemetry, tie } = own;
  return () =>
    tie.environment(childEnvironment(telemetry.forChildren(options.environment), { scrub: true, ...live.env }));
}

/** Not loaded late: a third of the time that a start with hooks took was spent on opening the late part of the program. */
function openProjectHooks(
  { options, own, live, tools, store, addedDirectories, network }: ProjectParts,
  { mayGrow, mcp }: { readonly mayGrow: boolean; readonly mcp: () => OpenedMcp | undefined },
): OpenedHooks {
  const { configuration, home, project, environment, userDirectory, onNotice } = options;
  const { now, monotonicMs, redact, telemetry, tie } = own;
  const { ca, client } = network;
  return openHooks({
    ...{ home, project, userDirectory, environment, store, redact, onNotice, now, monotonicMs },
    shellPath: tools.shellPath,
    captured: configuration.hooks,
    mayGrow,
    hookEnvironment: () => childEnvironment(telemetry.forChildren(environment), { scrub: true, ...live.env }),
    tied: tie.environment,
    workspace: { lookAtPath: tools.lookAtPath, analyseShell: tools.shell.analyse },
    interactive: options.interactive,
    addedDirectories,
    ...(options.setup !== undefined && { setup: options.setup }),
    callServerTool: async (call, signal) =>
      (await import("../mcp/hooks-of-servers.ts")).callServerTool(mcp)(call, signal),
    ...(ca !== undefined && { ca }),
    ...(client !== undefined && { client }),
  });
}

/** `whyOff` says why hooks of skills do not run here. */
function bindSkillHooks(
  extensions: Extensions,
  hooks: OpenedHooks | undefined,
  onNotice: AssembleOptions["onNotice"],
  whyOff: string | undefined,
): void {
  extensions.bindHooks(async (sessionId, definition) => {
    if (!definition.fields.has("hooks")) return;
    const { hooksOfSkill } = await import("../hooks/skill-hooks.ts");
    const source = await hooksOfSkill(definition);
    if (source === undefined) return;
    if (whyOff === undefined) hooks?.attachSource(sessionId, source);
    else onNotice(`Hooks of skill ${definition.name} do not run: ${whyOff}.`);
  });
}

/** Loaded only where somebody configured a server, or may bring one later. */
async function openProjectMcp(parts: ProjectParts, hooks: OpenedHooks | undefined): Promise<OpenedMcp | undefined> {
  const { options, own, live, network } = parts;
  const { configuration, home, project, environment, userDirectory, onNotice } = options;
  const { now, redact } = own;
  if (configuration.mcp.files.length === 0 && options.mcpServers === undefined) return undefined;
  return (await import("../mcp/open-mcp.ts")).openMcp({
    ...{ home, project, userDirectory, environment, redact, onNotice, now },
    captured: configuration.mcp,
    env: live.env,
    kedgeVersion: options.kedgeVersion,
    serverEnvironment: scrubbedEnvironment(parts),
    ...(options.mcpServers !== undefined && { dynamic: options.mcpServers }),
    ...(hooks !== undefined && {
      questionHooks: (await import("../mcp/hooks-of-servers.ts")).questionHooks(hooks.elicitation),
    }),
    authorize: (await import("../mcp-sign-in/late-authorize.ts")).lateAuthorize({
      ...{ home: home.directory, environment, now },
    }),
    network: (await import("../mcp/server-network.ts")).serverNetwork(network),
  });
}

/** Custom tools and plugins; nothing is loaded where nobody wrote any. */
async function openProjectCode(
  { options, own, live }: ProjectParts,
  ofPlugins: readonly PluginCode[],
  { memory, extensions }: { readonly memory: ProjectMemory; readonly extensions: Extensions },
) {
  const { configuration, home, project, environment, userDirectory, onNotice } = options;
  const { now, redact, telemetry, tie } = own;
  const disabled = configuration.instructions.disabledSources;
  const { code: settings } = configuration;
  const { hasOtherTools } = settings;
  const site = { root: project.root, kedgeHome: home.directory, userDirectory, disabled, hasOtherTools };
  const isThere = hasCodeFolders(site) || settings.paths.length > 0 || ofPlugins.length > 0;
  if (!isThere || options.code === false) return undefined;
  const { findCodeGroups, openCode, pluginGroup } = await import("../code/index.ts");
  const { groups: found, metadata, problems } = findCodeGroups({ home, project, site, settings, now });
  const groups = [...found, ...ofPlugins.map(pluginGroup)];
  for (const sentence of problems) onNotice(sentence);
  if (groups.length === 0 && metadata.length === 0) return undefined;
  const code = await openCode({
    ...{ groups, metadata, home, project, userDirectory, redact, onNotice },
    interactive: options.interactive,
    programVersion: options.buildId ?? options.kedgeVersion,
    providers: Object.keys(configuration.providers),
    replaceRecall: (sessionId) => memory.session?.replaceRecall(sessionId),
    environment: ({ scrub }) =>
      tie.environment(childEnvironment(telemetry.forChildren(environment), { scrub, ...live.env })),
  });
  extensions.bindCommands(code.commands);
  return code;
}

async function openProjectAgents(
  { options, own, live, store, tools }: ProjectParts,
  { found }: Extensions,
  acp: OpenedAcpAgents | undefined,
) {
  const { configuration, onNotice, home, project, environment } = options;
  if (!configuration.agents.isEnabled) return undefined;
  return openAgents({
    acp,
    ...{ settings: configuration.agents, ...found, onNotice },
    ...{ store, now: own.now, newId: own.newId },
    given: options.agents ?? {},
    model: () => live.model,
    team: {
      ...{ home: home.directory, cwd: project.cwd, root: project.root, environment, program: options.program },
      ...{ settings: configuration.teams, registry: tools.parts.teams, holder: own.holder, redact: own.redact },
      ...(options.teamTiming !== undefined && { timing: options.teamTiming }),
    },
    primary: options.agent ?? (configuration.agents.coordinator ? "coordinator" : "build"),
  });
}

function lateForks(runs: OpenedAgents["runs"]): ForkSkillIn {
  return (sessionId) => async (task, context) => {
    const { createForkSkill } = await import("../extensions/fork-skill.ts");
    return createForkSkill(sessionId, runs)(task, context);
  };
}

/** Loaded only where somebody configured one. */
async function openAcp(parts: ProjectParts): Promise<OpenedAcpAgents | undefined> {
  const { options, tools } = parts;
  const { configuration, home, project, userDirectory, kedgeVersion } = options;
  if (Object.keys(configuration.acpAgents).length === 0) return undefined;
  const { openAcpAgents } = await import("../acp-agents/open-acp-agents.ts");
  return openAcpAgents(configuration.acpAgents, {
    ...{ cwd: project.cwd, userDirectory, kedgeVersion, readCommands: tools.shell.load },
    hidden: ["credentials.json", "mcp-credentials.json", "tokens.json", "reach", "run", "data"].map((name) =>
      join(home.directory, name),
    ),
    environment: scrubbedEnvironment(parts),
  });
}
