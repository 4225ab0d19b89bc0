/** The grammar of NORMAL mode: which keys make a command, and which wait for more. */
import type { Change } from "./change.ts";
import { type Find, reverseFind } from "./find-in-line.ts";
import { isMotionName, type Motion } from "./motions.ts";
import type { Operator, Target } from "./operator-range.ts";
import { parseTextObject } from "./text-objects.ts";

export type Command =
  | { readonly kind: "move"; readonly motion: Motion; readonly count?: number }
  | { readonly kind: "yank"; readonly target: Target }
  | { readonly kind: "change"; readonly change: Change }
  | { readonly kind: "repeat"; readonly count?: number };

/** `unknown` keys are swallowed without effect. */
type Parsed = Command | { readonly kind: "unfinished" } | { readonly kind: "unknown" };

const unfinished = { kind: "unfinished" } as const;
const unknown = { kind: "unknown" } as const;

const commands: Readonly<Record<string, Command>> = {
  i: { kind: "change", change: { kind: "insert", at: "cursor" } },
  I: { kind: "change", change: { kind: "insert", at: "first non-blank" } },
  a: { kind: "change", change: { kind: "insert", at: "after cursor" } },
  A: { kind: "change", change: { kind: "insert", at: "line end" } },
  o: { kind: "change", change: { kind: "open", side: "below" } },
  O: { kind: "change", change: { kind: "open", side: "above" } },
  p: { kind: "change", change: { kind: "put", side: "after" } },
  P: { kind: "change", change: { kind: "put", side: "before" } },
  J: { kind: "change", change: { kind: "join" } },
  ".": { kind: "repeat" },
};

const shortForms: Readonly<Record<string, readonly [Operator, string]>> = {
  x: ["d", "l"],
  D: ["d", "$"],
  C: ["c", "$"],
  Y: ["y", "y"],
};

/** Commands of an editor that a prompt does without: their second key must not start a command of its own. */
const unsupportedWithArgument: ReadonlySet<string> = new Set(["r", "m", "'", "`", '"', "q", "@", "z", "Z"]);

const finds: Readonly<Record<string, Omit<Find, "character">>> = {
  f: { direction: "forward", stop: "on" },
  t: { direction: "forward", stop: "before" },
  F: { direction: "backward", stop: "on" },
  T: { direction: "backward", stop: "before" },
};

export function parseKeys(keys: readonly string[], lastFind: Find | undefined): Parsed {
  const { counted, rest: counting } = splitCount(keys);
  const [first, ...rest] = counting;
  if (first === undefined) return unfinished;
  if (first === "d" || first === "c" || first === "y" || first === ">" || first === "<") {
    const inner = splitCount(rest);
    const count = multiplied(counted, inner.counted);
    if (first === ">" || first === "<") return parseShift(first, inner.rest, count);
    return parseOperation(first, inner.rest, { lastFind, ...count });
  }
  const shortForm = at(shortForms, first);
  if (shortForm !== undefined) return parseOperation(shortForm[0], [shortForm[1]], { lastFind, ...counted });
  if (unsupportedWithArgument.has(first)) return rest.length === 0 ? unfinished : unknown;
  const motion = parseMotion([first, ...rest], lastFind);
  if (motion.kind === "unfinished") return motion;
  if (motion.kind === "unknown") return withCount(at(commands, first), counted) ?? unknown;
  return { kind: "move", motion, ...counted };
}

/** Empty where no count was typed, because some motions mean something else with one. */
type Counted = { readonly count?: number };

/** A typed count beyond this changes nothing that a prompt could hold. */
const countMax = 9_999;

/** A zero inside of a count is not the motion to the line start. */
function splitCount(keys: readonly string[]): { readonly counted: Counted; readonly rest: readonly string[] } {
  if (keys[0] === undefined || keys[0] === "0" || !isDigit(keys[0])) return { counted: {}, rest: keys };
  const end = keys.findIndex((key) => !isDigit(key));
  const digits = end === -1 ? keys : keys.slice(0, end);
  const count = Math.min(countMax, Number(digits.join("")));
  return { counted: { count }, rest: end === -1 ? [] : keys.slice(end) };
}

function multiplied({ count: left }: Counted, { count: right }: Counted): Counted {
  if (left === undefined && right === undefined) return {};
  return { count: Math.min(countMax, (left ?? 1) * (right ?? 1)) };
}

function withCount(command: Command | undefined, counted: Counted): Command | undefined {
  if (command?.kind === "change") return { ...command, change: { ...command.change, ...counted } };
  return command && { ...command, ...counted };
}

export function isDigit(key: string): boolean {
  return /^[0-9]$/.test(key);
}

function parseOperation(
  operator: Operator,
  keys: readonly string[],
  { lastFind, ...counted }: Counted & { readonly lastFind: Find | undefined },
): Parsed {
  const [first, second] = keys;
  if (first === undefined) return unfinished;
  if (first === operator) return operation(operator, { kind: "line", ...counted });
  if (first === "i" || first === "a") {
    if (second === undefined) return unfinished;
    const object = parseTextObject(first === "i" ? "inner" : "around", second);
    return object === undefined ? unknown : operation(operator, { kind: "object", object });
  }
  const motion = parseMotion(keys, lastFind);
  if (motion.kind === "unfinished" || motion.kind === "unknown") return motion;
  return operation(operator, { kind: "motion", motion, ...counted });
}

function operation(operator: Operator, target: Target): Command {
  return operator === "y"
    ? { kind: "yank", target }
    : { kind: "change", change: { kind: "operate", operator, target } };
}

function parseShift(shift: ">" | "<", [second]: readonly string[], counted: Counted): Parsed {
  if (second === undefined) return unfinished;
  if (second !== shift) return unknown;
  return { kind: "change", change: { kind: shift === ">" ? "indent" : "dedent", ...counted } };
}

function parseMotion(
  [first, second]: readonly string[],
  lastFind: Find | undefined,
): Motion | typeof unfinished | typeof unknown {
  if (first === undefined) return unfinished;
  if (first === ";" || first === ",") {
    if (lastFind === undefined) return unknown;
    return { kind: "find", find: first === ";" ? lastFind : reverseFind(lastFind), isRepeat: true };
  }
  const find = at(finds, first);
  if (find !== undefined) {
    return second === undefined ? unfinished : { kind: "find", find: { ...find, character: second }, isRepeat: false };
  }
  if (first === "g" && second === undefined) return unfinished;
  const name = first === "g" ? `g${second}` : first;
  return isMotionName(name) ? { kind: "named", name } : unknown;
}

/** A key such as `constructor` must not find what every object inherits. */
function at<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
