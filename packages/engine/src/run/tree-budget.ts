/** What a run and the agents below it spend together, so that one limit holds for the whole tree. */
import type { RunOptions } from "@kedge/protocol";
import { type Spent, tokensOf } from "./budget.ts";

export interface TreeBudget {
  /** The limits of a run that begins here. They hold for agents of it also after its end, until the next run. */
  runStarts(limits: RunOptions): void;
  /** Counts what a run of this session spent, here and in all sessions above. */
  charge(before: Spent, now: Spent): void;
  /** Sets aside what a request probably costs, so that several at once do not all spend the same rest. */
  requestStarts(): void;
  requestEnds(): void;
  /** The limits of a run of this session, no wider than what is left of the whole tree. */
  within(limits: RunOptions): RunOptions;
}

export function createTreeBudget(above?: TreeNode): TreeBudget & TreeNode {
  let limits: RunOptions = {};
  /** Of the run here with everything below it, and of the run alone. */
  let total = nothing;
  let own = nothing;
  /** By this session itself, and by it and all below. */
  let charges = 0;
  let ownHold = 0;
  let held = 0;
  const node: TreeNode = {
    add(amount) {
      total = sum(total, amount);
      if (amount.usd > 0) charges += 1;
      above?.add(amount);
    },
    hold(usd) {
      held += usd;
      above?.hold(usd);
    },
    mean: () => (charges === 0 ? (above?.mean() ?? 0) : total.usd / charges),
    left(holdOfCaller) {
      const higher = above?.left(holdOfCaller) ?? endless;
      const { budgetUsdMax = unlimited, tokensMax = unlimited } = limits;
      return {
        usd: Math.min(higher.usd, budgetUsdMax - total.usd - (held - holdOfCaller)),
        tokens: Math.min(higher.tokens, tokensMax - total.tokens),
      };
    },
  };
  function setAside(usd: number): void {
    if (usd === ownHold) return;
    node.hold(usd - ownHold);
    ownHold = usd;
  }

  return {
    ...node,
    runStarts(given) {
      limits = given;
      total = nothing;
      own = nothing;
      charges = 0;
    },
    charge(before, now) {
      const amount = {
        usd: now.cost.usd - before.cost.usd,
        tokens: tokensOf(now.usage) - tokensOf(before.usage),
      };
      own = sum(own, amount);
      node.add(amount);
    },
    requestStarts: () => setAside(node.mean()),
    requestEnds: () => setAside(0),
    within(wished) {
      const left = node.left(ownHold);
      if (left.usd === unlimited && left.tokens === unlimited) return wished;
      // What this run spent is in the totals of all already, up to the last charge.
      return {
        ...wished,
        ...(left.usd !== unlimited && { budgetUsdMax: left.usd + own.usd }),
        ...(left.tokens !== unlimited && { tokensMax: left.tokens + own.tokens }),
      };
    },
  };
}

type Amount = { readonly usd: number; readonly tokens: number };

const nothing: Amount = { usd: 0, tokens: 0 };

function sum(one: Amount, other: Amount): Amount {
  return { usd: one.usd + other.usd, tokens: one.tokens + other.tokens };
}

const unlimited = Number.POSITIVE_INFINITY;
const endless: Amount = { usd: unlimited, tokens: unlimited };

/** What the budget of a session above is asked by those below. */
export interface TreeNode {
  add(amount: Amount): void;
  hold(usd: number): void;
  /** Of a request; nothing where none was paid for yet. */
  mean(): number;
  /** What is left for a session below, which set something aside for itself. */
  left(holdOfCaller: number): Amount;
}
