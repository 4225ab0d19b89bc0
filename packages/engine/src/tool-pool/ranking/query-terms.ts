/** What a query asks for: its terms, each with a weight. */
import { fileKinds, isNumber, weightOfTerm } from "./plain-words.ts";
import { pairOf, termsOf } from "./tool-terms.ts";

const charactersMax = 2_000;
const termsMax = 60;
const pairWeight = 0.5;
const topicWeight = 0.2;

const address = /https?:\/\/\S+/g;
const path = /(?:[~.]{0,2}\/[\w.-]+)+\/?|\b[\w-]+\.(\w{2,5})\b/g;
/** What follows is what the tool is to be given, and says less about the tool. */
const topic = /\b(?:about|regarding|concerning|named|called|titled|such as|like|e\.g\.)\s+(.*)$/is;

/** A number that a name has, as in `k8s` or `12306`, counts like any other word. */
export function queryTerms(query: string, nameTerms: ReadonlySet<string>): ReadonlyMap<string, number> {
  const weightOf = (term: string) => (isNumber(term) && nameTerms.has(term) ? 1 : weightOfTerm(term));
  const weights = new Map<string, number>();
  const add = (term: string, weight: number) => {
    if (weights.size < termsMax || weights.has(term)) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  };
  const addWords = (words: string) => {
    for (const term of termsOf(words)) add(term, 1);
  };
  const asked = query
    .slice(0, charactersMax)
    .replaceAll(address, () => {
      addWords("url web page");
      return " ";
    })
    .replaceAll(path, (name: string) => {
      const kind = fileKinds.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "");
      if (!name.includes("/") && kind === undefined) return name;
      addWords(`file path ${kind ?? ""}`);
      return " ";
    });
  const [, about = ""] = topic.exec(asked) ?? [];
  let before: string | undefined;
  for (const term of termsOf(asked.slice(0, asked.length - about.length))) {
    add(term, weightOf(term));
    if (before !== undefined) add(pairOf(before, term), pairWeight);
    before = term;
  }
  for (const term of termsOf(about)) add(term, topicWeight * weightOf(term));
  return weights;
}
