/** What the sessions that work for another one used. */
import { addUsage, type Cost, keepChildren, noUsage, type Store, type Usage } from "@kedge/protocol";

/** Of more children than this the newest count. */
const childrenMax = 1_000;

export type ChildrenUse = { readonly sessions: number; readonly usage: Usage; readonly cost: Cost };

/** Of all children, and of those that work for them; undefined when there are none. */
export async function childrenUse(
  parentId: string,
  store: Pick<Store, "read" | "sessions" | "sessionView">,
): Promise<ChildrenUse | undefined> {
  const children = await keepChildren(await store.sessions({ parentId, limit: childrenMax }), store);
  if (children.length === 0) return undefined;
  let sum: ChildrenUse = { sessions: 0, usage: noUsage, cost: { usd: 0, estimated: false } };
  for (const { sessionId } of children) {
    const view = await store.sessionView(sessionId);
    if (view !== undefined) sum = added(sum, { sessions: 1, usage: view.usage, cost: view.cost });
    const below = await childrenUse(sessionId, store);
    if (below !== undefined) sum = added(sum, below);
  }
  return sum;
}

function added(left: ChildrenUse, right: ChildrenUse): ChildrenUse {
  return {
    sessions: left.sessions + right.sessions,
    usage: addUsage(left.usage, right.usage),
    cost: { usd: left.cost.usd + right.cost.usd, estimated: left.cost.estimated || right.cost.estimated },
  };
}
