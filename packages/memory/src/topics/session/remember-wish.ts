/** Whether the user's own words ask to remember something, in whatever way people ask for it. */

/** What may stand before the wish itself. */
const before = [
  "please|pls|also|and|but|so|now|then|just|always|oh|ok(?:ay)?|hey|hi|btw|fyi|kedge|next time|by the way|one more thing",
  "from now on|going forward|for (?:the )?(?:future|next time)|for future (?:reference|sessions?)|in (?:the )?future",
  "(?:can|could|will|would) (?:you|we)|you (?:should|must|need to|have to|can)|i(?:['’]d| would) like you to",
  "i (?:want|need) you to|make sure (?:to|(?:that )?you)|be sure to|try to|let['’]s|never|bitte|s['’]il te pla[iî]t|por favor",
].join("|");

const wishes = [
  "remember|memori[sz]e|(?:don['’]?t|do not|never) forget|not forget|forget not",
  "(?:keep|bear|have) (?:(?:this|that|it|the following) )?in mind|take note|note (?:down|that|to self|for (?:later|next time))",
  "make (?:yourself )?a (?:mental )?note|(?:write|jot|note) (?:this|that|it) down",
  "save (?:this|that|it|the following)(?: (?:to|in|into) (?:your |the )?memory)?|(?:add|put|store|save|commit|write) (?:[^.\\n]{0,80} )?(?:in|to|into) (?:your |the )?memory",
  "record (?:that|for later)|update your memory|for the record|memory:|note to self",
  "merke? dir|vergiss nicht|notiere? dir|souviens-toi|rappelle-toi|n['’]oublie pas|retiens|recuerda|no olvides|ricorda(?:ti)?|non dimenticare|lembre-se|onthoud",
].join("|");

const wish = new RegExp(`^[ \\t]*(?:(?:${before})[,:;!.]*[ \\t]+)*(?:${wishes})(?![\\p{L}\\p{N}])`, "iu");
/** Scripts without spaces. */
const otherWish = /^\s*(?:请|請)?(?:记住|記住|覚えて|기억해)/u;
/** A note that the user typed, as the terminal UI takes it: one line. Several such lines are a pasted document. */
const noteLine = /^#(?![#!])[^\n]*[^#\s][^\n]*$/u;
/** A question about what is remembered. */
const question = /\b(?:remember|memori[sz]e) (?:how|what|when|where|who|whose|why|which|if|whether)\b[^\n]*\?\s*$/iu;

const charactersMax = 4_000;
/** In more lines than these, what stands in the middle may be pasted: only what the text begins and ends with is typed. */
const typedLinesMax = 5;

export function asksToRemember(prompt: string): boolean {
  const text = prompt.trim().slice(0, charactersMax);
  if (noteLine.test(text)) return true;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const typed = lines.length <= typedLinesMax ? lines : [lines[0] ?? "", lines.at(-1) ?? ""];
  return typed.flatMap(sentencesOf).some((each) => (wish.test(each) || otherWish.test(each)) && !question.test(each));
}

/** Of one line, for a wish that follows the work: "Fix it. And remember that …". */
function sentencesOf(line: string): readonly string[] {
  return line.split(/(?<=[.!?;])\s+/u);
}
