/** Compares a new topic with those that are there: is it the same, does it take one's place, or do they contradict? */
import { textBeside } from "@kedge/protocol/text-file";
import { linksIn } from "../topic/links.ts";
import type { Topic } from "../topic/topic.ts";
import { keywordsOf, sharedCount } from "./keywords.ts";
import { fillSameFrame } from "./same-frame.ts";

/** What is found without a model. `open` is for a verdict by one: they speak of the same, and nothing more is known. */
export type Comparison = "unrelated" | "duplicate" | "successor" | "conflict" | "open";

const keywordsMin = 3;
/** Fewer are enough where the newer text says that something changed. */
const changedKeywordsMin = 2;

/** Things of which a project has one; words that are common mean something only together with others. */
type Alternatives = { readonly words: readonly string[]; readonly isCommon?: true };

/** Read with the first comparison. */
let alternatives: readonly Alternatives[] | undefined;

/** `newer` was said later than `older`. */
export function compareTopics(newer: Topic, older: Topic): Comparison {
  const [said, known] = [factOf(newer), factOf(older)];
  if (sameWords(newer.body) === sameWords(older.body)) return "duplicate";
  const instead = replacedBy(said, known);
  const shared = sharedCount(keywordsOf(said), keywordsOf(known));
  const isNamed = slugless(newer.name) === slugless(older.name);
  const isLinked = areLinked(newer, older) || newer.tags.some((tag) => older.tags.includes(tag));
  // "Migrated to jest" needs no other word to be about what somebody uses vitest for.
  const isPlain = instead === "plain" && change.test(said);
  const isAnother = fillSameFrame(newer.body, older.body);
  const isMoved = shared >= changedKeywordsMin && isChanged(newer.body, older.body);
  const isRelated =
    isNamed ||
    isLinked ||
    shared >= keywordsMin ||
    isPlain ||
    isAnother ||
    isMoved ||
    (instead !== "no" && shared >= 1);
  if (!isRelated) return "unrelated";
  const disagrees =
    instead !== "no" ||
    isNamed ||
    isAnother ||
    isMoved ||
    (shared >= keywordsMin && (differInNegation(said, known) || differInNumbers(said, known)));
  if (!disagrees) return "open";
  return isSuccessor(said, known) ? "successor" : "conflict";
}

/** The newer text says that something changed, and both begin with the same thing. */
function isChanged(said: string, known: string): boolean {
  if (!change.test(said) || change.test(known)) return false;
  const [thing] = keywordsOf(known);
  const [first, second] = [...keywordsOf(said.replaceAll(everyDate, ""))].filter((word) => !change.test(word));
  return thing !== undefined && (thing === first || thing === second);
}

/** Name, description and the fact itself; why and how are about it. */
function factOf({ name, description, body }: Topic): string {
  const fact = body.split(/^\s*(?:\*\*)?(?:why|apply|how to apply)\b/im, 1)[0] ?? "";
  return `${name}\n${description}\n${fact}`;
}

function sameWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function slugless(name: string): string {
  return sameWords(name);
}

function areLinked(one: Topic, other: Topic): boolean {
  return linksIn(one.body).includes(other.slug) || linksIn(other.body).includes(one.slug);
}

/** The one names something of a group of which the other names something else. */
function replacedBy(said: string, known: string): "no" | "common" | "plain" {
  // Our own file, which the test of this module checks.
  alternatives ??= JSON.parse(textBeside(import.meta.url, "./alternatives.json")) as readonly Alternatives[];
  const [now, before] = [said.toLowerCase(), known.toLowerCase()];
  const found = alternatives.filter(({ words }) => {
    const inNow = words.filter((word) => hasWord(now, word));
    const inBefore = words.filter((word) => hasWord(before, word));
    return inNow.length > 0 && inBefore.length > 0 && inNow.some((word) => !inBefore.includes(word));
  });
  if (found.length === 0) return "no";
  return found.every(({ isCommon }) => isCommon) ? "common" : "plain";
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const isStart = at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
    const end = text.charAt(at + word.length);
    if (isStart && (end === "" || !/[\p{L}\p{N}]/u.test(end))) return true;
  }
  return false;
}

const negation =
  /\b(?:not|never|no longer|don't|doesn't|do not|does not|without|stop(?:ped)?|avoid|removed?|dropped|forbidden|disallowed|disabled)\b/i;

function differInNegation(said: string, known: string): boolean {
  return negation.test(said) !== negation.test(known);
}

function differInNumbers(said: string, known: string): boolean {
  const [now, before] = [numbersIn(said), numbersIn(known)];
  return now.size > 0 && before.size > 0 && ![...now].every((number) => before.has(number));
}

/** Dates are when, not what. */
function numbersIn(text: string): ReadonlySet<string> {
  return new Set(text.replaceAll(everyDate, "").match(/\d+(?:\.\d+)*/g) ?? []);
}

const everyDate = /\b\d{4}-\d{2}-\d{2}\b/g;

const change =
  /\b(?:migrat(?:ed|ing)|switch(?:ed|ing)|moved|replac(?:ed|es|ing)|no longer|instead of|now (?:use[sd]?|on|in|at|run|live|require)|upgraded|renamed|deprecated|superseded|as of|since|from now on|changed|became|dropped|stopped|abandoned|went from)\b/i;

/**
 * Clear only where the newer text says that something changed and does not speak of an earlier day than the older one.
 * Later saving alone is no proof: an agent may have read an old document.
 */
function isSuccessor(said: string, known: string): boolean {
  if (!change.test(said)) return false;
  const [now, before] = [latestDate(said), latestDate(known)];
  return now === undefined || before === undefined || now >= before;
}

function latestDate(text: string): string | undefined {
  return text.match(everyDate)?.sort().at(-1);
}
