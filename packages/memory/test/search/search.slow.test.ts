/** The search over notes: how often all evidence is among the first hits, and how words meet that are not the same. */

import { stemWord } from "@kedge/protocol/stem-word";
import { expect, test } from "vitest";
import { createNoteIndex } from "../../src/search/note-index.ts";
import { rankNotes, searchNotes } from "../../src/search/rank-notes.ts";
import { makeConversations } from "./make-conversations.ts";
import { lookedAt, makeFriends, measuredLast, measuredOnly } from "./make-friends.ts";
import { makeNotes, type NoteSet } from "./make-notes.ts";
import { makeTalks } from "./make-talks.ts";

/** Shares of questions whose evidence is all among the first five and the first ten, by kind. */
function measure(sets: readonly NoteSet[]): Record<string, { readonly five: number; readonly ten: number }> {
  const rows = new Map<string, { asked: number; five: number; ten: number }>();
  for (const { notes, questions } of sets) {
    const index = createNoteIndex(notes);
    for (const { text, kind, evidence } of questions) {
      const found = rankNotes(index, text, 10).map(({ id }) => id);
      for (const name of ["all", kind]) {
        const row = rows.get(name) ?? { asked: 0, five: 0, ten: 0 };
        row.asked += 1;
        if (evidence.every((id) => found.slice(0, 5).includes(id))) row.five += 1;
        if (evidence.every((id) => found.includes(id))) row.ten += 1;
        rows.set(name, row);
      }
    }
  }
  return Object.fromEntries(
    [...rows].map(([name, { asked, five, ten }]) => [name, { five: five / asked, ten: ten / asked }]),
  );
}

test("in a thousand notes, all evidence is nearly always among the first hits", () => {
  const found = measure([makeNotes({ seed: "1" })]);
  expect(found["all"]?.five).toBeGreaterThanOrEqual(0.85);
  expect(found["all"]?.ten).toBeGreaterThanOrEqual(0.92);
  expect(found["multi-hop"]?.five).toBeGreaterThanOrEqual(0.65);
});

test("in long conversations as well", () => {
  const found = measure(makeConversations({ seed: "1" }));
  expect(found["all"]?.five).toBeGreaterThanOrEqual(0.85);
  expect(found["all"]?.ten).toBeGreaterThanOrEqual(0.92);
});

test("in conversations of which each turn is a note as well", () => {
  const found = measure(makeConversations({ seed: "1", unit: "turn" }));
  expect(found["single"]?.five).toBeGreaterThanOrEqual(0.98);
  expect(found["all"]?.five).toBeGreaterThanOrEqual(0.9);
});

/** Written in an ordinary style; the figures are in decision 0155. */
test.each([
  { names: lookedAt, hops: 0.72 },
  { names: measuredOnly, hops: 0.88 },
  { names: measuredLast, hops: 0.76 },
])("in written friendships, by session and by turn: $names", ({ names, hops }) => {
  const sessions = measure(makeFriends({ names }));
  expect(sessions["all"]?.five).toBeGreaterThanOrEqual(0.87);
  expect(sessions["all"]?.ten).toBeGreaterThanOrEqual(0.94);
  expect(sessions["multi-hop"]?.ten).toBeGreaterThanOrEqual(hops);
  const turns = measure(makeFriends({ names, unit: "turn" }));
  expect(turns["all"]?.five).toBeGreaterThanOrEqual(0.77);
  expect(turns["all"]?.ten).toBeGreaterThanOrEqual(0.83);
});

/** Written exchanges, with questions in other words; the figures of these banks are in decisions 0057 and 0155. */
test.each([
  { bank: "first.txt", five: 0.79, ten: 0.85, hops: 0.58 },
  { bank: "second.txt", five: 0.72, ten: 0.81, hops: 0.5 },
  { bank: "fourth.txt", five: 0.66, ten: 0.78, hops: 0.4 },
])("in conversations with stories over several sessions: $bank", ({ bank, five, ten, hops }) => {
  const found = measure(makeTalks({ bank, seed: "1" }));
  expect(found["all"]?.five).toBeGreaterThanOrEqual(five);
  expect(found["all"]?.ten).toBeGreaterThanOrEqual(ten);
  expect(found["multi-hop"]?.ten).toBeGreaterThanOrEqual(hops);
});

const session = (who: string, other: string, said: string) => [
  `${who}: Hey, how are you?`,
  `${other}: Fine, thanks!`,
  `${who}: ${said}`,
  `${other}: Wow.`,
  `${who}: Yes.`,
];

test.each<readonly [string, (line: string) => string]>([
  ["plain lines", (line) => line],
  ["bold names", (line) => line.replace(/^(\w+): /, "**$1:** ")],
  ["a list with times", (line) => `- [1:56 pm] ${line}`],
  ["numbered turns", (line) => line.replace(/^(\w+): /, "**$1** (D1:3): ")],
  ["reported speech", (line) => line.replace(/^(\w+): (.*)$/, '$1 said, "$2"')],
])("whole conversations are recognised by their speakers: %s", (_, format) => {
  const talks = [session("Ann", "Bob", "I sold the boat."), session("Cleo", "Dirk", "I sold the boat.")];
  const index = createNoteIndex(talks.map((lines, at) => ({ id: `s${at}.md`, text: lines.map(format).join("\n") })));
  expect(index.talks?.speakersOf).toEqual([new Set(["ann", "bob"]), new Set(["cleo", "dirk"])]);
  expect(rankNotes(index, "What did Cleo sell?", 1)[0]?.id).toBe("s1.md");
});

const talk = [
  "[8 May 2023] Ann: We got back from Crete last night.",
  "[8 May 2023] Bob: How was the food there?",
  "[8 May 2023] Ann: Octopus, every single evening.",
  "[8 May 2023] Bob: My knee hurts.",
  "[9 May 2023] Bob: Is the new bakery open?",
  "[9 May 2023] Ann: I broke a cup.",
].map((text, at) => ({ id: `talk/D1-${at + 9}.md`, text }));

test.each([
  ["What did Ann eat in Crete?", "talk/D1-11.md"],
  ["What did Ann break?", "talk/D1-14.md"],
  ["When did Ann return from Crete?", "talk/D1-9.md"],
])("in a conversation, %s finds %s", (question, id) => {
  const inText = searchNotes(talk, question, 2).map((hit) => hit.id);
  expect(inText).toContain(id);
  const inFrontmatter = talk.map(({ id, text }) => {
    const [, speaker = "", said = ""] = /\] (\w+): (.*)/.exec(text) ?? [];
    return { id, text: `---\nspeaker: ${speaker}\n---\n\n${said}\n` };
  });
  expect(searchNotes(inFrontmatter, question, 2).map((hit) => hit.id)).toContain(id);
});

test.each<readonly [string, (who: string, said: string) => string]>([
  ["a label", (who, said) => `speaker: ${who}\ndate: 8 May 2023\n\n${said}`],
  ["a bold label", (who, said) => `**Speaker:** ${who}\n**Date:** 8 May 2023\n\n${said}`],
  ["a label in a list", (who, said) => `- Speaker: ${who}\n- Date: 8 May 2023\n\n${said}`],
  ["a heading", (who, said) => `# ${who}\n\n${said}`],
  ["a heading with a date", (who, said) => `## ${who}, 8 May 2023\n\n${said}`],
  ["a heading with a time", (who, said) => `# ${who} (1:56 pm)\n\n${said}`],
  ["a day and reported speech", (who, said) => `On 8 May 2023, 1:56 pm, ${who} said: "${said}"`],
])("turns are recognised by their speaker in %s", (_, format) => {
  const turns = talk.map(({ id, text }) => {
    const [, who = "", said = ""] = /\] (\w+): (.*)/.exec(text) ?? [];
    return { id, text: format(who, said) };
  });
  expect(createNoteIndex(turns).turns?.speakers).toEqual(["ann", "bob", "ann", "bob", "bob", "ann"]);
  expect(searchNotes(turns, "What did Ann eat in Crete?", 2).map((hit) => hit.id)).toContain("talk/D1-11.md");
});

test("headings that are words are no speakers", () => {
  for (const [first, second] of [
    ["Setup", "Usage"],
    ["Daily Note", "Weekly Review"],
  ]) {
    const titled = [first, second, first, second, second, first].map((title, at) => {
      return { id: `n-${at}.md`, text: `# ${title}\n\nA note on the setup and usage of part ${at}, for review.` };
    });
    expect(createNoteIndex(titled).turns).toBe(undefined);
  }
});

test("a hit names the line that fits best, also behind front matter and empty lines", () => {
  const text = "---\nname: trips\n---\n\n# Trips\n\nWe sailed to Crete.\n\n\nThe ferry to Naxos was late.\n";
  const lineOf = (question: string) => searchNotes([{ id: "trips.md", text }], question, 1)[0]?.line;
  expect(["Who sailed?", "Which ferry was late?"].map(lineOf)).toEqual([7, 10]);
});

test.each([
  ["What did Ann receive on 9 May 2023?", "violin.md"],
  ["What happened to Ann on May 5, 2023?", "river.md"],
  ["What did Ann do in April 2023?", "exam.md"],
  ["What did Ann do in 2021?", "move.md"],
])("a day that a note means by other words: %s", (question, id) => {
  const told = (day: string, said: string) =>
    `Date: 1:56 pm on ${day}, 2023\nAnn: ${said}\nBob: Oh.\nAnn: Well.\nBob: So.`;
  const days = [
    { id: "violin.md", text: told("10 May", "A violin arrived yesterday.") },
    { id: "river.md", text: told("8 May", "Last Friday the river came into the cellar.") },
    { id: "exam.md", text: told("20 May", "I passed the exam last month.") },
    { id: "move.md", text: told("21 June", "We moved here two years ago.") },
    { id: "other.md", text: told("23 July", "Nothing new.") },
  ];
  expect(searchNotes(days, question, 1).map((hit) => hit.id)).toEqual([id]);
});

test("labels are no speakers: a note is not answered by the one behind it", () => {
  const labelled = ["Decision: use Postgres", "Bug: the decision was a bug", "Bug: a", "Bug: b", "Decision: c"];
  const notes = [...labelled, ...labelled].map((text, at) => ({ id: `n-${at}.md`, text }));
  expect(createNoteIndex(notes).turns).toBe(undefined);
  expect(createNoteIndex(talk).turns?.speakers).toEqual(["ann", "bob", "ann", "bob", "bob", "ann"]);
});

const notes = [
  { id: "a.md", text: "Ann went to the harbour.\nShe bought two children's books on 7 May 2023." },
  { id: "b.md", text: "The parseHttpHeaders function throws on an empty value." },
  { id: "c.md", text: "Größe der Straße: 東京都 is large." },
  { id: "d.md", text: "Nothing else matters here." },
];
const index = createNoteIndex(notes);
const first = (question: string) => rankNotes(index, question, 3)[0]?.id;

test.each([
  ["Where did Ann go?", "a.md"],
  ["Who buys a book for a child?", "a.md"],
  ["What happened on 2023-05-07?", "a.md"],
  ["What happened on May 7th, 2023?", "a.md"],
  ["http header", "b.md"],
  ["PARSEHTTPHEADERS", "b.md"],
  ["fucntion", "b.md"],
  ["thro", "b.md"],
  ["grosse strasse groß", "c.md"],
  ["京", "c.md"],
])("%s finds %s", (question, id) => expect(first(question)).toBe(id));

test("a question without words, or about nothing that is there, finds nothing", () => {
  for (const question of ["", "?!", "zzzzqqq", " \0 "]) expect(rankNotes(index, question, 5)).toEqual([]);
  expect(rankNotes(createNoteIndex([]), "anything", 5)).toEqual([]);
  expect(rankNotes(index, "Ann", 0)).toEqual([]);
});

test("scores never rise, hits are distinct, and the same question has the same answer", () => {
  const { notes: many, questions } = makeNotes({ count: 200, questions: 50, seed: "3" });
  const built = createNoteIndex(many);
  for (const { text } of questions) {
    const hits = rankNotes(built, text, 10);
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
    for (const [at, { score }] of hits.entries()) expect(score).toBeLessThanOrEqual(hits[at - 1]?.score ?? score);
    expect(rankNotes(built, text, 10)).toEqual(hits);
  }
});

test.each([
  ["caresses", "caress"],
  ["ponies", "poni"],
  ["hopping", "hop"],
  ["relational", "relat"],
  ["adjustable", "adjust"],
  ["probate", "probat"],
  ["controlling", "control"],
  ["sky", "sky"],
  ["yields", "yield"],
])("%s has the stem %s", (word, stem) => expect(stemWord(word)).toBe(stem));
