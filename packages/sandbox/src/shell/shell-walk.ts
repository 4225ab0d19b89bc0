/** What is gathered while a script is walked, and where its commands could be running. */
import type { AnalysedCommand, FileUse, ShellConcern, ShellPlace } from "@kedge/protocol";
import type { LookIntoProgram, ShellInput } from "./shell-command.ts";
import { forgetTouched, forkVariables, type ShellVariables } from "./shell-variables.ts";

/** Directories in which a command could run, several after a `cd` that may fail. Undefined is an unknown one. */
export type Places = readonly (string | undefined)[];

/** Where the next command runs if the last one succeeded, and if it failed. Empty when it never gets there. */
export type Ends = { readonly ok: Places; readonly failed: Places };

const placesMax = 4;
const unknownPlaces: Places = [undefined];

export type ShellWalk = {
  readonly place: ShellPlace;
  readonly lookInto: LookIntoProgram;
  readonly commands: AnalysedCommand[];
  readonly files: FileUse[];
  readonly concerns: ShellConcern[];
  /** Variables that the text has set so far. */
  readonly assigned: Set<string>;
  /** Those of them that were declared with an unknown value, which is read again if they are arrays. */
  readonly reread: Set<string>;
  /** Functions that the text has defined so far. */
  readonly functions: Map<string, FunctionFacts>;
  /** Functions whose bodies are being walked. */
  readonly open: string[];
  /** Walks shell code that a command was given as text; here because commands and scripts contain each other. */
  readonly walkText: (walk: ShellWalk, text: string, scope: ShellScope, places: Places) => Ends;
  /** Functions may be called anywhere, with any input. */
  readonly isCallUnclear: boolean;
  unknown: string | undefined;
  guard: string | undefined;
  /** How often the directory changed. */
  moves: number;
  /** A function was called with an input of its own. */
  feedsFunction: boolean;
};

export type FunctionFacts = {
  /** Nothing else could have the name when it is called. */
  readonly isSure: boolean;
  readonly moves: boolean;
};

/** What commands share that run in the same shell. */
export type ShellScope = {
  input: ShellInput;
  readonly depth: number;
  /** Everything here runs, in the order of the text. */
  readonly isPlain: boolean;
  readonly variables: ShellVariables;
};

/** For commands of the same shell that may not run: what they set is unknown afterwards. */
export function perhaps<Result>(scope: ShellScope, run: (inner: ShellScope) => Result): Result {
  const inner = { ...scope, variables: forkVariables(scope.variables) };
  const result = run(inner);
  scope.input = inner.input;
  forgetTouched(scope.variables, inner.variables);
  return result;
}

/** For commands of a shell of their own, which begins with what this one knows. */
export function inSubshell(scope: ShellScope): ShellScope {
  return { ...scope, variables: forkVariables(scope.variables) };
}

export function createWalk(parts: Pick<ShellWalk, "place" | "lookInto" | "walkText" | "isCallUnclear">): ShellWalk {
  return {
    ...parts,
    commands: [],
    files: [],
    concerns: [],
    assigned: new Set(),
    reread: new Set(),
    functions: new Map(),
    open: [],
    unknown: undefined,
    guard: undefined,
    moves: 0,
    feedsFunction: false,
  };
}

export function addConcern(walk: ShellWalk, text: string, why: string): void {
  if (!walk.concerns.some((concern) => concern.text === text && concern.why === why)) walk.concerns.push({ text, why });
}

export function noteUnknown(walk: ShellWalk, why: string): void {
  walk.unknown ??= why;
}

export function joinPlaces(first: Places, second: Places): Places {
  if (first === second || second.length === 0) return first;
  const joined = [...new Set([...first, ...second])];
  return joined.length > placesMax ? unknownPlaces : joined;
}

/** A place to go on from, also behind an `exit`, since what follows must be read too. */
export function somewhere(places: Places, otherwise: Places): Places {
  return places.length === 0 ? otherwise : places;
}

export function joinEnds(first: Ends, second: Ends): Ends {
  return { ok: joinPlaces(first.ok, second.ok), failed: joinPlaces(first.failed, second.failed) };
}

export function afterEither(ends: Ends, otherwise: Places): Places {
  return somewhere(joinPlaces(ends.ok, ends.failed), otherwise);
}
