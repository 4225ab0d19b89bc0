/** What a run and the agents below it spend together, so that one limit holds for the whole tree. */
import type { RunOptions } from "@kedge/protocol";
import { type Spent, tokensOf } from "./budget.ts";

export interface TreeBudget {
  /** The limits of a run that begins here. They hold for agents of it also after its end, until the next run. */
  runStarts(limits: RunOptions): void;
  /** Counts what a run of this session spent, here and in all sessions above. */
  charge(before: Spent, now: Spent): void;
  /**
   * Sets aside what a request of this session probably costs, so that several at once do not all spend the same rest.
   * To be called again with nothing when the request is charged.
   */
  setAside(usd: number): void;
  /** The limits of a run of this session, no wider than what is left of the whole tree. */
  within(limits: RunOptions, spent: Spent): RunOptions;
}

export function createTreeBudget(above?: TreeNode): TreeBudget & TreeNode {
  let limits: RunOptions = {};
  /** Of the run here and everything below it. */
  let usd = 0;
  let tokens = 0;
  /** By this session itself. */
  let own = 0;
  /** By all below and itself. */
  let heldUsd = 0;
  const node: TreeNode = {
    add(addedUsd, addedTokens) {
      usd += addedUsd;
      tokens += addedTokens;
      above?.add(addedUsd, addedTokens);
    },
    hold(heldMore) {
      heldUsd += heldMore;
      above?.hold(heldMore);
    },
    left(ownHold) {
      const higher = above?.left(ownHold);
      const { budgetUsdMax, tokensMax } = limits;
      return {
        usd: Math.min(
          higher?.usd ?? unlimited,
          budgetUsdMax === undefined ? unlimited : budgetUsdMax - usd - (heldUsd - ownHold),
        ),
        tokens: Math.min(higher?.tokens ?? unlimited, tokensMax === undefined ? unlimited : tokensMax - tokens),
      };
    },
  };
  return {
    ...node,
    runStarts(given) {
      limits = given;
      usd = 0;
      tokens = 0;
    },
    charge: (before, now) => node.add(now.cost.usd - before.cost.usd, tokensOf(now.usage) - tokensOf(before.usage)),
    setAside(wanted) {
      if (wanted === own) return;
      node.hold(wanted - own);
      own = wanted;
    },
    within(wished, spent) {
      const left = node.left(own);
      if (left.usd === unlimited && left.tokens === unlimited) return wished;
      return {
        ...wished,
        ...(left.usd !== unlimited && { budgetUsdMax: spent.cost.usd + left.usd }),
        ...(left.tokens !== unlimited && { tokensMax: tokensOf(spent.usage) + left.tokens }),
      };
    },
  };
}

const unlimited = Number.POSITIVE_INFINITY;

/** What the budget of a session above is asked by those below. */
export interface TreeNode {
  add(usd: number, tokens: number): void;
  hold(usd: number): void;
  left(ownHold: number): { readonly usd: number; readonly tokens: number };
}
