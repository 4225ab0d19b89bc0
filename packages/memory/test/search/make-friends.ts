/** Reads the written friendships: conversations of two people over many dated sessions, and questions with the turns that answer them. */
import { readFileSync } from "node:fs";
import type { NoteSet, Question } from "./make-notes.ts";

export type Turn = { readonly speaker: string; readonly text: string };
export type Session = { readonly told: string; readonly turns: readonly Turn[] };
/** A turn by its place: number of the session and of the turn in it, from 1. */
type Place = readonly [session: number, turn: number];
export type Friendship = {
  readonly name: string;
  readonly sessions: readonly Session[];
  readonly asked: readonly { readonly text: string; readonly kind: string; readonly places: readonly Place[] }[];
};

/** Friendships whose misses were looked at while the ranking changed; the others were only measured. */
export const lookedAt = ["hannah-marcus", "grace-yuki", "ruth-samir"];
export const measuredOnly = ["leila-tom", "diego-ben", "olivia-pete"];
/** Of 26 sessions. Measured before the ranking changed, and again at the end. */
export const measuredLast = ["mira-jonah"];

const kinds: { readonly [letter: string]: string } = { s: "single", t: "time", m: "multi-hop", o: "open" };

/** `@` speakers, `=` day of a session, `? s` and `? t` about the line before, `{label}` on a line, `?? m label,label |` over several. */
export function readFriendship(name: string): Friendship {
  const sessions: { told: string; turns: Turn[] }[] = [];
  const asked: Friendship["asked"][number][] = [];
  const labelled = new Map<string, Place>();
  let speakers: readonly string[] = [];
  for (const line of readFileSync(new URL(`./friends/${name}.txt`, import.meta.url), "utf8")
    .trim()
    .split("\n")) {
    const here = (): Place => [sessions.length, sessions.at(-1)?.turns.length ?? 0];
    const [, mark = "", rest = ""] = /^(\?\?|[@=?]|[A-Z]:) (.*)$/.exec(line) ?? [];
    if (mark === "@") speakers = rest.split(" ");
    else if (mark === "=") sessions.push({ told: rest, turns: [] });
    else if (mark === "?") asked.push({ kind: kinds[rest.charAt(0)] ?? "", text: rest.slice(2), places: [here()] });
    else if (mark === "??") {
      const [, kind = "", labels = "", text = ""] = /^(\w) (\S+) \| (.*)$/.exec(rest) ?? [];
      const places = labels.split(",").map((label) => {
        const place = labelled.get(label);
        if (place === undefined) throw new Error(`${name}: no line is labelled ${label}`);
        return place;
      });
      asked.push({ kind: kinds[kind] ?? "", text, places });
    } else {
      const speaker = speakers.find((one) => one.startsWith(mark.charAt(0)));
      if (speaker === undefined) throw new Error(`${name}: nobody says "${line}"`);
      const [, text = "", label] = /^(.*?)(?: \{(\w+)\})?$/.exec(rest) ?? [];
      sessions.at(-1)?.turns.push({ speaker, text });
      if (label !== undefined) labelled.set(label, here());
    }
  }
  return { name, sessions, asked };
}

/** Each friendship is a set of its own, with a note per session or per turn. */
export function makeFriends({
  names,
  unit = "session",
}: {
  readonly names: readonly string[];
  readonly unit?: "session" | "turn";
}): readonly NoteSet[] {
  return names.map((name, seed): NoteSet => {
    const { sessions, asked } = readFriendship(name);
    const idOf = ([session, turn]: Place) =>
      unit === "session" ? `session_${session}.md` : `session_${session}/turn_${turn}.md`;
    const notes = sessions.flatMap(({ told, turns }, session) => {
      const lines = turns.map(({ speaker, text }) => `${speaker}: ${text}`);
      if (unit === "turn")
        return lines.map((line, turn) => ({ id: idOf([session + 1, turn + 1]), text: `[${told}] ${line}` }));
      const head = `# Session ${session + 1}\n\nDate: ${told}\n\n`;
      return [{ id: idOf([session + 1, 0]), text: `${head}${lines.join("\n")}\n` }];
    });
    const questions = asked.map(
      ({ text, kind, places }): Question => ({ text, kind, evidence: [...new Set(places.map(idOf))] }),
    );
    return { seed, notes, questions };
  });
}
