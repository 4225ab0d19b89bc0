/** The program of a process in which code of others runs: it loads one file, and answers calls of its tools and hooks. */
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import type { Json, JsonObject } from "@kedge/protocol";
import type { LoadMessage, Work } from "../code-messages.ts";
import { openChildChannel } from "./child-channel.ts";
import { doWork } from "./child-work.ts";
import { collectExports, type FoundCode } from "./collect-exports.ts";
import { describeCode } from "./describe-code.ts";
import { guardModules } from "./module-hooks.ts";
import { createChildActions } from "./pending-actions.ts";
import { createPluginClient } from "./plugin-client.ts";
import { createRegisteredCode } from "./registered-code.ts";
import { createRunProgram, type RunProgram } from "./run-program.ts";
import { callFunction, runWorkflow } from "./run-workflow.ts";
import { createShell } from "./shell-template.ts";
import { createZodLoader, installStandIns, typebox } from "./stand-ins.ts";
import { createUi, type Wish } from "./tool-context.ts";

const logCharactersMax = 2_000;

const channel = openChildChannel();
const actions = createChildActions();
const running = new Map<number, AbortController>();
const wishes = new Map<number, (value: Json) => void>();
let wishCount = 0;
type Loaded = { readonly code: FoundCode; readonly exec: RunProgram; readonly hasUI: boolean; readonly around: object };
let loaded: Loaded | undefined;
let workflow: string | undefined;

function log(level: string, text: string): void {
  channel.send({ type: "log", level, text: text.slice(0, logCharactersMax) });
}

/** Nothing reaches the terminal from here: standard output and error lead nowhere. */
function redirectConsole(): void {
  for (const level of ["debug", "info", "log", "warn", "error", "trace"] as const) {
    console[level] = (...given: readonly unknown[]) => log(level, format(...given));
  }
}

const wishOf =
  (call: number): Wish =>
  (name, value) => {
    wishCount += 1;
    const id = wishCount;
    channel.send({ type: "wish", id, call, name, value });
    return new Promise((resolve) => wishes.set(id, resolve));
  };

async function load(message: LoadMessage): Promise<void> {
  const { file, zodUrl, place } = message;
  const { cwd, root, projectId, hasUI, data } = place;
  guardModules(message, (path, digest) => channel.send({ type: "module", path, digest }));
  const shell = createShell(cwd);
  const loadZod = createZodLoader(zodUrl);
  installStandIns(shell, loadZod);
  const exec = createRunProgram(cwd);
  const logger = Object.fromEntries(
    ["debug", "info", "warn", "error"].map((level) => [level, (...given: unknown[]) => log(level, format(...given))]),
  );
  const project = { id: projectId, worktree: root, vcs: "git" };
  const ui = createUi(hasUI, wishOf(0));
  const registered = createRegisteredCode({ cwd, hasUI, ui, isIdle: () => false });
  const api = {
    ...registered.api,
    ...{ cwd, root, exec, logger, hasUI, ui, data, typebox },
    ...{ client: createPluginClient({ log }), project, directory: cwd, worktree: root, $: shell },
    get z() {
      return loadZod();
    },
    get zod() {
      return loadZod();
    },
  };
  if (message.kind === "workflow" || message.kind === "function") {
    workflow = file;
    channel.send({ type: "loaded", manifest: { tools: [], hooks: [], notes: [] } });
    return;
  }
  try {
    const exports: { readonly [name: string]: unknown } = await import(pathToFileURL(file).href);
    const code = await collectExports(exports, { load: message, api, registered, loadZod });
    loaded = { code, exec, hasUI, around: { cwd, root, exec, logger, hasUI, ui, setUI: ui.setUI } };
    channel.send({ type: "loaded", manifest: await describeCode(code) });
  } catch (error) {
    channel.send({ type: "unloaded", problem: messageOf(error) });
  }
}

async function work(id: number, wanted: Work): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    if ((wanted.kind === "workflow" || wanted.kind === "function") && workflow !== undefined) {
      const stopped = new Promise<never>((_, reject) => {
        controller.signal.addEventListener("abort", () => reject(new Error("it was interrupted")));
      });
      const done =
        wanted.kind === "workflow"
          ? runWorkflow(workflow, wanted.args, wishOf(id))
          : callFunction(workflow, wanted.value);
      const value = await Promise.race([done, stopped]);
      channel.send({ type: "answer", id, value });
      return;
    }
    if (loaded === undefined) throw new Error("nothing is loaded");
    const { code, exec, hasUI } = loaded;
    const parts = { signal: controller.signal, exec, hasUI, wish: wishOf(id), actions };
    const value = await doWork(wanted, code, {
      ...parts,
      progress: (text) => channel.send({ type: "progress", id, text }),
    });
    channel.send({ type: "answer", id, value });
  } catch (error) {
    channel.send({ type: "threw", id, problem: messageOf(error), isBug: isBug(error) });
  } finally {
    running.delete(id);
  }
}

function tellSession(event: JsonObject): void {
  for (const { definition } of loaded?.code.tools.values() ?? []) {
    const { onSession } = definition;
    if (typeof onSession !== "function") continue;
    Promise.resolve()
      .then(() => Reflect.apply(onSession, definition, [event, loaded?.around ?? {}]))
      .catch((error: unknown) => log("error", `onSession: ${messageOf(error)}`));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the language throws was nobody's intention. */
function isBug(error: unknown): boolean {
  return [TypeError, ReferenceError, SyntaxError, RangeError, EvalError].some((kind) => error instanceof kind);
}

redirectConsole();
// A promise that nobody waits for, or a timer that throws, must not end a call that works.
process.on("uncaughtException", (error) => log("error", messageOf(error)));
process.on("unhandledRejection", (error) => log("error", messageOf(error)));
channel.listen((message) => {
  switch (message.type) {
    case "load":
      void load(message);
      break;
    case "work":
      void work(message.id, message.work);
      break;
    case "abort":
      running.get(message.id)?.abort();
      break;
    case "reply":
      wishes.get(message.id)?.(message.value);
      wishes.delete(message.id);
      break;
    case "session":
      tellSession(message.event);
      break;
  }
});
