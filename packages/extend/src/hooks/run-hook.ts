/** Runs one hook, whatever its type, and reads its answer. */
import { isAbsolute, join } from "node:path";
import type { JsonObject } from "@kedge/protocol";
import type { Dialect } from "./dialects/dialect.ts";
import { dialects } from "./dialects/dialects.ts";
import { eventInput } from "./event-input.ts";
import type { Hook } from "./hook.ts";
import { type ReadAnswer, readCommandAnswer, readJsonAnswer } from "./hook-answer.ts";
import type { HookParts } from "./hook-parts.ts";
import { runCommand } from "./run-command.ts";
import { runServerTool } from "./run-server-tool.ts";

export type HookTurn = {
  readonly hook: Hook;
  /** In the names of Claude Code. */
  readonly event: JsonObject;
  readonly sessionId: string;
  readonly cwd: string;
  /** Less than the hook's own, where all hooks of an event share a limit. */
  readonly timeoutMs?: number;
};

/** As in Claude Code: what sets up a place of work may also set up the environment of its commands. */
const leavingVariables: ReadonlySet<string> = new Set(["SessionStart", "Setup", "CwdChanged", "FileChanged"]);

/** Never throws for reasons of the hook. */
export async function runHook(turn: HookTurn, parts: HookParts, signal: AbortSignal): Promise<ReadAnswer> {
  const { hook, sessionId } = turn;
  const { action } = hook;
  const dialect = dialects[hook.dialect];
  const transcript = hook.wantsTranscript ? await parts.writeTranscript(sessionId) : parts.transcriptPath(sessionId);
  const event = { ...turn.event, transcript_path: transcript, ...timeFor(dialect, parts) };
  const input = JSON.stringify(eventInput(event, { eventName: hook.eventName, dialect }));
  const timeoutMs = Math.min(hook.timeoutMs, turn.timeoutMs ?? hook.timeoutMs);
  switch (action.type) {
    case "command": {
      const changed = parts.changedScript(hook);
      if (changed !== undefined) {
        return { ok: false, problem: `${changed} changed since kedge started. Restart kedge to review it` };
      }
      const { environment, shellPath } = parts.place();
      const project = Object.fromEntries(dialect.projectVariables.map((name) => [name, parts.root]));
      const file = leavingVariables.has(hook.event) ? parts.environmentFile?.() : undefined;
      const left = file === undefined ? {} : { CLAUDE_ENV_FILE: file.path, KEDGE_ENV_FILE: file.path };
      const ran = await runCommand(
        {
          action,
          input: `${input}\n`,
          timeoutMs,
          cwd: directoryOf(action.cwd, turn, parts),
          environment: { ...environment, ...action.environment, ...project, KEDGE_PROJECT_DIR: parts.root, ...left },
          shellPath,
        },
        signal,
      );
      file?.take(hook);
      return ran.ok ? readCommandAnswer(hook, ran) : ran;
    }
    case "http": {
      if (parts.isHeadless && (hook.event === "SessionStart" || hook.event === "Setup")) {
        return { ok: false, problem: `HTTP hooks of ${hook.event} do not run headless` };
      }
      // Every run loads what stands at the top of this file, and few hooks need TLS.
      const { runRequest } = await import("./run-request.ts");
      const variable = (name: string) => parts.request.variable(name, hook.scope);
      const answered = await runRequest({ action, input, timeoutMs }, { ...parts.request, variable }, signal);
      if (!answered.ok) return answered;
      const text = answered.text.trim();
      return text === "" ? { ok: true, answer: {} } : readJsonAnswer(hook, text);
    }
    case "mcp_tool": {
      if (parts.callServerTool === undefined) return { ok: false, problem: "no MCP server is configured" };
      const seen = eventInput(event, { eventName: hook.eventName, dialect });
      return runServerTool({ hook, action, event: seen, timeoutMs }, parts.callServerTool, signal);
    }
    case "prompt":
    case "agent": {
      const { type: kind, model } = action;
      const prompt = action.prompt.includes("$ARGUMENTS")
        ? action.prompt.replaceAll("$ARGUMENTS", () => input)
        : `${action.prompt}\n\n${input}`;
      const question = { kind, prompt, sessionId, timeoutMs, ...(model !== undefined && { model }) };
      const verdict = await parts.askModel(question, signal);
      if (!verdict.ok) return verdict;
      const reason = verdict.reason ?? "no reason given";
      return { ok: true, answer: verdict.isGood ? {} : { decision: "deny", reason } };
    }
  }
}

function timeFor({ timestamp }: Dialect, { now }: HookParts): JsonObject {
  if (timestamp === undefined) return {};
  return { timestamp: timestamp === "date" ? new Date(now()).toISOString() : now() };
}

function directoryOf(given: string | undefined, { cwd }: HookTurn, { root }: HookParts): string {
  if (given === undefined) return cwd;
  return isAbsolute(given) ? given : join(root, given);
}
