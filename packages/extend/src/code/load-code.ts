/** Loads a group of files: finds out what each brings, and gives sessions their tools, phases, moments and sources. */
import type { CallPhase, ContextSource, Event, Models, SessionMoment, ToolSource } from "@kedge/protocol";
import { type CodeGroup, ownerName } from "./code-group.ts";
import type { CodeParts } from "./code-parts.ts";
import { createCodeToolSource } from "./code-tool-source.ts";
import { type CodeUnit, createCodeUnit } from "./code-unit.ts";
import { type CodeEvents, createCodeEvents } from "./hooks/code-events.ts";
import { withRequestHooks } from "./hooks/code-models.ts";
import { createCodeMoment } from "./hooks/code-moment.ts";
import { createCodePhases } from "./hooks/code-phases.ts";
import { createPlanContext } from "./hooks/plan-context.ts";
import { createSystemTexts } from "./hooks/system-texts.ts";
import { createUnitHooks, type UnitHooks } from "./hooks/unit-hooks.ts";
import type { PendingActions } from "./pending-actions.ts";
import { createSessionEvents } from "./session-events.ts";

export type ListedCode = {
  readonly file: string;
  readonly owner: string;
  readonly tools: readonly string[];
  readonly hooks: readonly string[];
  /** Why it is not used. */
  readonly off?: string;
  /** Hooks that failed too often, with their sessions. */
  readonly disabled: readonly string[];
  /** Keys of before_plan that nobody knows. */
  readonly droppedKeys: number;
  readonly logs: readonly string[];
};

export type CodeCommand = { readonly name: string; readonly fields: unknown; readonly unit: string };

export type LoadedCode = {
  readonly toolSource: ToolSource;
  readonly callPhases: readonly CallPhase[];
  readonly sessionMoments: readonly SessionMoment[];
  readonly newSources: (sessionId: string) => readonly ContextSource[];
  readonly models: (models: Models) => Models;
  readonly hooks: readonly UnitHooks[];
  /** Commands that files bring, as OpenCode writes them. */
  readonly commands: () => readonly CodeCommand[];
  /** What commands find in their environment besides. */
  readonly variables: () => { readonly [name: string]: string };
  /** Sentences about what cannot be used. */
  readonly problems: readonly string[];
  readonly listed: () => readonly ListedCode[];
  hear(sessionId: string, event: Event): void;
  close(): Promise<void>;
};

/** What the last events may take when kedge ends. */
const closingMsMax = 3_000;

/** `pending` is shared by all groups of a process. */
export async function loadCode(group: CodeGroup, parts: CodeParts, pending: PendingActions): Promise<LoadedCode> {
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const units = group.files.map((file) => createCodeUnit(file, group, parts, changed));
  const problems = (await Promise.all(units.map((unit) => unit.open()))).flat();
  const hooks = units.filter((unit) => unit.hooks().length > 0).map((unit) => createUnitHooks(unit, parts));
  const wired = hooks.map((each) => wireHooks(each, parts));
  const events: CodeEvents = createCodeEvents(hooks, parts.onNotice);
  const sessions = createSessionEvents(units);
  const owned = ownerName(group.owner);
  return {
    toolSource: createCodeToolSource({
      name: owned,
      kind: group.owner.kind === "plugin" ? "plugin" : "custom",
      units,
      parts,
      pending,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }),
    callPhases: wired.flatMap(({ phases }) => phases),
    sessionMoments: wired.flatMap(({ moment }) => moment ?? []),
    newSources: () => wired.flatMap(({ source }) => source ?? []),
    models: (models) => withRequestHooks(models, hooks),
    hooks,
    commands: () =>
      units.flatMap((unit) =>
        Object.entries(unit.manifest().commands).map(([name, fields]) => ({ name, fields, unit: unit.file })),
      ),
    variables: () => Object.assign({}, ...wired.map(({ variables }) => variables())),
    problems,
    listed: () =>
      units.map((unit) =>
        listUnit(
          unit,
          wired.find(({ of }) => of.unit === unit),
        ),
      ),
    hear(sessionId, event) {
      events.hear(sessionId, event);
      sessions.hear(sessionId, event);
    },
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closingMsMax);
      await Promise.race([events.settle(), late]);
      clearTimeout(timer);
      for (const unit of units) unit.close();
    },
  };
}

type Wired = ReturnType<typeof wireHooks>;

function wireHooks(hooks: UnitHooks, parts: CodeParts) {
  const plan = createPlanContext(hooks, parts);
  const system = createSystemTexts(hooks, parts.digest);
  const planning = new Set<string>();
  let variables: { readonly [name: string]: string } = {};
  return {
    of: hooks,
    plan,
    variables: () => variables,
    source: hooks.has("experimental.chat.system.transform") ? system.source : undefined,
    phases: createCodePhases(hooks, {
      setVariables(_, given) {
        variables = given;
      },
      planEntered: (sessionId) => void planning.add(sessionId),
    }),
    moment: createCodeMoment(hooks, {
      plan,
      addSystem: system.add,
      takePlanEntered: (sessionId) => planning.delete(sessionId),
      onNotice: parts.onNotice,
    }),
  };
}

function listUnit(unit: CodeUnit, wired: Wired | undefined): ListedCode {
  const off = unit.offBecause();
  const { tools } = unit.manifest();
  return {
    file: unit.file,
    owner: ownerName(unit.group.owner),
    tools: tools.map(({ name }) => name),
    hooks: unit.hooks(),
    ...(off !== undefined && { off }),
    disabled: wired?.of.disabled() ?? [],
    droppedKeys: wired?.plan.dropped() ?? 0,
    logs: unit.logs(),
  };
}
