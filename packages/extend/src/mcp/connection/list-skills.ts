/** The skills of a server, with the digests of their files. */
import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import type { Skill } from "@modelcontextprotocol/client/ext/skills";
import { connectMs } from "./limits.ts";

export type ServerSkill = {
  readonly name: string;
  readonly description: string;
  /** Of the entry with the digests of all its files; undefined where its files may change at any time. */
  readonly version?: string;
  readonly entry: Skill;
};

const extension = "io.modelcontextprotocol/skills";
const skillsMax = 200;
const versionCharacters = 12;

/** Nothing of the extension is loaded for a server without it. One that is not as it must be costs itself alone. */
export async function listSkills(client: Client): Promise<readonly ServerSkill[]> {
  if (client.getServerCapabilities()?.extensions?.[extension] === undefined) return [];
  const { SkillsClient } = await import("@modelcontextprotocol/client/ext/skills");
  const { skills } = await new SkillsClient(client, { skipInvalid: true }).list({}, { timeout: connectMs });
  const byName = new Map<string, ServerSkill>();
  for (const entry of skills.slice(0, skillsMax)) {
    const { name, description } = entry.frontmatter;
    if (!byName.has(name)) byName.set(name, { name, description, entry, ...versionOf(entry) });
  }
  return [...byName.values()];
}

function versionOf(entry: Skill): Pick<ServerSkill, "version"> {
  if (entry.resources === "dynamic") return {};
  const digest = createHash("sha256").update(JSON.stringify([entry.uri, entry.frontmatter, entry.resources]));
  return { version: digest.digest("hex").slice(0, versionCharacters) };
}
