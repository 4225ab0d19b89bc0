/** Handlers of the queries, by their types. */
import type { QueryAnswer, QueryOf, QueryType, Tool } from "@kedge/protocol";
import { listFormatters } from "../lsp/lsp-words.ts";
import { judgeWorkspace } from "../trust/workspace-trust.ts";
import { listAgentDefinitions, listAgents, readAgent } from "./agent-desk.ts";
import { listShares, readCollab } from "./collab-desk.ts";
import { findFiles, findText, listFiles, readFile } from "./file-desk.ts";
import { diffVcs, readVcs, statusOfFiles } from "./git-desk.ts";
import { findSymbols, listLanguageServers } from "./language-desk.ts";
import { readUsage, runDoctor } from "./machine-desk.ts";
import { findResources, listServers, readServer } from "./mcp-desk.ts";
import { listInbox } from "./memory-desk.ts";
import type { OpenDesk } from "./open-desk.ts";
import { findServers, listProviders } from "./provider-desk.ts";
import { listRules } from "./rule-desk.ts";
import { costSession } from "./session-cost.ts";
import { diffSession, exportSession, readMessage, readSession } from "./session-queries.ts";
import { listTasks, readTask } from "./task-desk.ts";

export type QueryHandlers = {
  readonly [Type in QueryType]: (
    desk: OpenDesk,
    query: QueryOf<Type>,
  ) => QueryAnswer<Type> | Promise<QueryAnswer<Type>>;
};

const logLinesDefault = 200;

export const queryHandlers: QueryHandlers = {
  "session.read": readSession,
  "session.status": ({ statuses }) => ({ ok: true, value: { sessions: statuses.all() } }),
  "session.diff": diffSession,
  "session.cost": costSession,
  "session.export": exportSession,
  "message.read": readMessage,
  "permission.list": ({ engine }) => ({
    ok: true,
    value: {
      requests: engine.openSessions().flatMap(({ state: { sessionId, permissionRequests } }) => {
        return [...permissionRequests.values()].map((request) => ({ ...request, sessionId }));
      }),
    },
  }),
  "question.list": ({ engine }) => ({
    ok: true,
    value: {
      requests: engine.openSessions().flatMap(({ state: { sessionId, questions } }) => {
        return [...questions].map(([requestId, asked]) => ({ sessionId, requestId, questions: asked }));
      }),
    },
  }),
  "rule.list": listRules,
  "memory.inbox": listInbox,
  "task.list": listTasks,
  "task.read": readTask,
  "agent.list": listAgents,
  "agent.read": readAgent,
  "agent.definitions": listAgentDefinitions,
  "collab.status": readCollab,
  "share.list": listShares,
  // A server answers it; whoever works in this process has no devices.
  "device.list": () => ({ ok: true, value: { devices: [] } }),
  "project.read": readProject,
  "path.read": ({ home, project: { cwd: directory, root } }) => {
    return { ok: true, value: { home: home.directory, data: home.data, directory, root } };
  },
  "vcs.read": readVcs,
  "vcs.diff": diffVcs,
  "file.read": readFile,
  "file.list": listFiles,
  "file.status": statusOfFiles,
  "text.find": findText,
  "file.find": findFiles,
  "symbol.find": findSymbols,
  "resource.find": findResources,
  "lsp.list": listLanguageServers,
  "formatter.list": ({ fileCare }) => ({ ok: true, value: { formatters: listFormatters(fileCare) } }),
  "command.list": async ({ commands }) => {
    const known = (await commands()).map(({ name, summary, argumentHint, parameters }) => ({
      ...{ name, summary },
      ...(argumentHint !== undefined && { argumentHint }),
      ...(parameters !== undefined && { parameters }),
    }));
    return { ok: true, value: { commands: known } };
  },
  "tool.list": ({ newTools }) => ({ ok: true, value: { tools: newTools().map(toolSummary) } }),
  "provider.list": (desk) => listProviders(desk.current(), desk.signIns),
  "server.find": (desk) => findServers(desk.current()),
  "usage.read": readUsage,
  "doctor.run": (desk) => runDoctor(desk.current()),
  "mcp.list": listServers,
  "mcp.read": readServer,
  "config.read": ({ liveSettings }) => liveSettings.read(),
  "pty.list": ({ terminals }) => terminals.list(),
  "pty.read": ({ terminals }, { ptyId }) => terminals.read(ptyId),
  "log.read": ({ log }, { limit = logLinesDefault }) => ({ ok: true, value: { lines: log.newest(limit) } }),
};

function readProject(desk: OpenDesk): QueryAnswer<"project.read"> {
  const { home, userDirectory, now, liveSettings } = desk;
  const { cwd: directory, root, projectId, isGitRepository } = desk.project;
  const { state } = judgeWorkspace({ home, root, userDirectory, now });
  const { model, mode = "default" } = liveSettings.current();
  const isTrusted = state === "trusted" || state === "nothing";
  const place = { projectId, directory, root, isGitRepository, isTrusted };
  return { ok: true, value: { ...place, ...(model !== undefined && { model }), mode } };
}

function toolSummary({ name, description, inputSchema }: Tool) {
  return { name, description, inputSchema };
}
