/** Definitions whose model nobody here has: they work with the model of their session, which their author should know. */
import type { AgentTable } from "@kedge/agents/definitions";
import type { Models } from "@kedge/protocol";

/** A tier is a wish that every vendor may grant; a name without a vendor is looked up beside the session's model. */
export async function findUnknownModels(
  { used }: Pick<AgentTable, "used">,
  models: Pick<Models, "find">,
): Promise<ReadonlyMap<string, string>> {
  const named = used.flatMap(({ name, model, tier }) =>
    tier === "built-in" || model === undefined || !model.includes("/") ? [] : [{ name, model }],
  );
  const found = await Promise.all(
    named.map(async ({ name, model }) => [name, model, await models.find(model)] as const),
  );
  return new Map(found.flatMap(([name, model, { ok }]) => (ok ? [] : [[name, model]])));
}
