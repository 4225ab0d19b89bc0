/** What questions beside the conversation cost, until the run that asked them counts it. */
import { addUsage, type Cost, noUsage, type Usage } from "@kedge/protocol";

export type SideCosts = { readonly usage: Usage; readonly cost: Cost };

const nothing: SideCosts = { usage: noUsage, cost: { usd: 0, estimated: false } };

export function createSideCosts(): { add(cost: Cost, usage: Usage): void; take(): SideCosts } {
  let open = nothing;
  return {
    add(cost, usage) {
      const { usd, estimated } = open.cost;
      open = {
        usage: addUsage(open.usage, usage),
        cost: { usd: usd + cost.usd, estimated: estimated || cost.estimated },
      };
    },
    take() {
      const taken = open;
      open = nothing;
      return taken;
    },
  };
}
