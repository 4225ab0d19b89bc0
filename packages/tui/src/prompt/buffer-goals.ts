/** Where moves go from a place in a text, and how far erasing and cutting reach. */
import { blankBefore, nextBoundary, previousBoundary, wordEndAfter, wordStartBefore } from "./graphemes.ts";

export type Range = { readonly start: number; readonly end: number };

type Goal = (text: string, cursor: number) => number;

const lineStart: Goal = (text, cursor) => (cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1);
const lineEnd: Goal = (text, cursor) => {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
};

/** Where each move goes. */
const moves = {
  left: previousBoundary,
  right: nextBoundary,
  wordLeft: wordStartBefore,
  wordRight: wordEndAfter,
  lineStart,
  lineEnd,
  textStart: () => 0,
  textEnd: (text) => text.length,
} as const satisfies { readonly [action: string]: Goal };

const erasures = { eraseLeft: previousBoundary, eraseRight: nextBoundary } as const;

/** What is killed reaches from the cursor to there. At the edge of a line the line break itself goes, so that the key can be held down. */
const kills = {
  killWordLeft: wordStartBefore,
  killBlankLeft: blankBefore,
  killWordRight: wordEndAfter,
  killToLineStart: (text, cursor) =>
    lineStart(text, cursor) === cursor ? Math.max(0, cursor - 1) : lineStart(text, cursor),
  killToLineEnd: (text, cursor) =>
    lineEnd(text, cursor) === cursor ? Math.min(text.length, cursor + 1) : lineEnd(text, cursor),
} as const satisfies { readonly [action: string]: Goal };

const goals = { ...moves, ...erasures, ...kills };

/** Named by what they do. */
export type GoalAction = keyof typeof goals;

export type GoalTools = {
  moveTo(offset: number): boolean;
  erase(range: Range): boolean;
  kill(range: Range, side: "before" | "after"): boolean;
};

export function actToGoal(
  action: GoalAction,
  { text, cursor }: { readonly text: string; readonly cursor: number },
  tools: GoalTools,
): boolean {
  const goal = goals[action](text, cursor);
  if (action in moves) return tools.moveTo(goal);
  const range = { start: Math.min(goal, cursor), end: Math.max(goal, cursor) };
  return action in erasures ? tools.erase(range) : tools.kill(range, goal < cursor ? "before" : "after");
}
