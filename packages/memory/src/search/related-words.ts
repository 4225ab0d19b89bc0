/** Words that stand for each other in everyday and in technical English, written down by hand. */
import { textBeside } from "@kedge/protocol/text-file";
import { termOf } from "./search-terms.ts";

/** Words of one group mean much the same. */
const groups = JSON.parse(textBeside(import.meta.url, "./related-words.json")) as readonly (readonly string[])[];

/** What belongs to a topic stands for it, and it for them, but they do not stand for each other. */
const topics = JSON.parse(textBeside(import.meta.url, "./word-topics.json")) as Record<string, readonly string[]>;

const none: ReadonlySet<string> = new Set();
const meanings = new Map<string, Set<string>>();
const subjects = new Map<string, Set<string>>();

for (const words of groups) {
  const terms = words.map(termOf);
  for (const term of terms) for (const other of terms) add(meanings, term, other);
}
for (const [topic, members] of Object.entries(topics)) {
  const whole = termOf(topic);
  for (const member of members.map(termOf)) {
    add(subjects, whole, member);
    add(subjects, member, whole);
  }
}

export function sameMeaning(term: string): ReadonlySet<string> {
  return meanings.get(term) ?? none;
}

export function sameTopic(term: string): ReadonlySet<string> {
  return subjects.get(term) ?? none;
}

function add(to: Map<string, Set<string>>, term: string, other: string): void {
  if (term !== other) to.set(term, (to.get(term) ?? new Set()).add(other));
}
