/** What the servers of a place of work are given: of the machine, of approvals, and of people. */
import type { LiveServer, ServerChange, ServerHubParts } from "@kedge/extend/mcp";
import type { McpServer } from "@kedge/extend/mcp-servers";
import { neutraliseText } from "@kedge/memory";
import type { Approvals } from "./approvals.ts";
import type { OpenMcpParts } from "./mcp-parts.ts";
import { type AddressJudge, createAddressJudge } from "./server-addresses.ts";
import type { ServerLogs } from "./server-logs.ts";

export type HubSurroundings = {
  readonly approvals: Pick<Approvals, "firstDigest">;
  readonly logs: ServerLogs;
  readonly say: (sentence: string) => void;
  readonly changed: (name: string, what: ServerChange) => void;
};

export function hubParts(parts: OpenMcpParts, { approvals, logs, say, changed }: HubSurroundings): ServerHubParts {
  const judges = new WeakMap<McpServer, AddressJudge>();
  return {
    clientInfo: { name: "kedge", version: parts.kedgeVersion },
    environment: parts.serverEnvironment,
    cwd: parts.project.cwd,
    refuseAddress(server, url, addresses) {
      const judge = judges.get(server) ?? createAddressJudge(server);
      judges.set(server, judge);
      return judge(url, addresses);
    },
    ...(parts.network !== undefined && { network: parts.network }),
    ...(parts.authorize !== undefined && { authorize: parts.authorize }),
    questionHooks: parts.questionHooks,
    neutralise: (text) => neutraliseText(text, "web"),
    firstDigest: ({ signature }, tool, digest) => approvals.firstDigest(signature, tool, digest),
    onNotice: say,
    async openPage(url) {
      const { openBrowser } = await import("../machine/open-browser.ts");
      const isOpened = await openBrowser(url, { platform: process.platform, environment: parts.environment });
      // The question with the address is gone by now.
      if (!isOpened) say(`No browser can be opened here. Open ${url.href}`);
      return isOpened;
    },
    onChanged(live, what) {
      if (what === "state" && live.state().state === "failed") {
        logs.keep(live);
        say(failureSentence(live));
      }
      changed(live.server.name, what);
    },
    now: parts.now,
    later(work, delayMs) {
      const timer = setTimeout(work, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

function failureSentence({ server: { name }, state }: LiveServer): string {
  const now = state();
  const why = now.state === "failed" ? `: ${now.error}` : "";
  return `The MCP server ${name} failed${why}. Its log: kedge mcp logs ${name}.`;
}
