/** The tools of a server whose code is loaded only after a session was opened: pending until then. */
import type { ServerHub } from "@kedge/extend/mcp";
import type { OpenToolSource, ToolSource } from "@kedge/protocol";

/** `load` is asked when a session is opened; it tells itself when nothing can be loaded, and gives nothing then. */
export function lateToolSource(name: string, load: () => Promise<ServerHub | undefined>): ToolSource {
  return {
    name,
    kind: "mcp",
    open(session): OpenToolSource {
      const listeners = new Set<() => void>();
      let opened: OpenToolSource | undefined;
      let isOver = false;
      const tell = () => {
        for (const listener of listeners) listener();
      };
      const loaded = load().then((hub) => {
        opened = hub?.find(name)?.tools.source.open(session);
        opened?.subscribe?.(tell);
        isOver = true;
        tell();
      });
      return {
        settled: async () => {
          await loaded;
          await opened?.settled?.();
        },
        tools: () => opened?.tools() ?? [],
        isPending: () => (opened === undefined ? !isOver : opened.isPending?.() === true),
        subscribe(changed) {
          listeners.add(changed);
          return () => listeners.delete(changed);
        },
      };
    },
  };
}
