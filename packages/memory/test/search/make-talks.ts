/** Makes long conversations from written exchanges: stories told over several sessions, small talk, and questions of annotators. */
import { readFileSync } from "node:fs";
import { createSeededRandom } from "@kedge/testing";
import type { NoteSet, Question } from "./make-notes.ts";

type Ask = { readonly kind: "single" | "time" | "date"; readonly text: string };
type Stage = { readonly lines: readonly string[]; readonly asks: readonly Ask[] };
type Story = {
  readonly category: string;
  /** Said in other sessions; it shares words with the story and answers nothing. */
  readonly echo: string;
  readonly stages: readonly Stage[];
  readonly across: readonly { readonly stages: readonly number[]; readonly text: string }[];
};
type Bank = { readonly stories: readonly Story[]; readonly collecting: ReadonlyMap<string, string> };

const names = [
  "Caroline",
  "Dev",
  "Ingrid",
  "Malik",
  "Joanna",
  "Theo",
  "Priya",
  "Sam",
  "Lucia",
  "Evan",
  "Nadia",
  "Walt",
];
const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"];
const sessionsTotal = 26;
const smallTalkLines = 10;
/** Evidence of a question that collects; more of it cannot stand among the first five. */
const collectedMax = 5;

const askKinds: { readonly [letter: string]: Ask["kind"] } = { s: "single", t: "time", d: "date" };

function lines(file: string): readonly string[] {
  return readFileSync(new URL(`./talk/${file}`, import.meta.url), "utf8")
    .trim()
    .split("\n");
}

/** `# story | category | echo`, `=` before each stage, `? s` and `? t` questions, `? d` ones that name the day, `?? 1,3` over stages, `@` over stories. */
function readBank(file: string): Bank {
  type Open = {
    category: string;
    echo: string;
    stages: { lines: string[]; asks: Ask[] }[];
    across: { stages: number[]; text: string }[];
  };
  const stories: Open[] = [];
  const collecting = new Map<string, string>();
  for (const line of lines(file)) {
    const story = stories.at(-1);
    const stage = story?.stages.at(-1);
    const [, mark = "", rest = ""] = /^(\?\?|[#=?@]|(?=[AB]: ))\s*(.*)$/.exec(line) ?? [];
    if (mark === "#") {
      const [, category = "", echo = ""] = rest.split(" | ");
      stories.push({ category, echo, stages: [], across: [] });
    } else if (mark === "=") story?.stages.push({ lines: [], asks: [] });
    else if (mark === "?") stage?.asks.push({ kind: askKinds[rest.charAt(0)] ?? "single", text: rest.slice(2) });
    else if (mark === "??") {
      const [, numbers = "", text = ""] = /^(\S+) (.*)$/.exec(rest) ?? [];
      story?.across.push({ stages: numbers.split(",").map((number) => Number(number) - 1), text });
    } else if (mark === "@") {
      const [category = "", text = ""] = rest.split(" | ");
      collecting.set(category, text);
    } else stage?.lines.push(line);
  }
  return { stories, collecting };
}

export function makeTalks({ bank: file = "first.txt", count = 4, seed = "1" } = {}): readonly NoteSet[] {
  const random = createSeededRandom(`${file} ${seed}`);
  const bank = readBank(file);
  const small = lines("small.txt");
  return Array.from({ length: count }, (): NoteSet => {
    const [first = "", second = ""] = random.shuffle([...names]);
    const sessions = Array.from({ length: sessionsTotal }, (): string[][] => []);
    const questions: Question[] = [];
    const collected = new Map<string, Set<number>>();
    for (const story of bank.stories) {
      const [teller, other] = random.below(2) === 0 ? [first, second] : [second, first];
      const places = random
        .shuffle([...sessions.keys()])
        .slice(0, story.stages.length)
        .sort((left, right) => left - right);
      const named = (text: string) => text.replaceAll("{A}", teller);
      for (const [at, { lines: said, asks }] of story.stages.entries()) {
        const place = places[at] as number;
        sessions[place]?.push(said.map((line) => `${line.startsWith("A") ? teller : other}${line.slice(1)}`));
        const key = `${teller} ${story.category}`;
        collected.set(key, (collected.get(key) ?? new Set()).add(place));
        for (const { kind, text } of asks) questions.push({ kind, text: named(text), evidence: [idOf(place)] });
        // Asked about the wrong person, as careless people do; what was meant is found all the same.
        const [wrong] = asks;
        if (wrong !== undefined && random.below(2) === 0)
          questions.push({ kind: "wrong person", text: wrong.text.replaceAll("{A}", other), evidence: [idOf(place)] });
      }
      for (const { stages, text } of story.across)
        questions.push({
          kind: "multi-hop",
          text: named(text),
          evidence: stages.map((stage) => idOf(places[stage] as number)),
        });
      for (let echoes = 0; echoes < 3; echoes++)
        sessions[random.below(sessionsTotal)]?.push([`${teller}: ${story.echo}`]);
    }
    for (const who of [first, second]) {
      for (const [category, text] of bank.collecting) {
        const found = [...(collected.get(`${who} ${category}`) ?? [])];
        if (found.length < 2 || found.length > collectedMax) continue;
        questions.push({ kind: "multi-hop", text: text.replaceAll("{A}", who), evidence: found.map(idOf) });
      }
    }
    const days: Date[] = [];
    const notes = sessions.map((exchanges, at) => {
      const talk: string[][] = [...exchanges];
      for (let line = 0; line < smallTalkLines; line++) {
        const [who, other] = line % 2 === 0 ? [first, second] : [second, first];
        talk.push([`${who}: ${(small[random.below(small.length)] ?? "").replaceAll("{B}", other)}`]);
      }
      const month = Math.floor((at * months.length) / sessionsTotal);
      const day = 1 + random.below(28);
      days.push(new Date(Date.UTC(2023, month, day)));
      const date = `${day} ${months[month]}, 2023`;
      return {
        id: idOf(at),
        text: `# Session ${at + 1}\n\nDate: ${date}\n\n${random.shuffle(talk).flat().join("\n")}\n`,
      };
    });
    const dated = questions.map((question) => {
      const day = days[Number(/\d+/.exec(question.evidence[0] ?? "")?.[0]) - 1] as Date;
      return { ...question, text: withDays(question.text, day) };
    });
    return { seed: random.seed, notes, questions: dated };
  });
}

/** The days that a question names, seen from the day on which it was told. */
function withDays(text: string, told: Date): string {
  const back = (days: number) => {
    const day = new Date(told.getTime() - days * 86_400_000);
    return `${day.getUTCDate()} ${months[day.getUTCMonth()]} 2023`;
  };
  const sinceWeekday = (weekday: number) => ((told.getUTCDay() - weekday + 6) % 7) + 1;
  return text
    .replace("{date}", back(0))
    .replace("{yesterday}", back(1))
    .replace("{lastFriday}", back(sinceWeekday(5)))
    .replace("{lastSunday}", back(sinceWeekday(0)));
}

function idOf(session: number): string {
  return `session_${session + 1}.md`;
}
