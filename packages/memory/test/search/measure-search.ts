/** Prints how often all evidence is found, beside the full-text search of SQLite: `node packages/memory/test/search/measure-search.ts`. */
import { DatabaseSync } from "node:sqlite";
import { createNoteIndex } from "../../src/search/note-index.ts";
import { rankNotes } from "../../src/search/rank-notes.ts";
import { termsOf } from "../../src/search/search-terms.ts";
import { makeConversations } from "./make-conversations.ts";
import { lookedAt, makeFriends, measuredLast, measuredOnly } from "./make-friends.ts";
import { makeNotes, type NoteSet } from "./make-notes.ts";
import { makeTalks } from "./make-talks.ts";

type Find = (question: string, limit: number) => readonly string[];
type Row = { asked: number; five: number; ten: number };

function openRanking({ notes }: NoteSet): Find {
  const index = createNoteIndex(notes);
  return (question, limit) => rankNotes(index, question, limit).map(({ id }) => id);
}

function openFullText({ notes }: NoteSet): Find {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE notes USING fts5(id UNINDEXED, text, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO notes VALUES (?, ?)");
  for (const { id, text } of notes) insert.run(id, text);
  const select = database.prepare("SELECT id FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT ?");
  return (question, limit) => {
    const words = (question.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => termsOf(word).length > 0);
    const wanted = words.map((word) => `"${word}"`).join(" OR ");
    return wanted === "" ? [] : select.all(wanted, limit).map(({ id }) => String(id));
  };
}

function measure(sets: readonly NoteSet[], open: (set: NoteSet) => Find): string {
  const rows = new Map<string, Row>();
  // Of the processor: a clock would count whatever else the machine does.
  let spentMs = 0;
  for (const set of sets) {
    const find = open(set);
    for (const { text, kind, evidence } of set.questions) {
      const before = process.cpuUsage();
      const found = find(text, 10);
      const { user, system } = process.cpuUsage(before);
      spentMs += (user + system) / 1_000;
      for (const name of ["all", kind]) {
        const row = rows.get(name) ?? { asked: 0, five: 0, ten: 0 };
        row.asked += 1;
        if (evidence.every((id) => found.slice(0, 5).includes(id))) row.five += 1;
        if (evidence.every((id) => found.includes(id))) row.ten += 1;
        rows.set(name, row);
      }
    }
  }
  const asked = rows.get("all")?.asked ?? 1;
  const kinds = ["all", "single", "time", "date", "wrong person", "multi-hop", "open"];
  const told = [...rows].filter(([kind]) => kinds.includes(kind)).map(([kind, row]) => `${kind} ${shareText(row)}`);
  return `${told.join(", ")}; ${(spentMs / asked).toFixed(2)} ms`;
}

function shareText({ asked, five, ten }: Row): string {
  const percent = (count: number) => ((100 * count) / asked).toFixed(1);
  return `(${asked}) ${percent(five)} / ${percent(ten)}`;
}

const friends = { "looked at": lookedAt, "measured only": measuredOnly, "of 26 sessions": measuredLast };
const sets: { readonly [name: string]: readonly NoteSet[] } = {
  ...Object.fromEntries(
    Object.entries(friends).flatMap(([name, names]) =>
      (["session", "turn"] as const).map((unit) => [`friends by ${unit}, ${name}`, makeFriends({ names, unit })]),
    ),
  ),
  "talks, first bank": makeTalks({ bank: "first.txt", seed: "1", count: 6 }),
  "talks, second bank": makeTalks({ bank: "second.txt", seed: "7", count: 6 }),
  "talks, third bank": makeTalks({ bank: "third.txt", seed: "31", count: 6 }),
  "talks, fourth bank": makeTalks({ bank: "fourth.txt", seed: "43", count: 6 }),
  "generated sessions": makeConversations({ seed: "21" }),
  "generated turns": makeConversations({ seed: "21", unit: "turn", count: 4 }),
  "1,000 notes": ["1", "2", "11", "21", "22"].map((seed) => makeNotes({ seed })),
};

for (const [name, set] of Object.entries(sets)) {
  process.stdout.write(
    `${name}\n  full text  ${measure(set, openFullText)}\n  ranking    ${measure(set, openRanking)}\n`,
  );
}
