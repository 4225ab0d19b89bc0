/** Proves over random files and foreign edits that a recovered edit is a three-way merge and touches nothing it was not told to. */
import { createSeededRandom, rounds, type SeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { applyChanges, type LineChange } from "./lines.ts";
import type { PlainOperation } from "./operations.ts";
import { planChanges } from "./plan-changes.ts";
import { recoverEdit } from "./recover.ts";

const editsCount = rounds({ usual: 1_500, long: 10_000 });
const carriesCount = rounds({ usual: 500, long: 3_000 });

/** Pairs of indexes of a longest common subsequence, by the textbook table. */
function matchNaively(left: readonly string[], right: readonly string[]): ReadonlyMap<number, number> {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row !== undefined)
        row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const pairs = new Map<number, number>();
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) pairs.set(i++, j++);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** The classic merge of two descendants: between lines that all three share, at most one may have changed anything. */
function mergeNaively(base: readonly string[], operations: readonly PlainOperation[], theirs: readonly string[]) {
  const { lines: ours, places: toOurs } = editNaively(base, operations);
  const toTheirs = matchNaively(base, theirs);
  const merged: string[] = [];
  let [baseFrom, oursFrom, theirsFrom] = [0, 0, 0];
  for (let line = 0; line <= base.length; line += 1) {
    const isEnd = line === base.length;
    const oursTo = isEnd ? ours.length : toOurs.get(line);
    const theirsTo = isEnd ? theirs.length : toTheirs.get(line);
    if (oursTo === undefined || theirsTo === undefined) continue;
    const chunk = base.slice(baseFrom, line).join("\n");
    const our = ours.slice(oursFrom, oursTo);
    const their = theirs.slice(theirsFrom, theirsTo);
    const weChanged = our.join("\n") !== chunk || our.length !== line - baseFrom;
    const theyChanged = their.join("\n") !== chunk || their.length !== line - baseFrom;
    if (weChanged && theyChanged && our.join("\n") !== their.join("\n")) return undefined;
    merged.push(...(weChanged ? our : their));
    if (!isEnd) merged.push(base[line] ?? "");
    [baseFrom, oursFrom, theirsFrom] = [line + 1, oursTo + 1, theirsTo + 1];
  }
  return merged;
}

/** Also tells where each line of the base is afterwards, which among repeated lines no comparison could. */
function editNaively(base: readonly string[], operations: readonly PlainOperation[]) {
  const lines: string[] = [];
  const places = new Map<number, number>();
  for (let line = 1; line <= base.length + 1; line += 1) {
    for (const operation of operations) {
      if (operation.kind === "replace") continue;
      const place = { "INS.PRE": 0, "INS.POST": 1, "INS.HEAD": 1, "INS.TAIL": base.length + 1 }[operation.verb];
      if (line === place + (operation.kind === "insert" ? operation.line : 0)) lines.push(...operation.body);
    }
    const replacing = operations.find((each) => each.kind === "replace" && each.first === line);
    if (replacing !== undefined) lines.push(...replacing.body);
    const isGone = operations.some((each) => each.kind === "replace" && each.first <= line && line <= each.last);
    if (isGone || line > base.length) continue;
    places.set(line - 1, lines.length);
    lines.push(base[line - 1] ?? "");
  }
  return { lines, places };
}

type Names = { next(): string };

function randomOperations(random: SeededRandom, lineCount: number, names: Names): readonly PlainOperation[] {
  const body = () => Array.from({ length: 1 + random.below(2) }, () => names.next());
  const operations: PlainOperation[] = [];
  let line = 1 + random.below(4);
  while (line <= lineCount) {
    const row = operations.length + 1;
    const last = Math.min(lineCount, line + random.below(2));
    const kind = random.below(4);
    if (kind === 0) operations.push({ kind: "insert", verb: "INS.PRE", row, line, body: body() });
    if (kind === 1) operations.push({ kind: "insert", verb: "INS.POST", row, line: last, body: body() });
    if (kind === 2) operations.push({ kind: "replace", verb: "SWAP", row, first: line, last, body: body() });
    if (kind === 3) operations.push({ kind: "replace", verb: "DEL", row, first: line, last, body: [] });
    line = last + 1 + random.below(8);
  }
  if (operations.length === 0 || random.below(8) === 0)
    operations.push({ kind: "edge", verb: random.below(2) === 0 ? "INS.HEAD" : "INS.TAIL", row: 9, body: body() });
  return operations;
}

function editRandomly(lines: readonly string[], random: SeededRandom, names: Names): readonly string[] {
  let edited = [...lines];
  for (let edits = 1 + random.below(2); edits > 0; edits -= 1) {
    const start = random.below(edited.length + 1);
    const count = random.below(3);
    const removed = edited.slice(start, start + count);
    const rest = [...edited.slice(0, start), ...edited.slice(start + count)];
    const added = random.below(2) === 0 ? [] : [names.next()];
    edited = rest.toSpliced(start, 0, ...added);
    // Now and then the lines are not gone but stand somewhere else.
    if (random.below(6) === 0) edited.splice(random.below(edited.length + 1), 0, ...removed);
  }
  return edited;
}

function apply(lines: readonly string[], changes: readonly LineChange[]): readonly string[] {
  const text = applyChanges(lines.map((line) => `${line}\n`).join(""), changes);
  return text === "" ? [] : text.slice(0, -1).split("\n");
}

/** Where every line has a name of its own, the lines that operations mean can be looked up by it. */
function editByName(base: readonly string[], present: readonly string[], operations: readonly PlainOperation[]) {
  const find = (line: number) => present.indexOf(base[line - 1] ?? "") + 1;
  const moved = operations.map((operation): PlainOperation => {
    if (operation.kind === "edge") return operation;
    if (operation.kind === "insert") return { ...operation, line: find(operation.line) };
    const first = find(operation.first);
    for (let line = operation.first; line <= operation.last; line += 1)
      if (find(line) !== first + line - operation.first) return { ...operation, first: 0, last: 0 };
    return { ...operation, first, last: first + operation.last - operation.first };
  });
  const planned = planChanges(moved, present.length);
  return planned.ok ? apply(present, planned.changes) : undefined;
}

/** What is gone of a text, leaving our own lines aside; the rest must be there in order. */
function lost(present: readonly string[], result: readonly string[]): readonly string[] {
  const kept = result.filter((line) => !line.startsWith("ours "));
  const pairs = matchNaively(present, kept);
  if (pairs.size !== kept.length) throw new Error("a line came from nowhere or out of its order");
  return present.filter((_, index) => !pairs.has(index)).sort();
}

/** The lines that operations take away. */
function named(base: readonly string[], operations: readonly PlainOperation[]): readonly string[] {
  const replaced = operations.filter((operation) => operation.kind === "replace");
  return replaced.flatMap(({ first, last }) => base.slice(first - 1, last)).sort();
}

function countNames(prefix: string, random: SeededRandom, distinctMax: number): Names {
  let made = 0;
  return { next: () => `${prefix}${distinctMax === 0 ? made++ : random.below(distinctMax)}` };
}

const asText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

test("an edit recovered from foreign changes equals an independent three-way merge or is refused", async () => {
  const random = createSeededRandom();
  const counts: { [outcome: string]: number } = {};
  for (let round = 0; round < editsCount; round += 1) {
    // In every third file lines repeat, as braces and blank lines do.
    const hasRepeats = round % 3 === 0;
    const names = countNames("line ", random, hasRepeats ? 6 : 0);
    const base = Array.from({ length: 1 + random.below(16) }, () => names.next());
    const operations = randomOperations(random, base.length, countNames("ours ", random, 0));
    const present = editRandomly(base, random, hasRepeats ? names : countNames("theirs ", random, 0));
    const context = `seed ${random.seed}, round ${round}: ${JSON.stringify({ base, present, operations })}`;
    const input = { operations, tagged: asText(base), present: asText(present), ownEdits: undefined };
    const recovered = await recoverEdit(input);
    const outcome = `${recovered?.kind ?? "refused"}${hasRepeats ? " with repeats" : ""}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (recovered === undefined) continue;
    const result = apply(present, recovered.changes);
    expect(lost(present, result), context).toEqual(named(base, operations));
    if (recovered.kind === "external") expect(result, context).toEqual(mergeNaively(base, operations, present));
    if (!hasRepeats) expect(result, context).toEqual(editByName(base, present, operations));
  }
  console.log(`seed ${random.seed}: ${JSON.stringify(counts)}`);
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining(["external", "session-replay", "refused", "external with repeats"]),
  );
});

test("an edit carried over the session's own edits lands on the very lines it named", async () => {
  const random = createSeededRandom();
  let carriedCount = 0;
  for (let round = 0; round < carriesCount; round += 1) {
    const names = countNames("line ", random, 0);
    const base = Array.from({ length: 1 + random.below(16) }, () => names.next());
    const ownEdits: (readonly LineChange[])[] = [];
    let present: readonly string[] = base;
    for (let edits = 1 + random.below(3); edits > 0; edits -= 1) {
      const planned = planChanges(randomOperations(random, present.length, names), present.length);
      if (!planned.ok) throw new Error(`seed ${random.seed}, round ${round}`);
      ownEdits.push(planned.changes);
      present = apply(present, planned.changes);
    }
    const operations = randomOperations(random, base.length, countNames("ours ", random, 0));
    const context = `seed ${random.seed}, round ${round}: ${JSON.stringify({ base, present, operations })}`;
    const recovered = await recoverEdit({ operations, tagged: asText(base), present: asText(present), ownEdits });
    const expected = editByName(base, present, operations);
    if (expected !== undefined) {
      carriedCount += 1;
      expect(recovered?.kind, context).toBe("session-chain");
    } else expect(recovered, context).toBeUndefined();
    if (recovered !== undefined) expect(apply(present, recovered.changes), context).toEqual(expected);
  }
  expect(carriedCount).toBeGreaterThan(carriesCount / 6);
});
