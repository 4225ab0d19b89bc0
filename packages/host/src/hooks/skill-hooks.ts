/** Hooks that a skill brings in its frontmatter, for as long as it runs. */
import { type Definition, nestedField } from "@kedge/extend/definitions";
import type { HookScope, HookSource } from "@kedge/extend/hooks";

/** Undefined where it brings none. Loads what reads nested fields only where there is something to read. */
export async function hooksOfSkill({ fields, file, place }: Definition): Promise<HookSource | undefined> {
  if (!fields.has("hooks")) return undefined;
  const hooks = await nestedField(fields, "hooks");
  // Skills travel between agents, and the names in them are those of the agent that has hooks in skills.
  return { dialect: "claude", scope: scopeOf(place.tier), file, hooks };
}

function scopeOf(tier: Definition["place"]["tier"]): HookScope {
  return tier === "managed" || tier === "project" ? tier : "user";
}
