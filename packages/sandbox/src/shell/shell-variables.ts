/** The values that a text has given to variables, as far as they are certain for the next command of the same shell. */
import { isRiskyVariable } from "./risky-variables.ts";
import { isShellOwned } from "./shell-owned-variables.ts";

export type KnownValue = {
  readonly text: string;
  /** One of the file names that this pattern stands for, and not the pattern itself. */
  readonly isGlob: boolean;
  /** Some number; the text is not known then. */
  readonly isNumber?: true;
};

/** A number whose digits are not known. */
export const anyNumber: KnownValue = { text: "", isGlob: false, isNumber: true };

export type Values = ReadonlyMap<string, KnownValue>;

/** One shell; a subshell has its own. */
export type ShellVariables = {
  values: Values;
  /** Every name that was set or may have been, whatever its value is now. */
  readonly touched: Set<string>;
  /** Those of them that were set to anything but a number. */
  readonly others: Set<string>;
  /** The values that this shell began with. */
  readonly start: Values;
  /** Any name may have been set. */
  isAllTouched: boolean;
  readonly limits: FollowingLimits;
};

/** Shared by all shells of one text, so that nothing in it makes the reading long. */
export type FollowingLimits = {
  /** Something may set variables whenever it likes: a trap, a function, a file that is read. */
  isOff: boolean;
  charactersLeft: number;
  stepsLeft: number;
};

const valueLengthMax = 1_000;
const valuesMax = 64;
const charactersMax = 50_000;
/** Commands and rounds of loops. */
const stepsMax = 1_000;
const noValues: Values = new Map();

export function createVariables(): ShellVariables {
  const limits = { isOff: false, charactersLeft: charactersMax, stepsLeft: stepsMax };
  return beginWith(noValues, limits);
}

function beginWith(values: Values, limits: FollowingLimits): ShellVariables {
  return { values, start: values, touched: new Set(), others: new Set(), isAllTouched: false, limits };
}

/** For a subshell, which knows the values and keeps its changes, and for what may not run at all. */
export function forkVariables({ values, limits }: ShellVariables): ShellVariables {
  return beginWith(values, limits);
}

/** For another process, of which it is not followed what it inherits. */
export function unknownVariables(
  { limits }: ShellVariables,
  { isFollowed }: { readonly isFollowed: boolean },
): ShellVariables {
  const own = isFollowed ? limits : { ...limits, isOff: true };
  return beginWith(noValues, own);
}

export function findValue({ values, limits }: ShellVariables, name: string): KnownValue | undefined {
  const value = limits.isOff ? undefined : values.get(name);
  if (value === undefined || value.isNumber) return undefined;
  limits.charactersLeft -= value.text.length + 1;
  if (limits.charactersLeft >= 0) return value;
  limits.isOff = true;
  return undefined;
}

export function isNumber(value: KnownValue | undefined): boolean {
  return value !== undefined && !value.isGlob && (value.isNumber === true || /^-?\d{1,18}$/.test(value.text));
}

/** Without a value it is unknown from then on. */
export function setVariable(variables: ShellVariables, name: string, value?: KnownValue): void {
  variables.touched.add(name);
  if (!isNumber(value)) variables.others.add(name);
  // Values are split in another way from then on.
  if (name === "IFS") variables.limits.isOff = true;
  const { values, limits } = variables;
  const isThere = values.has(name);
  const hasRoom = !limits.isOff && (isThere || values.size < valuesMax);
  const isFollowed = hasRoom && value !== undefined && value.text.length <= valueLengthMax && !isUnsteady(name);
  if (!isFollowed && !isThere) return;
  const changed = new Map(values);
  if (isFollowed) changed.set(name, value);
  else changed.delete(name);
  variables.values = changed;
}

/** When all are spent nothing is followed any more, as if every value were unknown. */
export function spendStep(limits: FollowingLimits): void {
  limits.stepsLeft -= 1;
  if (limits.stepsLeft < 0) limits.isOff = true;
}

/** What changes programs or the shell, or is changed by the shell itself, is never taken for known. */
function isUnsteady(name: string): boolean {
  return isRiskyVariable(name) || isShellOwned(name);
}

export function forgetAll(variables: ShellVariables): undefined {
  variables.values = noValues;
  variables.isAllTouched = true;
}

export function stopFollowing(variables: ShellVariables): undefined {
  forgetAll(variables);
  variables.limits.isOff = true;
}

/** For changes in the same shell that were made only perhaps: of all values it had, only what is a number stays one. */
export function forgetTouched(variables: ShellVariables, inner: ShellVariables): void {
  if (inner.isAllTouched) forgetAll(variables);
  for (const name of [...inner.touched]) setVariable(variables, name, weakened(inner, name));
}

/** What a name is known to be before and after anything that was done to it. */
export function weakened({ start, others, isAllTouched }: ShellVariables, name: string): KnownValue | undefined {
  return !isAllTouched && !others.has(name) && isNumber(start.get(name)) ? anyNumber : undefined;
}
