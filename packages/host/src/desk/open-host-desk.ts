/** Opens the desk of the host. Loaded when the first host command, query or stream comes. */
import {
  type CommandAnswer,
  type CommandOf,
  type HostCommand,
  type HostCommandType,
  notFound,
  type Query,
  type QueryAnswer,
  type QueryOf,
  type QueryType,
  refused,
} from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import { createEventHub } from "@kedge/server/events";
import { createTerminals } from "@kedge/server/terminals";
import { createConfigurationDesk, type SettingsChanged } from "../configuration/configuration-desk.ts";
import { loadPtyLibrary } from "../load-pty-library.ts";
import { judgeWorkspace } from "../trust/workspace-trust.ts";
import { findFiles, findText, listFiles, readFile } from "./file-desk.ts";
import { diffVcs, readVcs, statusOfFiles } from "./git-desk.ts";
import type { HostDesk, HostDeskParts } from "./host-desk.ts";
import { createLogLines } from "./log-lines.ts";
import { readUsage, runDoctor } from "./machine-desk.ts";
import { watchStatuses } from "./open-statuses.ts";
import { checkUsedKey, findServers, listProviders, removeKey, storeKey } from "./provider-desk.ts";
import { addRule, listRules, removeRule } from "./rule-desk.ts";
import { costSession, diffSession, exportSession, readMessage, readSession } from "./session-queries.ts";
import { createShellLines } from "./shell-lines.ts";
import { listTasks, readTask, stopTask } from "./task-desk.ts";

const logLinesDefault = 200;

export function openHostDesk(parts: HostDeskParts): HostDesk {
  const { engine, store, project, home, configuration } = parts;
  const statuses = watchStatuses(engine);
  const sessions = { ...parts, statuses };
  const lines = createShellLines(parts.runShellLine);
  const log = createLogLines(parts);
  const hub = createEventHub({
    ...{ engine, store, now: parts.now, boot: parts.holder.boot },
    ...{ directory: project.cwd, projectId: project.projectId },
    onFailure: (error) => log.write("error", `Events could not be read: ${String(error)}`),
  });
  const settings = createConfigurationDesk({ ...parts, apply: parts.applyConfiguration });
  const endWatch = settings.watch((changed) => log.write("info", changeText(changed)));
  const terminals = createTerminals({
    ...parts,
    load: loadPtyLibrary,
    isAllowed: configuration.server.pty,
    root: project.root,
    // Whoever uses them sits elsewhere, so that secrets of this machine stay out of them also when a person is here.
    environment: () => childEnvironment(parts.commandEnvironment(), { scrub: true, ...configuration.env }),
  });

  async function runCommand(command: CommandOf<"command.run">): Promise<CommandAnswer<"command.run">> {
    const { sessionId, name, arguments: given = "" } = command;
    if (!parts.localCommands.some((known) => known.name === name)) return notFound("command", `/${name}`);
    const text = `/${name} ${given}`.trimEnd();
    const prompt = { type: "prompt.submit", sessionId, text, delivery: "follow-up", options: {} } as const;
    const sent = await engine.send<"prompt.submit">(prompt);
    return sent.ok ? { ok: true, value: { runId: sent.value.runId } } : sent;
  }

  function hastenRetry({ sessionId }: CommandOf<"retry.hasten">): CommandAnswer<"retry.hasten"> {
    if (!parts.hastenRetry(sessionId)) return notFound("vendor that is waited for in session", sessionId);
    statuses.endRetry(sessionId);
    return { ok: true, value: {} };
  }

  async function answerCommand(command: HostCommand): Promise<CommandAnswer<HostCommandType>> {
    switch (command.type) {
      case "command.run":
        return runCommand(command);
      case "shell.run":
        return lines.run(command);
      case "shell.abort":
        return lines.abort(command.sessionId);
      case "credential.set":
        return storeKey(parts, command);
      case "credential.remove":
        return removeKey(parts, command);
      case "credential.check":
        return checkUsedKey({ ...parts, configuration: settings.current() }, command);
      case "retry.hasten":
        return hastenRetry(command);
      case "rule.add":
        return addRule(parts, command);
      case "rule.remove":
        return removeRule(parts, command);
      case "pty.open":
        return terminals.open(command);
      case "pty.close":
        return terminals.close(command.ptyId);
      case "task.stop":
        return stopTask(parts, command);
      case "log.write":
        log.write(command.level, command.text);
        return { ok: true, value: {} };
      case "config.set": {
        const { layer, key, value } = command;
        return settings.set({ layer, key, ...(value !== null && { value }) });
      }
      case "config.reload":
        return settings.reload();
      case "instance.dispose":
      case "ticket.issue":
      case "code.issue":
        return refused("Only a server has instances, tickets and codes.");
    }
  }

  async function answerQuery(query: Query): Promise<QueryAnswer<QueryType>> {
    switch (query.type) {
      case "session.read":
        return readSession(sessions, query);
      case "session.status":
        return { ok: true, value: { sessions: statuses.all() } };
      case "session.diff":
        return diffSession(sessions, query);
      case "session.cost":
        return costSession(sessions, query);
      case "session.export":
        return exportSession(sessions, query);
      case "message.read":
        return readMessage(sessions, query);
      case "permission.list":
        return { ok: true, value: { requests: pendingPermissions() } };
      case "question.list":
        return { ok: true, value: { requests: pendingQuestions() } };
      case "rule.list":
        return listRules(parts);
      case "project.read":
        return readProject();
      case "path.read": {
        const { cwd: directory, root } = project;
        return { ok: true, value: { home: home.directory, data: home.data, directory, root } };
      }
      case "provider.list":
        return listProviders({ ...parts, configuration: settings.current() });
      case "server.find":
        return findServers({ ...parts, configuration: settings.current() });
      case "usage.read":
        return readUsage(parts, query);
      case "doctor.run":
        return runDoctor({ ...parts, configuration: settings.current() });
      case "command.list":
        return { ok: true, value: { commands: parts.localCommands.map(({ name, summary }) => ({ name, summary })) } };
      case "tool.list":
        return { ok: true, value: { tools: parts.newTools().map(toolSummary) } };
      case "pty.list":
        return terminals.list();
      case "pty.read":
        return terminals.read(query.ptyId);
      case "task.list":
        return listTasks(parts, query);
      case "task.read":
        return readTask(parts, query);
      case "log.read":
        return { ok: true, value: { lines: log.newest(query.limit ?? logLinesDefault) } };
      case "vcs.read":
        return readVcs(parts);
      case "vcs.diff":
        return diffVcs(parts);
      case "file.read":
        return readFile(parts, query);
      case "file.list":
        return listFiles(parts, query);
      case "file.status":
        return statusOfFiles(parts);
      case "text.find":
        return findText(parts, query);
      case "file.find":
        return findFiles(parts, query);
      case "config.read":
        return settings.read();
    }
  }

  function pendingPermissions() {
    return engine
      .openSessions()
      .flatMap(({ state }) =>
        [...state.permissionRequests.values()].map((request) => ({ ...request, sessionId: state.sessionId })),
      );
  }

  function pendingQuestions() {
    return engine
      .openSessions()
      .flatMap(({ state: { sessionId, questions } }) =>
        [...questions].map(([requestId, asked]) => ({ sessionId, requestId, questions: asked })),
      );
  }

  function readProject(): QueryAnswer<"project.read"> {
    const { cwd: directory, root, projectId, isGitRepository } = project;
    const { state } = judgeWorkspace({ home, root, userDirectory: parts.userDirectory, now: parts.now });
    const { model, mode = "default" } = settings.current();
    const place = {
      projectId,
      directory,
      root,
      isGitRepository,
      isTrusted: state === "trusted" || state === "nothing",
    };
    return { ok: true, value: { ...place, ...(model !== undefined && { model }), mode } };
  }

  return {
    terminals,
    events: hub,
    send: answerCommand,
    async ask<Type extends QueryType>(query: QueryOf<Type>): Promise<QueryAnswer<Type>> {
      // The answer belongs to the query by the cases above; the compiler cannot follow the union through them.
      return (await answerQuery(query as Query)) as QueryAnswer<Type>;
    },
    async close() {
      await hub.close();
      endWatch();
      statuses.close();
      lines.close();
      await terminals.closeAll();
    },
  };
}

function changeText({ applied, waiting, warnings }: SettingsChanged): string {
  return [
    ...(applied.length > 0 ? [`Settings changed: ${applied.join(", ")}.`] : []),
    ...(waiting.length > 0
      ? [`Settings changed and left as they were: ${waiting.join(", ")}. Read them again, or start anew.`]
      : []),
    ...warnings.map((warning) => `${warning}.`),
  ].join(" ");
}

function toolSummary({ name, description, inputSchema }: ReturnType<HostDeskParts["newTools"]>[number]) {
  return { name, description, inputSchema };
}
