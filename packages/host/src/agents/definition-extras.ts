/** What a definition gives an agent besides its prompt: skills it begins with, and hooks for as long as it runs. */
import { createHash } from "node:crypto";
import type { AgentDefinition } from "@kedge/agents/definitions";
import type { HookSource } from "@kedge/extend/hooks";
import type { ContextBlock, ContextSource, JsonObject } from "@kedge/protocol";
import type { AgentEngine } from "./agent-parts.ts";

type ExtraParts = Pick<AgentEngine, "skills" | "attachHooks"> & { readonly onNotice: (sentence: string) => void };

const skillTokensMax = 20_000;

/** The texts of its skills, as they are written: nothing in them runs. */
export async function skillSources(
  { name, skills }: AgentDefinition,
  { skills: find, onNotice }: ExtraParts,
): Promise<readonly ContextSource[]> {
  if (skills.length === 0) return [];
  const { used } = await find();
  const blocks = skills.flatMap((wanted): readonly ContextBlock[] => {
    const found = used.find((skill) => skill.name === wanted);
    if (found === undefined) {
      onNotice(`Agent ${name} names the skill ${wanted}, which was not found. List skills with /skills.`);
      return [];
    }
    const text = `Skill ${found.name}:\n\n${found.body.trim()}`;
    return [{ text, origin: found.name, hash: createHash("sha256").update(text).digest("hex").slice(0, 16) }];
  });
  return [
    { name: "skills of the agent", kind: "instruction", place: "head", tokensMax: skillTokensMax, read: () => blocks },
  ];
}

export function attachHooksOf(
  { name, hooks, tier, file }: AgentDefinition,
  agentId: string,
  { attachHooks, onNotice }: ExtraParts,
): void {
  if (hooks === undefined) return;
  const scope = tier === "managed" || tier === "project" ? tier : "user";
  const source: HookSource = { dialect: "claude", scope, file: file ?? `agent ${name}`, hooks: ofAgent(hooks) };
  if (!attachHooks(agentId, source)) onNotice(`Hooks of agent ${name} do not run: hooks of definitions are off here.`);
}

/** The end of an agent is another event than the end of a session; a definition can only mean its own. */
function ofAgent({ Stop: stop, ...others }: JsonObject): JsonObject {
  if (!Array.isArray(stop)) return stop === undefined ? others : { ...others, Stop: stop };
  const own = others["SubagentStop"];
  return { ...others, SubagentStop: [...(Array.isArray(own) ? own : []), ...stop] };
}
