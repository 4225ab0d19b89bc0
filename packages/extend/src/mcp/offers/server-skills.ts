/** Skills of servers: listed with their digests, read only when somebody uses one, and checked against the list. */
import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import type { Skill } from "@modelcontextprotocol/client/ext/skills";
import { connectMs } from "../connection/limits.ts";
import type { LiveServer } from "../connection/live-server.ts";

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

export type SkillText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly sentence: string };

/** The instructions without their head, or a file beside them. */
export async function readSkill(
  live: LiveServer,
  { name, entry }: ServerSkill,
  { file, signal }: { readonly file?: string; readonly signal: AbortSignal },
): Promise<SkillText> {
  const { name: server } = live.server;
  const { SkillsClient, SkillVerificationError } = await import("@modelcontextprotocol/client/ext/skills");
  try {
    const used = await live.use(
      (client) => new SkillsClient(client).read(entry, file, { signal, timeout: connectMs }),
      () => true,
    );
    if (!used.ok) return { ok: false, sentence: `The MCP server ${server} cannot be reached now.` };
    const { text, body } = used.value;
    if (file === undefined) return { ok: true, text: body ?? text ?? "" };
    return text === undefined
      ? { ok: false, sentence: `${file} of the skill ${name} is not a text.` }
      : { ok: true, text };
  } catch (error) {
    if (error instanceof SkillVerificationError && error.reason === "unlisted")
      return { ok: false, sentence: `The skill ${name} has no such file.` };
    const isOther = error instanceof SkillVerificationError;
    const why = isOther ? "is not what the server announced" : "could not be read";
    return { ok: false, sentence: `The skill ${name} of the MCP server ${server} ${why}.` };
  }
}
