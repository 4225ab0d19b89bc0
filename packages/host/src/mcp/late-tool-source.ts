/** Tools of servers whose code is loaded only after a session was opened: pending until then. */
import type { HubServer, ServerHub } from "@kedge/extend/mcp";
import type { OpenToolSource, ToolSource } from "@kedge/protocol";

export type LateHub = {
  /** Asked when a session is opened; it tells itself when nothing can be loaded, and gives nothing then. */
  readonly load: () => Promise<ServerHub | undefined>;
  /** Somebody waits for it. */
  readonly hurry: () => void;
};

export function lateToolSource(name: string, { load, hurry }: LateHub): ToolSource {
  return {
    name,
    kind: "mcp",
    open(session): OpenToolSource {
      const { tell, subscribe } = createListeners();
      let opened: OpenToolSource | undefined;
      let isOver = false;
      const loaded = load().then((hub) => {
        opened = hub?.find(name, session.sessionId)?.tools.source.open(session);
        opened?.subscribe?.(tell);
        isOver = true;
        tell();
      });
      return {
        tools: () => opened?.tools() ?? [],
        isPending: () => (opened === undefined ? !isOver : opened.isPending?.() === true),
        async settled() {
          hurry();
          await loaded;
          await opened?.settled?.();
        },
        whyMissing: (tool) => opened?.whyMissing?.(tool),
        subscribe,
      };
    },
  };
}

export type AddedServers = {
  /** Has a source of its own. */
  readonly isKnown: (name: string) => boolean;
  readonly whenLoaded: Promise<ServerHub>;
  /** Why a tool is missing whose server is configured and not used. */
  readonly whyUnused: (tool: string) => string | undefined;
};

/** Those that join while the session is open. */
export function addedToolSource({ isKnown, whenLoaded, whyUnused }: AddedServers): ToolSource {
  return {
    name: "MCP servers that were added",
    kind: "mcp",
    open(session): OpenToolSource {
      const { tell, subscribe } = createListeners();
      const opened = new Map<HubServer, OpenToolSource>();
      let hub: ServerHub | undefined;
      const take = () => {
        const added = hub?.servers(session.sessionId).filter(({ live }) => !isKnown(live.server.name)) ?? [];
        for (const server of added) {
          if (opened.has(server)) continue;
          const source = server.tools.source.open(session);
          source.subscribe?.(tell);
          opened.set(server, source);
        }
        for (const server of opened.keys()) if (!added.includes(server)) opened.delete(server);
        tell();
      };
      void whenLoaded.then((loaded) => {
        hub = loaded;
        loaded.onAdded(take);
        take();
      });
      const all = () => [...opened.values()];
      return {
        tools: () => all().flatMap((source) => source.tools()),
        isPending: () => all().some((source) => source.isPending?.() === true),
        settled: async () => void (await Promise.all(all().map((source) => source.settled?.()))),
        whyMissing: (tool) => all().flatMap((source) => source.whyMissing?.(tool) ?? [])[0] ?? whyUnused(tool),
        subscribe,
      };
    },
  };
}

function createListeners() {
  const listeners = new Set<() => void>();
  return {
    tell() {
      for (const listener of listeners) listener();
    },
    subscribe(changed: () => void) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}
