/** Tells every open session what becomes of MCP servers and language servers, for whoever shows their state. */
import type { Engine } from "@kedge/engine";
import { type Event, type Fact, isDelta, type ServerSignal } from "@kedge/protocol";
import type { OpenedLanguageServers } from "../lsp/open-language-servers.ts";
import type { OpenedMcp } from "../mcp/open-mcp.ts";

export type ToldServers = {
  readonly mcp: Pick<OpenedMcp, "subscribe" | "loaded" | "asked" | "answered"> | undefined;
  readonly languages: Pick<OpenedLanguageServers, "subscribe">;
};

export function tellServers(
  engine: Pick<Engine, "openSessions" | "subscribeAll">,
  { mcp, languages }: ToldServers,
): void {
  if (mcp !== undefined) {
    const leave = engine.subscribeAll((_, event) => {
      if (event.kind !== "signal" && event.record.fact.type === "prompt.admitted") mcp.asked();
      if (!isAnswer(event)) return;
      leave();
      mcp.answered();
    });
  }
  const tell = (signal: ServerSignal) => {
    for (const session of engine.openSessions()) session.tell(signal);
  };
  mcp?.subscribe((server, what) => {
    const found = mcp.loaded()?.find(server);
    if (found === undefined) return;
    if (what !== "state") return tell({ type: "mcp.tools.changed", server, what, changed: found.tools.changed() });
    const now = found.live.state();
    const reason = now.state === "failed" ? now.error : now.state === "disabled" ? now.reason : undefined;
    tell({ type: "mcp.status", server, state: now.state, ...(reason !== undefined && { reason }) });
  });
  languages.subscribe((server, state) => tell({ type: "lsp.updated", server, state }));
}

/** What ends a prompt without one counts as well: nothing is made any more that would have to go before. */
const answers: readonly Fact["type"][] = ["step.ended", "run.ended", "command.ran"];

function isAnswer(event: Event): boolean {
  return event.kind === "signal" ? isDelta(event.signal) : answers.includes(event.record.fact.type);
}
