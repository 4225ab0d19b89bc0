/** Puts units below each other: what stands together as a group, and where a blank line goes. */
import { counted, type GroupNoun } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import { cutText } from "../screen/cut-text.ts";
import { visibleWidth } from "../screen/text-width.ts";
import { indented } from "./line-text.ts";
import type { Section } from "./section.ts";
import type { Look, Unit } from "./unit.ts";

/** A unit of a section; behind the last one the next section begins. */
export type Place = { readonly section: number; readonly unit: number };

export type Row = {
  readonly units: readonly Unit[];
  readonly isGroup: boolean;
  /** The first unit after it. */
  readonly next: Place;
};

const joinedMin = 2;
const groupIndent = 2;

/** Undefined behind the last unit. */
export function nextRow(sections: readonly Section[], from: Place): Row | undefined {
  const first = unitAt(sections, from);
  if (first === undefined) return undefined;
  const alone: Row = { units: [first.unit], isGroup: false, next: first.next };
  if (first.unit.joins.kind !== "call") return alone;
  const run = gatherRun(sections, first);
  const calls = run.units.filter(({ joins }) => joins.kind === "call" && joins.noun !== undefined);
  const hasThoughts = run.units.some(({ joins }) => joins.kind === "between");
  if (calls.length >= joinedMin || (calls.length === 1 && hasThoughts)) return { ...run, isGroup: true };
  // One call beside searches for tools is shown as it is, without them.
  return calls.length === 1 ? { units: calls, isGroup: false, next: run.next } : alone;
}

type Found = { readonly unit: Unit; readonly next: Place };

/** Ends with a call: thoughts after the last one stand for themselves. */
function gatherRun(sections: readonly Section[], first: Found): Pick<Row, "units" | "next"> {
  const units = [first.unit];
  let run = { count: 1, next: first.next };
  for (let found = unitAt(sections, first.next); found !== undefined; found = unitAt(sections, found.next)) {
    if (found.unit.joins.kind === "never") break;
    units.push(found.unit);
    if (found.unit.joins.kind === "call") run = { count: units.length, next: found.next };
  }
  return { units: units.slice(0, run.count), next: run.next };
}

function unitAt(sections: readonly Section[], { section, unit }: Place): Found | undefined {
  for (let at = section, index = unit; at < sections.length; at += 1, index = 0) {
    const found = sections[at]?.units[index];
    if (found !== undefined) return { unit: found, next: { section: at, unit: index + 1 } };
  }
  return undefined;
}

/** How a row is called where it is opened and closed. */
export function rowKey({ units, isGroup }: Row): string {
  const key = units[0]?.key ?? "";
  return isGroup ? `group ${key}` : key;
}

/** What comes next may become one with it. */
export function mayGrow({ units }: Row): boolean {
  return units[0]?.joins.kind !== "never";
}

export function isTight({ units }: Row): boolean {
  return units[0]?.isTight === true;
}

export type RowLook = Look & {
  /** Whether the units of an open group are open too. */
  readonly isAllOpen: boolean;
};

export function drawRow({ units, isGroup }: Row, look: RowLook): readonly string[] {
  const { width, isOpen, isAllOpen, theme } = look;
  if (!isGroup) return units[0]?.render(look) ?? [];
  const head = groupLine(units, look);
  if (!isOpen) return [head];
  const room = Math.max(1, width - groupIndent);
  const inside = units.flatMap((unit) => unit.render({ width: room, isOpen: isAllOpen, theme }));
  return [head, ...indented(inside, groupIndent)];
}

function groupLine(units: readonly Unit[], { width, isOpen, theme }: RowLook): string {
  const { folded, unfolded, running, ellipsis, separator } = theme.symbols;
  const counts = new Map<string, { readonly noun: GroupNoun; count: number }>();
  let atWork: string | undefined;
  for (const { joins } of units) {
    if (joins.kind !== "call") continue;
    if (joins.status === "running" || joins.status === "pending") atWork = joins.title;
    if (joins.noun === undefined) continue;
    const known = counts.get(joins.noun.many);
    if (known === undefined) counts.set(joins.noun.many, { noun: joins.noun, count: 1 });
    else known.count += 1;
  }
  const words = [...counts.values()].map(({ noun, count }) => {
    const amount = counted(count, noun.one, noun.many);
    return noun.verb === undefined ? amount : `${noun.verb} ${amount}`;
  });
  const sign = isOpen ? unfolded : atWork === undefined ? folded : running;
  const label = cutText(`${sign} ${words.join(", ")}`, width, ellipsis);
  const title = atWork === undefined ? "" : cleanLine(atWork);
  const room = width - visibleWidth(label) - visibleWidth(separator) - 2;
  const behind = title === "" || room < 4 ? "" : ` ${separator} ${cutText(title, room, ellipsis)}`;
  return theme.fg("muted", label) + (behind === "" ? "" : theme.fg("dim", behind));
}
