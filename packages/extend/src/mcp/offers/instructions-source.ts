/** What servers tell models about themselves, as data: each once, when it has connected. */
import { createHash } from "node:crypto";
import type { ContextBlock, ContextSource } from "@kedge/protocol";
import type { LiveServer } from "../connection/live-server.ts";

const tokensMax = 8_000;

/** `servers` are those of the session. */
export function createInstructionsSource(servers: () => readonly LiveServer[]): ContextSource {
  const known = new Map<string, ContextBlock>();
  return {
    name: "MCP servers",
    kind: "data",
    place: "head",
    tokensMax,
    read: () =>
      servers().flatMap((live) => {
        const { instructions } = live.offers();
        const { name } = live.server;
        // What was said stays said; a server that comes back with the same words says nothing new.
        if (instructions === "") return known.get(name) ?? [];
        const block = known.get(name);
        if (block?.text === instructions) return block;
        const hash = createHash("sha256").update(instructions).digest("hex").slice(0, 16);
        const made: ContextBlock = { text: instructions, origin: name, hash, note: "instructions of the server" };
        known.set(name, made);
        return made;
      }),
  };
}
