/** Makes notes of a software team and questions about them that use other words, some over two notes. */
import { readFileSync } from "node:fs";
import { createSeededRandom } from "@kedge/testing";
import type { Note } from "../../src/search/note-index.ts";

export type Question = {
  readonly text: string;
  readonly kind: string;
  /** The notes that must all be found. */
  readonly evidence: readonly string[];
};

export type NoteSet = {
  readonly seed: number;
  readonly notes: readonly Note[];
  readonly questions: readonly Question[];
};

type Kind = {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly says: readonly string[];
  readonly asks: readonly string[];
  readonly path: string;
};
type Tables = Record<
  "people" | "firstWords" | "lastWords" | "cities" | "tools" | "causes" | "habits" | "fillers",
  string[]
> & {
  readonly kinds: readonly Kind[];
};

const tables = JSON.parse(readFileSync(new URL("./fact-kinds.json", import.meta.url), "utf8")) as Tables;
const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"];

export function makeNotes({ count = 1_000, questions: wanted = 600, seed = "1" } = {}): NoteSet {
  const random = createSeededRandom(seed);
  const one = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const services = tables.firstWords.flatMap((first) => tables.lastWords.map((last) => `${first}-${last}`));
  const firstNames = tables.people.map((name) => name.split(" ")[0]);
  const lastNames = tables.people.map((name) => name.split(" ")[1]);
  const people = firstNames.flatMap((first) =>
    lastNames.filter(() => random.below(8) === 0).map((last) => `${first} ${last}`),
  );
  const make: Record<string, () => string> = {
    service: () => one(services),
    person: () => one(people),
    city: () => one(tables.cities),
    tool: () => one(tables.tools),
    number: () => String(100 + 10 * random.below(90)),
    cause: () => one(tables.causes),
    habit: () => one(tables.habits),
    date: () => `${one(months)} ${1 + random.below(28)}, 202${5 + random.below(3)}`,
  };
  const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => make[name]?.() ?? "");

  const taken = new Set<string>();
  const facts: { kind: Kind; from: string; to: string; service: string; note: string }[] = [];
  const notes: Note[] = [];
  for (let at = 0; at < count; at++) {
    const id = `note-${String(at).padStart(4, "0")}.md`;
    const lines: string[] = [];
    for (let tries = 0; lines.length < 2 && tries < 20; tries++) {
      const kind = one(tables.kinds);
      const from = make[kind.from]?.() ?? "";
      const service = make["service"]?.() ?? "";
      const key = kind.name === "swap" ? `${kind.name} ${from} ${service}` : `${kind.name} ${from}`;
      if (taken.has(key)) continue;
      taken.add(key);
      const to = make[kind.to]?.() ?? "";
      facts.push({ kind, from, to, service, note: id });
      const said = one(kind.says).replaceAll("{from}", from).replaceAll("{to}", to).replaceAll("{service}", service);
      lines.push(`${said[0]?.toUpperCase()}${said.slice(1)}`);
    }
    while (lines.length < 3 + random.below(3)) lines.push(filled(one(tables.fillers)));
    notes.push({ id, text: random.shuffle(lines).join("\n") });
  }

  const single = random.shuffle(facts).map(({ kind, from, service, note }): Question => {
    const text = one(kind.asks).replaceAll("{from}", from).replaceAll("{service}", service);
    return { text, kind: kind.name, evidence: [note] };
  });
  const multiple = random.shuffle(facts).flatMap((first): Question[] => {
    if (first.kind.path === "") return [];
    const second = facts.find(
      ({ kind, from, note }) => kind.from === first.kind.to && from === first.to && note !== first.note,
    );
    if (second === undefined || second.kind.name === "swap") return [];
    const text = one(second.kind.asks).replace("{from}", first.kind.path.replace("{from}", first.from));
    return [{ text, kind: "multi-hop", evidence: [first.note, second.note] }];
  });
  const half = Math.floor(wanted / 4);
  return { seed: random.seed, notes, questions: [...single.slice(0, wanted - half), ...multiple.slice(0, half)] };
}
