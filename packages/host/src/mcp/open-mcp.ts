/** The MCP servers of this place of work: chosen at the start, loaded and connected once a session is open. */
import type { HubServer, ServerChange, ServerHub, ServerPrompt } from "@kedge/extend/mcp";
import type { McpServer, UnusedServer } from "@kedge/extend/mcp-servers";
import { type ContextSource, stripTerminalControls, type ToolSource } from "@kedge/protocol";
import { openApprovals } from "./approvals.ts";
import { hubParts } from "./hub-parts.ts";
import { addedToolSource, lateToolSource } from "./late-tool-source.ts";
import type { OpenMcpParts } from "./mcp-parts.ts";
import { quietLibrary } from "./quiet-library.ts";
import { createServerChoice } from "./server-choice.ts";
import { createServerLogs, readServerLog } from "./server-logs.ts";
import { createStartMoment } from "./start-moment.ts";

export interface OpenedMcp {
  /** Those that are used, by configuration. */
  servers(): readonly McpServer[];
  unused(): readonly UnusedServer[];
  toolSources(): readonly ToolSource[];
  newSources(sessionId: string): readonly ContextSource[];
  /** A first request is being made, which goes before however long it takes. */
  asked(): void;
  /** The model answers the first request: nothing is held up any more. */
  answered(): void;
  /** Loads the code of the protocol with the first wish; connects to nothing by itself. */
  hub(): Promise<ServerHub>;
  /** Undefined while nothing was loaded. */
  loaded(): ServerHub | undefined;
  prompts(): readonly ServerPrompt[];
  /** The user approves a server of the project as it is now; false where there is none that waits for it. */
  approve(name: string): Promise<boolean>;
  /** The user has seen what the tools of a server say now. */
  acceptTools(server: HubServer): void;
  /** What it printed in this process or, where it has not run here, when it last ran. */
  logText(name: string): string | undefined;
  /** Begins a sign-in and says where the person continues; the server is connected again once it worked. */
  signIn(server: HubServer): Promise<string>;
  /** For as long as this runs, in all sessions or in one. The text says why it is not used. */
  add(name: string, fields: unknown, sessionId?: string): Promise<McpServer | string>;
  remove(name: string): Promise<boolean>;
  subscribe(changed: (name: string, what: ServerChange) => void): () => void;
  close(): void;
}

export function openMcp(parts: OpenMcpParts): OpenedMcp {
  const { home, project, environment, onNotice, redact } = parts;
  const approvals = openApprovals(home.directory, project.root);
  const choice = createServerChoice(parts, approvals);
  const logs = createServerLogs(home.directory, redact);
  const listeners = new Set<(name: string, what: ServerChange) => void>();
  const whenLoaded = Promise.withResolvers<ServerHub>();
  let loading: Promise<ServerHub> | undefined;
  let hub: ServerHub | undefined;
  let isClosed = false;
  const ending = new AbortController();
  const say = (sentence: string) => onNotice(stripTerminalControls(redact(sentence)));
  tellUnapproved(choice.chosen().unused, say);

  async function load(): Promise<ServerHub> {
    quietLibrary();
    const { createServerHub } = await import("@kedge/extend/mcp");
    const changed = (name: string, what: ServerChange) => {
      for (const listener of listeners) listener(name, what);
    };
    const made = createServerHub(choice.chosen().servers, hubParts(parts, { approvals, logs, say, changed }));
    hub = made;
    whenLoaded.resolve(made);
    if (isClosed) made.close();
    return made;
  }

  const wanted = () => {
    loading ??= load();
    return loading;
  };
  const start = createStartMoment();
  const soon = async () => {
    if (hub === undefined) await start.wait();
    if (isClosed) return undefined;
    try {
      return await wanted();
    } catch (error) {
      say(`MCP servers are unavailable: ${error instanceof Error ? error.message : String(error)}.`);
      return undefined;
    }
  };

  return {
    servers: () => choice.chosen().servers,
    unused: () => choice.chosen().unused,
    toolSources() {
      const names = new Set(choice.chosen().servers.map(({ name }) => name));
      const added = addedToolSource({
        isKnown: (name) => names.has(name),
        whenLoaded: whenLoaded.promise,
        whyUnused: (tool) => whyUnused(tool, choice.chosen().unused),
      });
      const late = { load: soon, hurry: start.hurry };
      return [...[...names].map((name) => lateToolSource(name, late)), added];
    },
    newSources(sessionId) {
      let sources: readonly ContextSource[] | undefined;
      const late = (at: number, told: Pick<ContextSource, "name" | "place">): ContextSource => ({
        ...{ ...told, kind: "data" },
        read(session) {
          sources ??= hub?.newSources(sessionId);
          return sources?.[at]?.read(session) ?? [];
        },
      });
      return [late(0, { name: "MCP servers", place: "head" }), late(1, { name: "MCP resources", place: "turn" })];
    },
    ...{ asked: start.asked, answered: start.answered },
    hub: wanted,
    loaded: () => hub,
    prompts: () => hub?.prompts() ?? [],
    async approve(name) {
      const approved = choice.approve(name);
      if (approved === undefined) return false;
      (await wanted()).add(approved);
      return true;
    },
    acceptTools({ live, tools }) {
      approvals.acceptTools(live.server.signature);
      tools.accept();
    },
    logText: (name) => {
      const text = hub?.find(name)?.live.log.text();
      return text === undefined || text === "" ? readServerLog(home.directory, name) : redact(text);
    },
    async signIn({ live }) {
      const { signInBeside } = await import("../mcp-sign-in/begin-sign-in.ts");
      return signInBeside(live, {
        ...{ home: home.directory, environment, now: parts.now, signal: ending.signal, say },
        ...(parts.network !== undefined && { network: parts.network }),
      });
    },
    async add(name, fields, sessionId) {
      const server = choice.add(name, fields, sessionId !== undefined);
      if (typeof server === "string") return server;
      const all = await wanted();
      // One that was only just loaded has it already.
      if (all.find(name, sessionId)?.live.server !== server) all.add(server, sessionId);
      return server;
    },
    async remove(name) {
      choice.remove(name);
      return (await wanted()).remove(name);
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    close() {
      isClosed = true;
      ending.abort();
      for (const { live } of hub?.servers() ?? []) logs.keep(live);
      hub?.close();
    },
  };
}

function whyUnused(tool: string, unused: readonly UnusedServer[]): string | undefined {
  const of = (name: string) => `mcp__${name.replaceAll(/[^\w-]/g, "_")}__`.toLowerCase();
  const found = unused.find(({ name }) => tool.toLowerCase().startsWith(of(name)));
  if (found === undefined) return undefined;
  const { name, reason, unapproved } = found;
  const next = unapproved === undefined ? `kedge mcp get ${name}` : `kedge mcp approve ${name}`;
  return stripTerminalControls(
    `The MCP server ${name} is not used: ${reason}. Tell the user to run: ${next}. Continue without it.`,
  );
}

function tellUnapproved(unused: readonly UnusedServer[], say: (sentence: string) => void): void {
  const names = unused.flatMap(({ name, unapproved }) => (unapproved === undefined ? [] : name));
  if (names.length === 0) return;
  const what = names.length === 1 ? `The project's MCP server ${names[0]} is` : `MCP servers of this project are`;
  say(`${what} waiting for your approval${names.length === 1 ? "" : ` (${names.join(", ")})`}: /mcp approve <name>.`);
}
