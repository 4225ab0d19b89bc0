/** Makes long conversations of two people, one note per session or per turn, and questions about what they said. */
import { readFileSync } from "node:fs";
import { createSeededRandom } from "@kedge/testing";
import type { Note } from "../../src/search/note-index.ts";
import type { NoteSet, Question } from "./make-notes.ts";

type LifeEvent = Record<"says" | "asks" | "values", readonly string[]> & {
  readonly topic: string;
  readonly all: string;
};
type Tables = {
  readonly speakers: readonly string[];
  readonly events: readonly LifeEvent[];
  readonly small: readonly string[];
};

const tables = JSON.parse(readFileSync(new URL("./life-events.json", import.meta.url), "utf8")) as Tables;
const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"];

type Wish = {
  readonly count?: number;
  readonly sessions?: number;
  readonly turns?: number;
  readonly seed?: string;
  /** What is one note, and so one piece of evidence. */
  readonly unit?: "session" | "turn";
};

export function makeConversations(wish: Wish = {}): readonly NoteSet[] {
  const { count = 10, sessions = 28, turns = 18, seed = "1", unit = "session" } = wish;
  const random = createSeededRandom(seed);
  const one = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  return Array.from({ length: count }, (): NoteSet => {
    const [first = "", second = ""] = random.shuffle([...tables.speakers]);
    const told: { who: string; event: LifeEvent; value: string; note: string }[] = [];
    const notes = Array.from({ length: sessions }, (_, at): readonly Note[] => {
      const id = `session-${at + 1}.md`;
      const date = `${1 + random.below(28)} ${months[Math.floor((at * months.length) / sessions)]}, 2024`;
      const lines = Array.from(
        { length: turns },
        (_, turn) => `${turn % 2 === 0 ? first : second}: ${one(tables.small)}`,
      );
      for (const who of [first, second]) {
        const event = one(tables.events);
        const value = one(event.values);
        if (told.some((before) => before.who === who && before.value === value)) continue;
        const turn = 2 * random.below(turns / 2) + (who === first ? 0 : 1);
        told.push({ who, event, value, note: unit === "session" ? id : turnId(at, turn) });
        lines[turn] = `${who}: ${one(event.says).replace("{place}", value)}`;
      }
      if (unit === "session") return [{ id, text: `Date: ${date}\n${lines.join("\n")}` }];
      return lines.map((line, turn) => ({ id: turnId(at, turn), text: `[${date}] ${line}` }));
    });
    const single = told.map(({ who, event, value, note }): Question => {
      const text = one(event.asks).replaceAll("{who}", who).replaceAll("{value}", value);
      return { text, kind: "single", evidence: [note] };
    });
    const multiple = [first, second].flatMap((who) =>
      tables.events.flatMap((event): Question[] => {
        const evidence = told.filter((one) => one.who === who && one.event === event).map(({ note }) => note);
        if (evidence.length < 2 || evidence.length > 4) return [];
        return [{ text: event.all.replace("{who}", who), kind: "multi-hop", evidence }];
      }),
    );
    return { seed: random.seed, notes: notes.flat(), questions: [...single, ...multiple] };
  });
}

function turnId(session: number, turn: number): string {
  return `D${session + 1}-${turn + 1}.md`;
}
