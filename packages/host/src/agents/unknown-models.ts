/** Definitions whose model nobody here has: they work with the model of their session, which their author should know. */
import type { AgentTable } from "@kedge/agents/definitions";
import { tierOf } from "@kedge/models";
import type { Models } from "@kedge/protocol";

/** A tier is a wish that every vendor may grant. `beside` is the model of the session. */
export async function findUnknownModels(
  { used }: Pick<AgentTable, "used">,
  models: Pick<Models, "find">,
  beside: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const named = used.flatMap(({ name, model, tier }) =>
    tier === "built-in" || model === undefined ? [] : [{ name, model }],
  );
  const isKnown = async (model: string) => {
    if (model.includes("/")) return (await models.find(model)).ok;
    if (beside === undefined || tierOf(model) !== undefined) return true;
    const found = await models.find(model, beside);
    // A name that nobody has stands for the model beside it.
    return !found.ok || found.model.ref !== beside || beside.endsWith(`/${model}`);
  };
  const found = await Promise.all(named.map(async ({ name, model }) => [name, model, await isKnown(model)] as const));
  return new Map(found.flatMap(([name, model, isFound]) => (isFound ? [] : [[name, model]])));
}
