/** Hooks that a skill brings in its frontmatter, for as long as it runs. */
import { type Definition, nestedField } from "@kedge/extend/definitions";
import type { HookScope, HookSource } from "@kedge/extend/hooks";

/** Undefined where it brings none. Loads what reads nested fields only where there is something to read. */
export async function hooksOfSkill({ fields, file, place }: Definition): Promise<HookSource | undefined> {
  if (!fields.has("hooks")) return undefined;
  const hooks = await nestedField(fields, "hooks");
  return { dialect: dialectOf(place.source), scope: scopeOf(place.tier), file, hooks };
}

/** Whoever wrote a skill for another agent wrote its hooks for it too. */
function dialectOf(source: string): HookSource["dialect"] {
  return source === "native" ? "kedge" : "claude";
}

function scopeOf(tier: Definition["place"]["tier"]): HookScope {
  return tier === "managed" || tier === "project" ? tier : "user";
}
