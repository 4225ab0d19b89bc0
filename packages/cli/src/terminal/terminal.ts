/** `kedge` in a terminal: the screen here, the engine in a thread beside it. */
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { findProject, homeDirectory } from "@kedge/host";
import { type Client, type PermissionMode, type Scope, stripTerminalControls } from "@kedge/protocol";
import type { EngineListener, EngineUp, TakeUpWish, TuiEngine } from "@kedge/tui";
import type { Flags } from "../arguments/flags.ts";
import type { createStatusCommand } from "../commands/status-command.ts";
import { onEndSignal } from "../end-signals.ts";
import { holdOutput } from "../engine-thread/held-output.ts";
import { startEngineThread } from "../engine-thread/start-engine-thread.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { expectedModel } from "../opening/expected-model.ts";
import { readSurroundings, type Surroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { startEngineWorker } from "../start/engine-worker.ts";
import { ignoreStage, type PassStage } from "../start/startup-stages.ts";
import { terminalTexts } from "../texts/terminal.ts";
import { openTerminalFiles } from "./terminal-files.ts";

/** The exit code; or the demo, which the user wants to see next. */
export type TerminalEnd = number | "demo";

export type StartedTerminal = {
  readonly prompt: string;
  readonly flags: Flags;
  readonly passStage: PassStage;
  /** The thread of the engine, where it was started already. */
  readonly worker?: Worker;
};

export async function runTerminal({ prompt, flags, passStage, worker }: StartedTerminal): Promise<TerminalEnd> {
  const surroundings = readSurroundings();
  if (surroundings.cwd === "") {
    writeNotice(terminalTexts.noDirectory);
    return exitCodes.error;
  }
  // Before the screen is loaded, so that both come up side by side.
  const thread = worker ?? startEngineWorker(join(import.meta.dirname, "kedge.js"));
  using _held = holdOutput(thread);
  const engine = startEngine(flags, surroundings, thread);
  passStage("engine thread");
  return await showScreen({ engine, isLocal: true, prompt, flags, surroundings, passStage });
}

export type AttachedTerminal = {
  readonly client: Client;
  readonly directory: string;
  readonly mode: PermissionMode;
  readonly scope: Scope;
  readonly session: NonNullable<EngineUp["session"]>;
  readonly flags: Flags;
  readonly surroundings: Surroundings;
  /** Resolves with the reason when the session is no longer shown. */
  readonly ended?: Promise<string | undefined>;
};

/** The screen over an engine that runs in a server. */
export function runAttachedTerminal(attached: AttachedTerminal): Promise<TerminalEnd> {
  const { client, directory, mode, scope, session, flags, surroundings } = attached;
  const gone = Promise.withResolvers<string | undefined>();
  void attached.ended?.then(gone.resolve);
  const engine: TuiEngine = {
    client,
    up: Promise.resolve({ ok: true, up: { directory, mode, scope, session, runOptions: {}, attachments: [] } }),
    gone: gone.promise,
    listen: () => {},
    close: async () => gone.resolve(undefined),
  };
  return showScreen({ engine, isLocal: false, prompt: "", flags, surroundings, passStage: ignoreStage });
}

type Showing = {
  readonly engine: TuiEngine;
  /** Whether its word about this machine is our own. */
  readonly isLocal: boolean;
  readonly prompt: string;
  readonly flags: Flags;
  readonly surroundings: Surroundings;
  readonly passStage: PassStage;
};

async function showScreen(showing: Showing): Promise<TerminalEnd> {
  const { engine, isLocal, prompt, flags, surroundings, passStage } = showing;
  const { cwd, environment, userDirectory } = surroundings;
  const { runTui } = await import("@kedge/tui");
  passStage("screen");
  const project = findProject(cwd);
  const home = homeDirectory(environment, userDirectory);
  const expected = isLocal ? expectedModel(flags, { home, root: project.root }) : undefined;
  const { exitCode, farewell, failure, isDemoWanted } = await runTui({
    engine,
    files: openTerminalFiles({ home, projectId: project.projectId, directory: project.cwd }),
    version,
    directory: project.cwd,
    userDirectory,
    environment,
    now: Date.now,
    prompt,
    ...(expected !== undefined && { expectedModel: expected }),
    ...(flags.pickSession === true && { pick: takeUpWish(flags) }),
    editText: async (text) => (await import("../console/edit-text.ts")).editText(text, environment),
    readClipboardImage: async () => (await import("./clipboard-image.ts")).readClipboardImage(environment),
    writeFile: async (path, text) => (await import("../commands/write-export.ts")).writeExport(project.cwd, path, text),
    writeReport: async (name, text) => (await import("../commands/write-export.ts")).writeReport(home, name, text),
    // A server cannot say that the user trusts this directory, and the command is run only where they do.
    ...(isLocal && {
      runStatusCommand: lateStatusCommand(environment),
    }),
    onReady: () => passStage("prompt ready"),
    onEndSignal,
  });
  if (failure !== undefined) writeDiagnostic(failureText(failure));
  if (farewell !== "") writeResult(`${stripTerminalControls(farewell)}\n`);
  return isDemoWanted ? "demo" : exitCode;
}

/** Loaded by the first status line that has a command. */
function lateStatusCommand(environment: Surroundings["environment"]) {
  let loading: Promise<ReturnType<typeof createStatusCommand>> | undefined;
  return async (command: string, input: string) => {
    loading ??= import("../commands/status-command.ts").then((late) => late.createStatusCommand(environment));
    return (await loading)(command, input);
  };
}

/** What the command line says of the session that is picked. */
function takeUpWish({ forkSession, skipPermissions, permissionMode, model }: Flags): TakeUpWish {
  const mode = skipPermissions ? "bypass" : permissionMode;
  return {
    ...(forkSession && { isForked: true }),
    ...(mode !== undefined && { mode }),
    ...(model !== undefined && { model }),
  };
}

/** What the engine asks and tells before somebody listens waits for the listener. */
function startEngine(flags: Flags, surroundings: Surroundings, worker: Worker): TuiEngine {
  const listening = Promise.withResolvers<EngineListener>();
  const thread = startEngineThread({
    worker,
    flags,
    surroundings,
    askForTrust: async (asked) => (await listening.promise).onTrustAsked(asked),
    onNotice: (sentence) => void listening.promise.then(({ onNotice }) => onNotice(sentence)),
  });
  return { ...thread, listen: (listener) => listening.resolve(listener) };
}
