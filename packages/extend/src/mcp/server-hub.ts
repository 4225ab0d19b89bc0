/** All servers of one place of work: which there are, what they offer to sessions, and their common end. */
import type { ContextSource, ToolContext } from "@kedge/protocol";
import type { ConnectParts } from "./connection/connect-parts.ts";
import { localAtOnceMax, remoteAtOnceMax, taskFrontMs } from "./connection/limits.ts";
import { createLiveServer, type LiveServer, type LiveServerParts } from "./connection/live-server.ts";
import type { ServerChange } from "./connection/told-state.ts";
import { createTurnstile } from "./connection/turnstile.ts";
import { createElicitationDesk, type QuestionHooks } from "./offers/elicitation-desk.ts";
import { createInstructionsSource } from "./offers/instructions-source.ts";
import { createResourceWatch } from "./offers/resource-watch.ts";
import { type ServerPrompt, serverPrompts } from "./offers/server-prompts.ts";
import { isRemote, type McpServer } from "./server.ts";
import { createMcpTools, type McpTools } from "./tools/mcp-tool-source.ts";
import { createTaskNews } from "./tools/task-news.ts";
import { serverIds } from "./tools/tool-names.ts";

export type ServerHubParts = Pick<LiveServerParts, "now" | "later"> &
  Omit<ConnectParts, "log" | "listChanged" | "elicit" | "elicitationCompleted" | "resourceUpdated" | "taskUpdated"> & {
    /** What a server says, as it may be shown to a model. */
    readonly neutralise: (text: string) => string;
    readonly firstDigest: (server: McpServer, tool: string, digest: string) => string;
    readonly onNotice: (sentence: string) => void;
    /** How long a call that is a task is waited for before it becomes a job. */
    readonly taskFrontMs?: number;
    /** Opens a page in the browser of the person, who agreed to it; false where there is none. */
    readonly openPage: (url: URL) => Promise<boolean>;
    readonly questionHooks?: QuestionHooks | undefined;
    readonly onChanged: (live: LiveServer, what: ServerChange) => void;
  };

export type HubServer = {
  readonly live: LiveServer;
  /** Its name as part of the names of its tools and prompts. */
  readonly id: string;
  readonly tools: McpTools;
  /** The only session that has it; all have it without this. */
  readonly sessionId?: string;
};

export interface ServerHub {
  /** With the session's own ones, where a session is given; otherwise those that all sessions have. */
  servers(sessionId?: string): readonly HubServer[];
  find(name: string, sessionId?: string): HubServer | undefined;
  /** Takes the place of one of the same name. */
  add(server: McpServer, sessionId?: string): HubServer;
  remove(name: string, sessionId?: string): Promise<boolean>;
  newSources(sessionId: string): readonly ContextSource[];
  /** A session has read a resource, and is told when that changes. */
  resourceRead(live: LiveServer, uri: string, sessionId: string): void;
  prompts(): readonly ServerPrompt[];
  /** Told of every server that joins. */
  onAdded(listener: () => void): () => void;
  /** Ends all servers and waits for none of them. */
  close(): void;
}

export function createServerHub(servers: readonly McpServer[], parts: ServerHubParts): ServerHub {
  const turns = { local: createTurnstile(localAtOnceMax), remote: createTurnstile(remoteAtOnceMax) };
  const listeners = new Set<() => void>();
  const watch = createResourceWatch();
  const ids = new Map(serverIds(servers.map(({ name }) => name)));
  /** Two sessions may have servers of one name. */
  const hub = new Map<string, HubServer>();
  const keyOf = (name: string, sessionId?: string) => (sessionId === undefined ? name : `${sessionId} ${name}`);

  /** One that joins later gets an id that nobody has. */
  function idOf(name: string): string {
    const known = ids.get(name);
    if (known !== undefined) return known;
    const all = serverIds([...ids.keys(), name]);
    const taken = new Set(ids.values());
    let id = all.get(name) ?? name;
    for (let number = 2; taken.has(id); number += 1) id = `${all.get(name)}_${number}`;
    ids.set(name, id);
    return id;
  }

  function make(server: McpServer, sessionId?: string): HubServer {
    const { name } = server;
    const { onNotice: onDeclined, questionHooks: hooks, openPage } = parts;
    const desk = createElicitationDesk(name, { onDeclined, hooks, openPage });
    const turn = isRemote(server) ? turns.remote : turns.local;
    const news = createTaskNews();
    const live = createLiveServer(server, {
      ...{ ...parts, turn, elicit: desk.elicit, elicitationCompleted: desk.completed },
      ...{ taskUpdated: news.told, resourceUpdated: (uri: string) => watch.updated(name, uri) },
    });
    live.subscribe((what) => parts.onChanged(live, what));
    const id = idOf(name);
    const tools = createMcpTools({
      ...{ live, serverId: id, neutralise: parts.neutralise, onNotice: parts.onNotice },
      calls: {
        during: (context: ToolContext, work) => desk.during(context, work),
        ...{ visit: desk.visit, elicit: desk.elicit },
        tasks: { news, now: parts.now, frontMs: parts.taskFrontMs ?? taskFrontMs },
      },
      firstDigest: (tool, digest) => parts.firstDigest(server, tool, digest),
      onOpened: () => void live.connect(),
    });
    return { live, id, tools, ...(sessionId !== undefined && { sessionId }) };
  }

  /** One of the session stands before one of all sessions that has its name. */
  const of = (sessionId?: string) =>
    [...hub.values()].filter(({ sessionId: owner, live: { server } }) =>
      owner === undefined ? sessionId === undefined || !hub.has(keyOf(server.name, sessionId)) : owner === sessionId,
    );

  function add(server: McpServer, sessionId?: string): HubServer {
    const key = keyOf(server.name, sessionId);
    hub
      .get(key)
      ?.live.disconnect()
      .catch(() => undefined);
    const made = make(server, sessionId);
    hub.set(key, made);
    for (const listener of listeners) listener();
    return made;
  }

  for (const server of servers) hub.set(server.name, make(server));

  return {
    servers: of,
    find: (name, sessionId) => of(sessionId).find((each) => each.live.server.name === name || each.id === name),
    add,
    async remove(name, sessionId) {
      const key = keyOf(name, sessionId);
      const gone = hub.get(key);
      hub.delete(key);
      await gone?.live.disconnect();
      return gone !== undefined;
    },
    onAdded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    newSources: (sessionId) => [
      createInstructionsSource(() => of(sessionId).map(({ live }) => live)),
      watch.newSource(sessionId),
    ],
    resourceRead: watch.wasRead,
    prompts: () => of().flatMap(({ live, id }) => serverPrompts(live, id)),
    close() {
      for (const { live } of hub.values()) live.endAtOnce();
    },
  };
}
