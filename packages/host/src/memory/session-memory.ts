/** What memory adds to sessions: sources of context, the phase that takes over what agents write, and one rule. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Engine, judge } from "@kedge/engine";
import {
  cleanText,
  createDailyLogSources,
  createIndexSource,
  createMemoryPhase,
  createNotesSource,
  createPromptWatch,
  createProvenancePhase,
  createRecalledNotes,
  createSaveRulesSource,
  createTeamSource,
  isTopicPath,
  type MemoryEvent,
  type MemoryStore,
  teamFolder,
} from "@kedge/memory/topics";
import { type CallPhase, type ContextSource, type RuleSet, reasonOf, type SessionState } from "@kedge/protocol";
import type { ConsolidationEnd } from "./background/consolidate-topics.ts";
import { type FollowedSessions, followSessions } from "./background/follow-sessions.ts";
import type { UpkeepParts } from "./background/upkeep-parts.ts";
import { localTime } from "./local-time.ts";
import type { BackgroundSettings, MemorySettings } from "./memory-settings.ts";

export type SessionMemory = {
  /** After those of instructions. One index per session, because each tells its own version. */
  readonly newSources: () => readonly ContextSource[];
  readonly callPhases: readonly CallPhase[];
  /** Topics may be read although they lie outside of the workspace. */
  readonly rules: readonly RuleSet[];
  readonly isTopicPath: (path: string) => boolean;
  /** Takes back what was saved for prompts that the user undoes, recalls for prompts, and learns from turns. */
  follow(engine: FollowedEngine, worker: UpkeepNeeds): void;
  /** A plugin remembers in the place of recall, for the prompt that is about to be answered. */
  readonly replaceRecall: (sessionId: string) => void;
  /** Tidies up at once. Undefined where nothing looks after memory: a run that nobody talks to. */
  consolidate(sessionId: string, options: { readonly isTrial: boolean }): Promise<ConsolidationEnd> | undefined;
  /** While the sessions are still open: gives what is learned a few seconds, and waits for what is being taken back. */
  close(): Promise<void>;
};

type FollowedEngine = Pick<Engine, "subscribeAll" | "openSessions">;

/** What only somebody who knows the engine can give. */
export type UpkeepNeeds = Pick<
  UpkeepParts,
  "workerEngine" | "sessionsSince" | "isInside" | "process" | "nonceOf" | "onNotice"
>;

export type SessionMemoryParts = {
  readonly store: MemoryStore;
  readonly redact: (text: string) => string;
  readonly now: () => number;
  /** Those of every source, as they are by now. */
  readonly rules: () => readonly RuleSet[];
  readonly workspace: { readonly cwd: string; readonly root: string; readonly home: string };
  /** Given where the repository brings memory that the user wants to see. */
  readonly isTrusted?: () => boolean;
  readonly settings: MemorySettings;
  readonly background: BackgroundSettings;
  /** Whether anything is recalled and learned beside what the agent does by itself. */
  readonly isLearning: boolean;
  /** Tells what was saved from now on. */
  readonly hear: (listener: (event: MemoryEvent) => void) => void;
};

export function createSessionMemory(parts: SessionMemoryParts): SessionMemory {
  const { store, redact, now, rules, workspace, isTrusted, settings, background } = parts;
  const { directory } = store;
  const clean = (text: string) => cleanText(text, redact);
  const teamDirectory = join(workspace.root, teamFolder);
  const watch = createPromptWatch();
  const recalled = createRecalledNotes();
  let undoing = Promise.resolve();
  let followed: FollowedSessions | undefined;
  let stateOf: (sessionId: string) => Readonly<SessionState> | undefined = () => undefined;
  makeDirectory(directory);

  /** As if the file lay in the workspace: then nothing but a rule can want a question. */
  function isTightened(path: string): boolean {
    const need = { permission: "edit", patterns: [path], always: [], access: "write", paths: [path] } as const;
    const { cwd, root, home } = workspace;
    const lookAtPath = () => ({ place: "inside", otherNames: [] }) as const;
    const call = { tool: "write", needs: [need], readOnly: false, cwd };
    const verdict = judge(call, { rules: rules(), grants: [], mode: "default", lookAtPath, root, home });
    return verdict.verdict === "deny" || (verdict.verdict === "ask" && verdict.rules.length > 0);
  }

  const sourceOf = (sessionId: string, text: string) => {
    const group = watch.groupOf(sessionId);
    const origin = watch.isAsked(sessionId, text) ? "user-stated" : "agent-inferred";
    return { origin, sessionId, ...(group !== undefined && { group }) } as const;
  };

  return {
    newSources: () => [
      createIndexSource({ directory, clean }),
      ...(isTrusted === undefined ? [] : [createTeamSource({ directory: teamDirectory, clean, isTrusted })]),
      watch.source,
      createSaveRulesSource(directory),
      ...(settings.dailyLog ? createDailyLogSources({ directory, today: () => localTime(now()).day }) : []),
      ...(parts.isLearning ? [createNotesSource({ directory, clean })] : []),
      ...(parts.isLearning && settings.recall ? [recalled.source] : []),
    ],
    callPhases: [
      createMemoryPhase({ store, clean, now, isTightened, sourceOf }),
      createProvenancePhase({ directory, cwd: workspace.cwd, stateOf: (sessionId) => stateOf(sessionId) }),
    ],
    rules: readingRules(directory),
    isTopicPath: (path) => isTopicPath(path, directory),
    replaceRecall: recalled.replace,
    follow(engine, needs) {
      const { onNotice } = needs;
      stateOf = (sessionId) => engine.openSessions().find(({ state }) => state.sessionId === sessionId)?.state;
      if (parts.isLearning) {
        const own = { store, recalled, settings, background, clean, now, cwd: workspace.cwd, root: workspace.root };
        const sessions = followSessions({ ...own, ...needs, engine });
        followed = sessions;
        parts.hear((event) => sessions.heard(event));
      }
      const undoAll = async (groups: readonly string[]) => {
        for (;;) {
          const undone = await store.undo({ groups });
          if (!undone.ok) {
            if (undone.reason === "changed") onNotice(`Could not undo memory changes. ${undone.problem}`);
            return;
          }
          onNotice(`Memory: undone ${undone.paths.join(", ")}.`);
        }
      };
      engine.subscribeAll((sessionId, event) => {
        if (event.kind !== "fact" || event.record.fact.type !== "session.reverted") return;
        const groups = watch.groupsSince(sessionId, event.record.fact.promptId);
        undoing = undoAll(groups).catch((error: unknown) =>
          onNotice(`Could not undo memory changes: ${reasonOf(error)}.`),
        );
      });
    },
    consolidate: (sessionId, options) => followed?.consolidate(sessionId, options),
    async close() {
      await followed?.close();
      await undoing;
    },
  };
}

/** The model is told that it exists. Where it cannot be made, the model's own write says so. */
function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/** The folder itself and nothing below it: what waits for the user is not for the model. */
function readingRules(directory: string): readonly RuleSet[] {
  // A path that would be read as a pattern gets no rule; reading then asks.
  if (/[*?]/.test(directory)) return [];
  const rule = { permission: "external_directory", pattern: directory, action: "allow" } as const;
  return [{ source: "builtin", rules: [rule] }];
}
