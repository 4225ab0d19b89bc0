/** Makes long conversations of two people, one note per session, and questions about what they said. */
import { readFileSync } from "node:fs";
import { createSeededRandom } from "@kedge/testing";
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

export function makeConversations({ count = 10, sessions = 28, turns = 18, seed = "1" } = {}): readonly NoteSet[] {
  const random = createSeededRandom(seed);
  const one = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  return Array.from({ length: count }, (): NoteSet => {
    const [first = "", second = ""] = random.shuffle([...tables.speakers]);
    const told: { who: string; event: LifeEvent; value: string; note: string }[] = [];
    const notes = Array.from({ length: sessions }, (_, at) => {
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
        told.push({ who, event, value, note: id });
        const turn = 2 * random.below(turns / 2) + (who === first ? 0 : 1);
        lines[turn] = `${who}: ${one(event.says).replace("{place}", value)}`;
      }
      return { id, text: `Date: ${date}\n${lines.join("\n")}` };
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
    return { seed: random.seed, notes, questions: [...single, ...multiple] };
  });
}
