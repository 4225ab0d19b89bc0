/** `agent://`: the whole output of agents of the same tree, or one part of it where it is JSON. */
import type { AddressAnswer, AddressCaller, AddressScheme } from "@kedge/protocol";
import type { OpenedAgents } from "./open-agents.ts";

export function createAgentScheme(agents: OpenedAgents): AddressScheme {
  const known = async ({ sessionId }: AddressCaller) => agents.ofTree(sessionId);
  return {
    name: "agent",
    holds: "outputs of agents of this session",
    async read(address, caller) {
      const all = await known(caller);
      if (address === "") {
        const lines = all.map(({ agentId, name, description }) => `agent://${name ?? agentId}  ${description}`);
        return { ok: true, text: lines.join("\n") || "(agent:// is empty)", isForeign: true };
      }
      const parts = partsOf(address);
      if ("problem" in parts) return { ok: false, problem: parts.problem };
      const found = all.find(({ agentId, name }) => agentId === parts.id || name === parts.id);
      if (found === undefined) return missing(parts.id, all);
      const text = await agents.resultOf(found.agentId);
      return parts.path === undefined ? { ok: true, text, isForeign: true } : partOf(text, parts.id, parts.path);
    },
    names: async (caller) => (await known(caller)).map(({ agentId, name }) => name ?? agentId),
  };
}

type Parts = { readonly id: string; readonly path?: readonly string[] } | { readonly problem: string };

function partsOf(address: string): Parts {
  const [place = "", query] = address.split("?", 2);
  const [id = "", ...path] = place.split("/");
  const wanted = query === undefined ? undefined : new URLSearchParams(query).get("q");
  if (query !== undefined && wanted === null) return { problem: "Write ?q= and the part you want." };
  if (path.length > 0 && query !== undefined)
    return { problem: "Give a path or ?q=, not both: agent://name/items/0 or agent://name?q=items.0." };
  if (wanted !== undefined && wanted !== null) return { id, path: wanted.split(".").filter((key) => key !== "") };
  return path.length === 0 ? { id } : { id, path: path.filter((key) => key !== "").map(decoded) };
}

/** A key may hold a percent sign that encodes nothing. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return key;
  }
}

const listedMax = 20;

function missing(id: string, all: readonly { readonly agentId: string; readonly name?: string }[]): AddressAnswer {
  const names = all.slice(0, listedMax).map(({ agentId, name }) => name ?? agentId);
  return { ok: false, problem: `No agent ${id} here. Agents: ${names.join(", ") || "none"}.` };
}

function partOf(text: string, id: string, path: readonly string[]): AddressAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problem: `The output of ${id} is not JSON, so it has no parts. Read agent://${id}.` };
  }
  for (const key of path) {
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    if (!isThere) return { ok: false, problem: `The output of ${id} has no ${path.join(".")}.` };
    value = (value as { readonly [key: string]: unknown })[key];
  }
  return { ok: true, text: typeof value === "string" ? value : JSON.stringify(value, null, 2), isForeign: true };
}
