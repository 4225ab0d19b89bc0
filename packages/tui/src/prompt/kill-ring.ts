/** Texts that were cut, newest last, to be put back: the newest first, then those before it in turn. */

export type KillRing = {
  /** Joins the newest text where `joins` tells on which side. */
  push(text: string, joins?: "before" | "after"): void;
  newest(): string | undefined;
  /** Makes the text before the newest the newest one. */
  rotate(): string | undefined;
  /** Lets every text be changed, or dropped when it becomes empty. */
  rewrite(change: (text: string) => string): void;
};

const textsMax = 30;

export function createKillRing(): KillRing {
  let texts: string[] = [];
  return {
    push(text, joins) {
      if (text === "") return;
      const newest = joins === undefined ? undefined : texts.pop();
      if (newest === undefined) texts.push(text);
      else texts.push(joins === "before" ? text + newest : newest + text);
      if (texts.length > textsMax) texts.shift();
    },
    newest: () => texts.at(-1),
    rotate() {
      const newest = texts.pop();
      if (newest !== undefined) texts.unshift(newest);
      return texts.at(-1);
    },
    rewrite(change) {
      texts = texts.map(change).filter((text) => text !== "");
    },
  };
}
