/** Skills of servers: read only when somebody uses one, and checked against the list. */

import { connectMs } from "../connection/limits.ts";
import type { ServerSkill } from "../connection/list-skills.ts";
import type { LiveServer } from "../connection/live-server.ts";

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
