/** Which of all configured servers are used: one per name, within the lists, and a project's only once approved. */
import type { McpScope, McpServer, UnusedServer } from "../server.ts";
import type { ReadServers } from "./read-servers.ts";
import { refuseServer, type ServerLists } from "./server-lists.ts";

export type ServerChoice = {
  /** Strongest first within a scope. */
  readonly found: readonly ReadServers[];
  readonly lists: ServerLists;
  /** Whether a person approved this very server of the project. */
  readonly isApproved: (server: McpServer) => boolean;
};

/** Strongest first; where the managed policy names servers, nothing else counts. */
const order: readonly McpScope[] = ["enterprise", "dynamic", "local", "project", "user", "plugin"];

export function chooseServers({ found, lists, isApproved }: ServerChoice): ReadServers {
  const candidates = found.flatMap(({ servers, unused }): readonly (McpServer | UnusedServer)[] => [
    ...servers,
    ...unused,
  ]);
  const isExclusive = candidates.some(({ scope }) => scope === "enterprise");
  const byStrength = candidates.toSorted((left, right) => order.indexOf(left.scope) - order.indexOf(right.scope));
  const servers: McpServer[] = [];
  const unused: UnusedServer[] = [];
  /** By name: one that is switched off, broken or unapproved keeps its name, so that no weaker one slips into its place. */
  const taken = new Map<string, string>();
  for (const candidate of byStrength) {
    const { name, scope, file } = candidate;
    const winner = taken.get(name);
    taken.set(name, winner ?? file);
    const leave = (reason: string) => unused.push({ name, scope, file, reason });
    if (isExclusive && scope !== "enterprise") leave("this machine's managed policy only allows its own servers");
    else if (winner !== undefined) leave(`overridden by a server of the same name from ${winner}`);
    else if ("reason" in candidate) unused.push(candidate);
    else {
      const twin = scope === "plugin" ? servers.find(({ signature }) => signature === candidate.signature) : undefined;
      const refusal = refuseServer(candidate, lists);
      if (twin !== undefined) leave(`${twin.name} is the same server`);
      else if (refusal !== undefined) leave(refusal);
      else if (needsApproval(scope) && !isApproved(candidate))
        unused.push({ name, scope, file, reason: "not approved", unapproved: candidate });
      else servers.push(candidate);
    }
  }
  return { servers: servers.sort(byName), unused: unused.sort(byName) };
}

/** What lies in the project's directory came with it, or may have. */
function needsApproval(scope: McpScope): boolean {
  return scope === "project" || scope === "local";
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : 1;
}
