/** The list of skills that the model is told: one entry each, within a budget, nothing left out silently. */
import { pathToFileURL } from "node:url";
import type { Skill } from "./skill.ts";

export type ListingOptions = {
  readonly bytesMax: number;
  /** Skills in here are named by their file. */
  readonly root: string;
};

const descriptionCharactersMin = 24;

/** Sorted by name. */
export function listingOf(skills: readonly Skill[], { bytesMax, root }: ListingOptions): string {
  const others = skills.filter((skill) => !isBundled(skill));
  // All of them whole only where that can fit at all: there may be hundreds.
  if (others.reduce((sum, { summary }) => sum + summary.length, 0) < bytesMax) {
    const whole = block(skills.map((skill) => entryOf(skill, { root })));
    if (bytesOf(whole) <= bytesMax) return whole;
  }
  const bundled = skills.filter(isBundled).map((skill) => entryOf(skill, { root }));
  const frames = others.map((skill) => bytesOf(entryOf({ ...skill, summary: "" }, {})));
  const left = bytesMax - bytesOf(block(bundled)) - frames.reduce((sum, bytes) => sum + bytes, 0) - noteBytes;
  const limit = sharedLimit(
    others.map(({ summary }) => bytesOf(summary)),
    left,
  );
  if (limit < descriptionCharactersMin) return namesOnly(skills, bytesMax, root);
  const shortened = others.filter(({ summary }) => bytesOf(summary) > limit).length;
  const entries = skills.map((skill) => (isBundled(skill) ? entryOf(skill, { root }) : entryOf(skill, { limit })));
  const text = block(entries, `${countText(shortened)} shortened.`);
  return bytesOf(text) <= bytesMax ? text : namesOnly(skills, bytesMax, root);
}

/** Room for the closing line. */
const noteBytes = 80;

/** The length to which all must be cut so that they fit together. */
function sharedLimit(lengths: readonly number[], bytesMax: number): number {
  let left = bytesMax;
  let count = lengths.length;
  for (const length of [...lengths].sort((one, other) => one - other)) {
    const share = Math.floor(left / count);
    if (length > share) return share;
    left -= length;
    count -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

/** Even names have an end; how many are missing is told. */
function namesOnly(skills: readonly Skill[], bytesMax: number, root: string): string {
  const bundled = skills.filter(isBundled).map((skill) => entryOf(skill, { root }));
  const names = skills.filter((skill) => !isBundled(skill)).map(({ name }) => escaped(name));
  for (let count = names.length; ; count = Math.floor(count * 0.9)) {
    const missing = names.length - count;
    const more = missing === 0 ? "" : ` ${missing} more are not listed: /skills lists them.`;
    const named = `<names>${names.slice(0, count).join(", ")}</names>`;
    const text = block([...bundled, named], `${countText(names.length)} left out.${more}`);
    if (bytesOf(text) <= bytesMax || count === 0) return text;
  }
}

function countText(count: number): string {
  return count === 1 ? "1 description is" : `${count} descriptions are`;
}

function isBundled({ definition }: Skill): boolean {
  return definition.place.tier === "bundled";
}

export function block(entries: readonly string[], note?: string): string {
  const lines = ["<available_skills>", ...entries, ...(note === undefined ? [] : [note]), "</available_skills>"];
  return lines.join("\n");
}

export function entryOf(
  { name, summary, definition }: Skill,
  { limit, root }: { readonly limit?: number; readonly root?: string },
): string {
  const shown = limit === undefined ? summary : cutText(summary, limit);
  const { file } = definition;
  const url = root !== undefined && file.startsWith(`${root}/`) ? pathToFileURL(file).href : `skill://${name}`;
  const location = root === undefined ? "" : `<location>${escaped(url)}</location>`;
  return `<skill><name>${escaped(name)}</name><description>${escaped(shown)}</description>${location}</skill>`;
}

/** To so many bytes, never through a character. */
function cutText(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const start = Buffer.from(text).subarray(0, bytesMax - Buffer.byteLength("…"));
  return `${start.toString("utf8").replace(/\ufffd+$/, "")}…`;
}

/** No description can end its entry or begin another. */
function escaped(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function bytesOf(text: string): number {
  // In a request each line feed is two characters.
  return Buffer.byteLength(text) + (text.includes("\n") ? text.split("\n").length : 1);
}
