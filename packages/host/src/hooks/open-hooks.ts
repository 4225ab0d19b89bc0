/** Makes the captured hooks run in the sessions of this process: gives them what they need of the machine. */
import { isAbsolute, join, resolve } from "node:path";
import { judge, parseRuleArgument } from "@kedge/engine";
import {
  createSessionHooks,
  type Hook,
  type HookParts,
  type HookSource,
  missingOf,
  readHooks,
  type SessionHooks,
} from "@kedge/extend/hooks";
import { neutraliseText } from "@kedge/memory";
import type { ClientCertificate } from "@kedge/models";
import { type PhasedCall, type SessionProfile, type Store, stripTerminalControls } from "@kedge/protocol";
import { childEnvironment, judgeUrl } from "@kedge/sandbox";
import type { Configuration } from "../configuration/load-configuration.ts";
import type { Home } from "../machine/home.ts";
import { isLoopback } from "../machine/is-loopback.ts";
import type { Project } from "../machine/project.ts";
import { askHookModel, type HookModelParts } from "./ask-hook-model.ts";
import { createHookTranscripts } from "./hook-transcript.ts";
import { createHookVariables, type HookVariables } from "./hook-variables.ts";
import { watchHookFiles } from "./hook-watch.ts";
import { markScripts } from "./script-marks.ts";

export type OpenHooksParts = {
  readonly captured: Configuration["hooks"];
  readonly home: Home;
  readonly project: Project;
  readonly userDirectory: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Without secrets. */
  readonly hookEnvironment: () => { readonly [name: string]: string };
  /** Ties what is started with it to this process; starts one of its own, so it is asked only when a hook starts. */
  readonly tied: (environment: { readonly [name: string]: string }) => { readonly [name: string]: string };
  readonly shellPath: string;
  readonly store: Pick<Store, "read">;
  readonly redact: (text: string) => string;
  readonly workspace: Pick<SessionProfile["workspace"], "lookAtPath" | "analyseShell">;
  readonly ca?: string;
  readonly client?: ClientCertificate;
  readonly onNotice: (sentence: string) => void;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly interactive: boolean;
  readonly addedDirectories?: readonly string[];
  readonly setup?: HookParts["setup"];
  /** Skills may bring further ones. */
  readonly mayGrow?: boolean;
  readonly callServerTool?: HookParts["callServerTool"];
};

export type OpenedHooks = SessionHooks & {
  readonly hooks: readonly Hook[];
  /** Sentences about hooks that cannot be used or started. */
  readonly problems: readonly string[];
  /** Files whose hooks were captured and that are no longer as they were. */
  readonly changed: () => readonly string[];
  /** What hooks left for commands. */
  readonly left: Pick<HookVariables, "variables" | "folders">;
  /** Hooks of a skill that begins to run in a session; what is wrong with them is told. */
  attachSource(sessionId: string, source: HookSource): void;
  /** Before the first session: where model questions go, and whose facts are heard. */
  bind(parts: HookModelParts): void;
};

const sessionEndMsDefault = 1_500;

export function openHooks(parts: OpenHooksParts): OpenedHooks {
  const { captured, home, project, userDirectory, onNotice, store, redact } = parts;
  const { hooks, problems } = readHooks(captured.sources);
  const { cwd, root } = project;
  let model: HookModelParts | undefined;
  const transcripts = createHookTranscripts({ directory: join(home.directory, "run", "hooks"), store, redact });
  // Not that of hooks: tying it to this process takes 8 ms, and no hook starts here.
  const place = { cwd, root, home: userDirectory, environment: childEnvironment(parts.environment, { scrub: true }) };
  const missing = hooks.flatMap((hook) => {
    const what = missingOf(hook, place);
    return what === undefined ? [] : [`Hook ${hook.name} cannot start: ${what}.`];
  });
  const rules = hooks.flatMap(({ name, condition }) => {
    if (condition === undefined || parseRuleArgument(condition, "deny").ok) return [];
    return [
      `Hook ${name}: the condition ${JSON.stringify(condition)} is not a valid rule, so the hook runs for every call.`,
    ];
  });
  const said = [...problems.map(({ sentence }) => sentence), ...missing, ...rules];
  for (const sentence of said) onNotice(sentence);
  const marks = [markScripts(hooks, root)];
  const left = createHookVariables({
    ...{ directory: join(home.directory, "run", "hooks"), cwd },
    environment: parts.hookEnvironment,
    onNotice: (sentence) => onNotice(stripTerminalControls(redact(sentence))),
  });
  const session = createSessionHooks(hooks, {
    ...partsOf(parts, transcripts, () => model),
    environmentFile: left.file,
    changedScript: (hook) => marks.map(({ changed }) => changed(hook)).find((script) => script !== undefined),
  });
  /** Skills whose hooks were marked: later uses do not take over what was changed meanwhile. */
  const marked = new Set<string>();
  const changed = new Set<string>();
  const files = captured.sources.filter(({ plugin }) => plugin === undefined);
  const scopes = new Map(files.map(({ file, scope }) => [pathOf(file, { root, userDirectory }), scope]));
  const unwatch = watchHookFiles([...scopes.keys()], (path) => {
    changed.add(path);
    onNotice(`${path} changed. Restart kedge to use the new hooks.`);
    session.configChanged({ scope: scopes.get(path) ?? "project", path });
  });
  return {
    ...session,
    hooks,
    left,
    problems: said,
    changed: () => [...changed],
    attachSource(sessionId, source) {
      const read = readHooks([source]);
      for (const { sentence } of read.problems) onNotice(stripTerminalControls(sentence));
      if (!marked.has(source.file)) marks.push(markScripts(read.hooks, root));
      marked.add(source.file);
      session.attach(sessionId, read.hooks);
    },
    bind(bound) {
      model = bound;
      bound.engine.subscribeAll((sessionId, event) => session.hear(sessionId, event));
    },
    async close() {
      unwatch();
      await session.close();
      transcripts.close();
    },
  };
}

type Transcripts = ReturnType<typeof createHookTranscripts>;

function partsOf(
  parts: OpenHooksParts,
  transcripts: Transcripts,
  model: () => HookModelParts | undefined,
): Omit<HookParts, "changedScript"> {
  const { project, environment, onNotice, now, monotonicMs, interactive, captured, ca, client } = parts;
  const given = Number(environment["KEDGE_SESSION_END_HOOK_MS"]);
  return {
    root: project.root,
    cwd: project.cwd,
    addedDirectories: parts.addedDirectories ?? [],
    place: () => ({ environment: parts.tied(parts.hookEnvironment()), shellPath: parts.shellPath }),
    request: {
      refuseAddress: (url, addresses) => refuseAddress(url, addresses, captured.allowedUrls),
      variable: (name, scope) =>
        scope === "project" || scope === "local"
          ? parts.hookEnvironment()[name]
          : childEnvironment(environment, { scrub: false })[name],
      ...(ca !== undefined && { ca }),
      ...(client !== undefined && { client }),
    },
    async askModel(question, signal) {
      const bound = model();
      return bound === undefined
        ? { ok: false, problem: "there is no session to ask in" }
        : askHookModel(question, bound, signal);
    },
    callServerTool: parts.callServerTool,
    writeTranscript: transcripts.write,
    transcriptPath: transcripts.path,
    ...sessionAccess(parts, model),
    matchesRule: (rule, call) => matchesRule(rule, call, parts),
    neutralise: neutraliseText,
    onNotice: (sentence) => onNotice(stripTerminalControls(parts.redact(sentence))),
    now,
    monotonicMs,
    isHeadless: !interactive,
    ...(parts.setup !== undefined && { setup: parts.setup }),
    mayGrow: parts.mayGrow === true,
    sessionEndMs: given > 0 ? given : sessionEndMsDefault,
  };
}

/** The sessions that hooks are asked about. */
function sessionAccess(
  { redact }: OpenHooksParts,
  model: () => HookModelParts | undefined,
): Pick<HookParts, "lookAtSession" | "nameSession"> {
  /** Names by hooks, which other hooks may replace; the user's own stays. */
  const given = new Map<string, string>();
  const find = (sessionId: string) =>
    model()
      ?.engine.openSessions()
      .find(({ state }) => state.sessionId === sessionId)?.state;
  return {
    lookAtSession: find,
    async nameSession(sessionId, title) {
      const state = find(sessionId);
      const name = stripTerminalControls(redact(title)).replaceAll(/\s+/g, " ").trim();
      if (state === undefined || name === "" || name === state.title) return;
      if (state.titleSource === "user" && given.get(sessionId) !== state.title) return;
      const named = await model()?.engine.send<"session.update">({ type: "session.update", sessionId, title: name });
      if (named?.ok === true) given.set(sessionId, state.title);
    },
  };
}

/** Loopback is allowed: local services are what hooks are for. */
function refuseAddress(
  url: string,
  addresses: readonly string[],
  allowed: readonly string[] | undefined,
): string | undefined {
  if (allowed !== undefined && !allowed.some((pattern) => fits(pattern, url)))
    return "not allowed by allowedHttpHookUrls";
  if (addresses.every(isLoopback)) return undefined;
  const verdict = judgeUrl({ url, addresses });
  return verdict.verdict === "block" ? verdict.why : undefined;
}

function fits(pattern: string, url: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(url);
}

/** As a deny rule would match it, with everything that a shell command is made of. */
function matchesRule(
  text: string,
  call: PhasedCall,
  { project, userDirectory, workspace }: OpenHooksParts,
): boolean | undefined {
  const parsed = parseRuleArgument(text, "deny");
  if (!parsed.ok) return undefined;
  const { tool, needs, readOnly, cwd } = call;
  const rules = [{ source: "user", rules: [parsed.rule] }] as const;
  const place = { root: project.root, home: userDirectory, ...workspace };
  const verdict = judge({ tool, needs, readOnly, cwd }, { rules, grants: [], mode: "default", ...place });
  return verdict.verdict === "deny" && verdict.decision.source === "rule";
}

/** Files are shown below the home or the project. */
function pathOf(
  file: string,
  { root, userDirectory }: { readonly root: string; readonly userDirectory: string },
): string {
  if (file.startsWith("~/")) return join(userDirectory, file.slice(2));
  return isAbsolute(file) ? file : resolve(root, file);
}
