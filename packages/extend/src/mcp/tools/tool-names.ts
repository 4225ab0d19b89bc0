/** The names under which models, rules and vendors know servers and their tools. */
import { createHash } from "node:crypto";

/** What every vendor takes. */
const wireCharactersMax = 64;
const digestCharacters = 6;

/** Ids of servers by name; two that are written alike are told apart by a number, in sorted order. */
export function serverIds(names: readonly string[]): ReadonlyMap<string, string> {
  return distinct(names, plainName);
}

/** Full names of the tools of one server, by their own name. `collided` has those that needed a number. */
export function toolNames(
  serverId: string,
  names: readonly string[],
): { readonly names: ReadonlyMap<string, string>; readonly collided: readonly string[] } {
  const nameOf = (name: string) => toolPrefix(serverId) + plainName(name);
  const made = distinct(names, nameOf);
  const collided = [...made].filter(([name, full]) => full !== nameOf(name));
  return { names: made, collided: collided.map(([name]) => name) };
}

/** What the names of all tools of a server begin with. */
export function toolPrefix(serverId: string): string {
  return `mcp__${serverId}__`;
}

/** The name in requests: one that is too long is cut and ends with a digest, so that it stays the same and its own. */
export function wireName(fullName: string): string {
  if (fullName.length <= wireCharactersMax) return fullName;
  const digest = createHash("sha256").update(fullName).digest("hex").slice(0, digestCharacters);
  return `${fullName.slice(0, wireCharactersMax - digestCharacters - 1)}_${digest}`;
}

function plainName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
}

/** Models write names in other cases, so these are no other names. */
function distinct(names: readonly string[], make: (name: string) => string): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const made = new Map<string, string>();
  for (const name of [...new Set(names)].sort()) {
    const plain = make(name);
    let unique = plain;
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) unique = `${plain}_${number}`;
    taken.add(unique.toLowerCase());
    made.set(name, unique);
  }
  return made;
}
