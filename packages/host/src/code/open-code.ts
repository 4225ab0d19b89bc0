/** Makes code of users, projects and plugins work in the sessions of this process: gives it what it needs of the machine. */
import { type Engine, offeredTools } from "@kedge/engine";
import {
  type CodeGroup,
  type CodeParts,
  createPendingActions,
  definedTools,
  type ListedCode,
  type LoadedCode,
  loadCode,
  type PendingActions,
  withDescriptions,
} from "@kedge/extend/code";
import type { Definition } from "@kedge/extend/definitions";
import { neutraliseText } from "@kedge/memory";
import {
  type CallPhase,
  type ContextSource,
  type Json,
  type Models,
  type SessionMoment,
  stripTerminalControls,
  type ToolSource,
} from "@kedge/protocol";
import { shownPath } from "../configuration/setting-layers.ts";
import { commandDefinition } from "../extensions/opencode-commands.ts";
import { digestOf } from "../instructions/digest-of.ts";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import { openKeptDefinitions } from "./kept-definitions.ts";
import { readPlanText } from "./plan-text.ts";
import { sessionHistory } from "./session-history.ts";
import { zodModule } from "./zod-module.ts";

export type OpenCodeParts = {
  readonly groups: readonly CodeGroup[];
  /** Files of the folders that are named and never run. */
  readonly metadata: readonly string[];
  readonly home: Home;
  readonly project: Project;
  readonly userDirectory: string;
  readonly interactive: boolean;
  /** Names this program. */
  readonly programVersion: string;
  /** Ties what is started to this process; with secrets only for code that may see them. */
  readonly environment: (options: { readonly scrub: boolean }) => { readonly [name: string]: string };
  readonly redact: (text: string) => string;
  readonly onNotice: (sentence: string) => void;
  /** Ids of vendors that the user set up. */
  readonly providers: readonly string[];
  /** A plugin remembers in the place of memory, for the prompt that this session is about to answer. */
  readonly replaceRecall: (sessionId: string) => void;
};

export type OpenedCode = {
  readonly toolSources: readonly ToolSource[];
  readonly callPhases: readonly CallPhase[];
  readonly sessionMoments: readonly SessionMoment[];
  readonly newSources: (sessionId: string) => readonly ContextSource[];
  readonly models: (models: Models) => Models;
  /** What commands find in their environment besides. */
  readonly variables: () => { readonly [name: string]: string };
  /** Commands that the hook `config` of plugins adds. */
  readonly commands: () => readonly Definition[];
  readonly problems: readonly string[];
  readonly listed: () => readonly ListedCode[];
  readonly metadata: readonly string[];
  /** The same sources, with descriptions in the words of plugins that have a hook for it. */
  readonly described: (sources: readonly ToolSource[]) => Promise<readonly ToolSource[]>;
  /** Before the first session. */
  bind(engine: Engine): void;
  close(): Promise<void>;
};

export async function openCode(parts: OpenCodeParts): Promise<OpenedCode> {
  const { groups } = parts;
  let engine: Engine | undefined;
  const pending = createPendingActions();
  const given = codePartsOf(parts, () => engine);
  const loaded: readonly LoadedCode[] = await Promise.all(groups.map((group) => loadCode(group, given, pending)));
  const problems = loaded.flatMap((each) => each.problems);
  for (const sentence of problems) given.onNotice(sentence);
  const hooks = loaded.flatMap((each) => each.hooks);
  return {
    toolSources: [...loaded.map(({ toolSource }) => toolSource), resolverOf(loaded, pending)],
    callPhases: loaded.flatMap(({ callPhases }) => callPhases),
    sessionMoments: loaded.flatMap(({ sessionMoments }) => sessionMoments),
    newSources: (sessionId) => loaded.flatMap(({ newSources }) => newSources(sessionId)),
    models: (models) => loaded.reduce((wrapped, each) => each.models(wrapped), models),
    variables: () => Object.assign({}, ...loaded.map((each) => each.variables())),
    commands: () =>
      loaded.flatMap(({ commands }, index) => {
        const tier = groups[index]?.owner.kind ?? "project";
        return commands().flatMap(({ name, fields, unit }) => commandDefinition(name, fields, { file: unit, tier }));
      }),
    problems,
    listed: () => loaded.flatMap((each) => each.listed()),
    metadata: parts.metadata,
    async described(sources) {
      if (!hooks.some((each) => each.has("tool.definition"))) return sources;
      const tools = offeredTools({ toolSources: sources, interactive: parts.interactive });
      const descriptions = await definedTools(tools, hooks, given);
      return descriptions.size === 0 ? sources : sources.map((source) => withDescriptions(source, descriptions));
    },
    bind(bound) {
      engine = bound;
      bound.subscribeAll((sessionId, event) => {
        for (const each of loaded) each.hear(sessionId, event);
        if (event.kind === "fact" && event.record.fact.type === "run.ended") pending.runEnded(sessionId);
      });
    },
    async close() {
      await Promise.all(loaded.map((each) => each.close()));
    },
  };
}

/** Beside tools that could prepare something, from the first request on, so that no request changes for it. */
function resolverOf(loaded: readonly LoadedCode[], pending: PendingActions): ToolSource {
  const hasTools = loaded.some((each) => each.listed().some(({ tools }) => tools.length > 0));
  return {
    name: "pending actions",
    kind: "custom",
    open: ({ sessionId }) => ({ tools: () => (hasTools ? [pending.tool(sessionId)] : []) }),
  };
}

function codePartsOf(parts: OpenCodeParts, engine: () => Engine | undefined): CodeParts {
  const { home, project, userDirectory, interactive, programVersion, redact } = parts;
  const { cwd, root, projectId } = project;
  const stateOf = (sessionId: string) =>
    engine()
      ?.openSessions()
      .find(({ state }) => state.sessionId === sessionId)?.state;
  return {
    place: { cwd, root, projectId, hasUI: interactive },
    zodUrl: zodModule(),
    environment: ({ capabilities }) =>
      parts.environment({ scrub: capabilities === "all" || !capabilities.includes("credentials") }),
    shownPath: (path) => shownPath(path, { userDirectory, projectRoot: root, home: home.directory }),
    definitions: openKeptDefinitions(home.directory),
    digest: digestOf,
    programVersion,
    session(sessionId) {
      const state = stateOf(sessionId);
      const hasQueuedMessages = (state?.queue.length ?? 0) > 0;
      return { model: state?.model ?? "", mode: state?.mode ?? "default", hasQueuedMessages };
    },
    async wish(sessionId, name): Promise<Json | undefined> {
      switch (name) {
        case "history": {
          const state = stateOf(sessionId);
          return state === undefined ? [] : sessionHistory(state, redact);
        }
        case "catalogue":
          return [...parts.providers];
        case "abort":
          await engine()?.send({ type: "turn.interrupt", sessionId });
          return true;
        default:
          return undefined;
      }
    },
    neutralise: neutraliseText,
    readPlan: (answer, plugin) => readPlanText(answer, plugin, parts.replaceRecall),
    onNotice: (sentence) => parts.onNotice(stripTerminalControls(redact(sentence))),
  };
}
