/** Walks the body of a loop for each value that its variable takes, until nothing it sets is taken for known. */
import type { ShellWord } from "./shell-command.ts";
import {
  anyNumber,
  forgetTouched,
  forkVariables,
  type KnownValue,
  type ShellVariables,
  setVariable,
  spendStep,
  type Values,
  weakened,
} from "./shell-variables.ts";
import { type Ends, joinEnds, type Places, type ShellScope, type ShellWalk } from "./shell-walk.ts";

export type Loop = {
  readonly scope: ShellScope;
  readonly places: Places;
  readonly variable?: string | undefined;
  /** One for each way to begin a round; undefined is an unknown one. */
  readonly values: readonly (KnownValue | undefined)[];
};

type Round = (scope: ShellScope, start: Places) => Ends;

const valuesMax = 32;

export function valuesOfLoop(words: readonly ShellWord[]): readonly (KnownValue | undefined)[] {
  const values = words.map(toValue);
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0 || known.length > valuesMax) return [undefined];
  return known.length < values.length ? [...known, undefined] : known;
}

function toValue({ text, isLiteral, isSplit, isGlob }: ShellWord): KnownValue | undefined {
  if (isGlob) return { text, isGlob: true };
  return isLiteral && !isSplit ? { text, isGlob: false } : undefined;
}

export function walkLoop(walk: ShellWalk, loop: Loop, round: Round): Ends {
  const first = walk.commands.length;
  const ends = walkRounds(walk, loop, round);
  // Most of what several rounds run is the same.
  const unique = new Map(walk.commands.splice(first).map((command) => [JSON.stringify(command), command]));
  walk.commands.push(...unique.values());
  return ends;
}

/** A body that leaves its directory starts its next round somewhere else. */
function walkRounds(walk: ShellWalk, loop: Loop, round: Round): Ends {
  const { moves } = walk;
  const { scope, places } = loop;
  const before = forkVariables(scope.variables);
  const ends = walkPasses(loop, (inner) => round(inner, places));
  if (walk.moves === moves) return joinEnds(ends, { ok: places, failed: [] });
  if (!places.includes(undefined)) {
    const again = { ...loop, scope: { ...scope, variables: before } };
    walkPasses(again, (inner) => round(inner, [undefined]));
    forgetTouched(scope.variables, before);
  }
  return { ok: [undefined], failed: [undefined] };
}

/**
 * The first pass begins with what was known before the loop. If a round may change that, the next one begins without
 * it; what comes after that begins with nothing, which is true of every round.
 */
function walkPasses(loop: Loop, round: (scope: ShellScope) => Ends): Ends {
  const { scope, variable } = loop;
  const outer = scope.variables;
  const { limits } = outer;
  let ends: Ends = { ok: [], failed: [] };
  const walkOnce = (start: Values, values: Loop["values"]): ShellVariables => {
    const wasOff = limits.isOff;
    const variables = forkVariables(outer);
    for (const value of values) {
      spendStep(limits);
      // The pass has to be walked again then, without values.
      if (limits.isOff !== wasOff) break;
      variables.values = start;
      if (variable !== undefined) setVariable(variables, variable, value);
      const inner = { ...scope, variables };
      ends = joinEnds(ends, round(inner));
      scope.input = inner.input;
    }
    forgetTouched(outer, variables);
    return variables;
  };
  let start = without(outer.values, (name) => name === variable);
  for (let count = 0; ; count += 1) {
    const wasOff = limits.isOff;
    const passed = walkOnce(start, wasOff ? [undefined] : loop.values);
    const isChanged = (name: string) => passed.isAllTouched || passed.touched.has(name);
    const isSteady = (name: string) => start.get(name)?.isNumber === true && weakened(passed, name) !== undefined;
    if (limits.isOff === wasOff && ![...start.keys()].some((name) => isChanged(name) && !isSteady(name))) return ends;
    const kept = without(start, (name) => count > 0 || (isChanged(name) && weakened(passed, name) === undefined));
    start = new Map([...kept].map(([name, value]) => [name, isChanged(name) ? anyNumber : value]));
  }
}

function without(values: Values, isGone: (name: string) => boolean): Values {
  return new Map([...values].filter(([name]) => !isGone(name)));
}
