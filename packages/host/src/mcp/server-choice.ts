/** Which servers are used here, as long as this runs: by the captured files, what the user approves, and what is added. */
import { type McpServer, type ReadServers, readServers } from "@kedge/extend/mcp-servers";
import { childEnvironment } from "@kedge/sandbox";
import type { Approvals } from "./approvals.ts";
import { chosenServers } from "./chosen-servers.ts";
import type { OpenMcpParts } from "./mcp-parts.ts";

export type ServerChoice = {
  readonly chosen: () => ReadServers;
  /** The server, if it was waiting for the user's word. */
  readonly approve: (name: string) => McpServer | undefined;
  /** For all sessions, unless it is for one alone; a text says why it is not used. */
  readonly add: (name: string, fields: unknown, isForOne: boolean) => McpServer | string;
  readonly remove: (name: string) => void;
};

export function createServerChoice(
  parts: OpenMcpParts,
  approvals: Pick<Approvals, "approve" | "isApproved">,
): ServerChoice {
  const { captured, project, userDirectory, environment } = parts;
  let dynamic = parts.dynamic ?? [];
  const choose = () =>
    chosenServers({
      ...{ captured, environment, userDirectory, projectRoot: project.root },
      dynamic,
      isApproved: ({ name, signature }) => approvals.isApproved(name, signature),
      scrubbed: () => childEnvironment(environment, { scrub: true, ...parts.env }),
    });
  let chosen = choose();
  return {
    chosen: () => chosen,
    approve(name) {
      const waiting = chosen.unused.find((each) => each.name === name && each.unapproved !== undefined)?.unapproved;
      if (waiting === undefined) return undefined;
      approvals.approve(name, waiting.signature);
      chosen = choose();
      return waiting;
    },
    add(name, fields, isForOne) {
      const read = readServers({ [name]: fields }, { scope: "dynamic", file: "added", variable: () => undefined });
      const [server] = read.servers;
      if (server === undefined) return read.unused[0]?.reason ?? "it is not a server";
      const before = dynamic;
      dynamic = [server, ...before.filter((each) => each.name !== name)];
      const next = choose();
      const refusal = next.unused.find((each) => each.name === name && each.scope === "dynamic");
      if (refusal !== undefined || isForOne) dynamic = before;
      if (refusal !== undefined) return refusal.reason;
      if (!isForOne) chosen = next;
      return server;
    },
    remove(name) {
      dynamic = dynamic.filter((each) => each.name !== name);
      chosen = choose();
    },
  };
}
