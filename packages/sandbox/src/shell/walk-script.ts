/** Walks the tree of a script in the order in which it would run, and follows where its commands run. */
import { expandValue, expandWord, type KnownVariables } from "./expand-word.ts";
import { inspectCommand } from "./inspect-command.ts";
import { isKnownName } from "./known-names.ts";
import { holdsCode, noteArithmetic, noteAssignment } from "./note-assignment.ts";
import type { Assignment, ShellInput, ShellWord } from "./shell-command.ts";
import {
  addConcern,
  afterEither,
  type Ends,
  joinPlaces,
  noteUnknown,
  type Places,
  type ShellScope,
  type ShellWalk,
  somewhere,
} from "./shell-walk.ts";
import { parseScript } from "./syntax/parse-script.ts";
import type {
  AndOrList,
  Command,
  CompoundCommand,
  FunctionDefinition,
  JoinedPipeline,
  Script,
  SimpleCommand,
  Word,
} from "./syntax/script.ts";
import { walkRedirections } from "./walk-redirections.ts";

export function walkText(walk: ShellWalk, text: string, scope: ShellScope, places: Places): Ends {
  const parsed = parseScript(text, scope.depth);
  if (parsed.ok) return walkScript(walk, parsed.script, scope, places);
  noteUnknown(walk, parsed.problem);
  return { ok: [undefined], failed: [undefined] };
}

function walkScript(walk: ShellWalk, script: Script, scope: ShellScope, places: Places): Ends {
  let ends: Ends = { ok: places, failed: [] };
  let here = places;
  for (const list of script.lists) {
    here = afterEither(ends, here);
    ends = walkList(walk, list, scope, here);
  }
  return ends;
}

function walkList(walk: ShellWalk, list: AndOrList, scope: ShellScope, places: Places): Ends {
  let ends: Ends = { ok: places, failed: [] };
  const isPlain = scope.isPlain && !list.isBackground && list.pipelines.length === 1;
  const inner = list.isBackground ? { ...scope, isPlain } : scope;
  for (const pipeline of list.pipelines) {
    const start = pipeline.join === "or" ? ends.failed : ends.ok;
    if (list.isBackground) checkForkBomb(walk, pipeline.commands);
    const after = walkPipeline(walk, pipeline, inner, somewhere(start, places));
    if (pipeline.join === "or") ends = { ok: joinPlaces(ends.ok, after.ok), failed: after.failed };
    else ends = { ok: after.ok, failed: joinPlaces(after.failed, ends.failed) };
  }
  return list.isBackground ? { ok: places, failed: [] } : ends;
}

function walkPipeline(walk: ShellWalk, pipeline: JoinedPipeline, scope: ShellScope, places: Places): Ends {
  const { commands, prefix } = pipeline;
  const [first, second] = commands;
  if (first === undefined) return { ok: places, failed: places };
  const start = walk.commands.length;
  if (second === undefined) {
    const ends = walkCommand(walk, first, scope, places);
    showPrefix(walk, prefix.replaceAll("! ", ""), start);
    return prefix.includes("!") ? { ok: ends.failed, failed: ends.ok } : ends;
  }
  checkForkBomb(walk, commands);
  let by: readonly (readonly ShellWord[])[] | undefined = [];
  for (const [index, command] of commands.entries()) {
    const input: ShellInput = index === 0 ? scope.input : { kind: "output", ...(by === undefined ? {} : { by }) };
    walkCommand(walk, command, { ...scope, input, isPlain: false }, places);
    if (index === 0) showPrefix(walk, prefix, start);
    const words = producerWords(walk, command, places);
    by = by === undefined || words === undefined ? undefined : [...by, words];
  }
  return { ok: places, failed: places };
}

/** Undefined for what is no plain command of a known program in a known place: what it prints cannot be told. */
function producerWords(walk: ShellWalk, command: Command, places: Places): readonly ShellWord[] | undefined {
  if (command.kind !== "simple" || command.assignments.length > 0 || places.length > 1) return undefined;
  const words = command.words.flatMap((word) => expandWord(word, knownVariables(walk, places)));
  return words[0] !== undefined && walk.functions.has(words[0].text) ? undefined : words;
}

/** `time rm x` is also judged as it is written. */
function showPrefix(walk: ShellWalk, prefix: string, index: number): void {
  const command = walk.commands[index];
  if (command === undefined || prefix === "" || prefix === "!") return;
  const text = `${prefix} ${command.text}`;
  walk.commands.splice(index, 0, {
    text,
    otherTexts: [],
    isTransparent: true,
    riskyOptions: [],
    readOnly: command.readOnly,
  });
}

function checkForkBomb(walk: ShellWalk, commands: readonly Command[]): void {
  for (const command of commands) {
    const name = command.kind === "simple" ? command.words[0]?.source : undefined;
    if (name !== undefined && walk.open.includes(name)) {
      walk.guard ??= `The function ${name} starts itself again and again, which stops the machine.`;
    }
  }
}

function walkCommand(walk: ShellWalk, command: Command, scope: ShellScope, places: Places): Ends {
  switch (command.kind) {
    case "simple":
      return walkSimple(walk, command, scope, places);
    case "compound":
      return walkCompound(walk, command, scope, places);
    case "function":
      return walkFunction(walk, command, scope, places);
    case "coprocess": {
      const name = command.name ?? "COPROC";
      noteAssignment(walk, { name, value: undefined });
      const start = walk.commands.length;
      walkCommand(walk, command.body, { ...scope, input: { kind: "output" }, isPlain: false }, places);
      if (command.body.kind === "simple") showPrefix(walk, "coproc", start);
      return { ok: places, failed: places };
    }
  }
}

function walkSimple(walk: ShellWalk, command: SimpleCommand, scope: ShellScope, places: Places): Ends {
  const known = knownVariables(walk, places);
  const visit = (word: Word) => visitWord(walk, word, scope, places);
  const assignments: Assignment[] = [];
  for (const { name, value, words } of command.assignments) {
    words.forEach(visit);
    if (value !== undefined) visit(value);
    const assignment = { name, value: value === undefined ? undefined : expandValue(value, known) };
    assignments.push(assignment);
    noteAssignment(walk, assignment);
  }
  command.words.forEach(visit);
  const input = walkRedirections(walk, command.redirections, { input: scope.input, places, known, visit });
  const words = command.words.flatMap((word) => expandWord(word, known));
  const ends = inspectCommand(walk, { words, assignments, input }, scope, places);
  // `exec` without a program turns the input of the shell itself.
  if (words[0]?.text === "exec" && words.length === 1) scope.input = input;
  return ends;
}

function knownVariables(walk: ShellWalk, places: Places): KnownVariables {
  const [directory] = places;
  return {
    home: walk.assigned.has("HOME") ? undefined : walk.place.home,
    directory: walk.assigned.has("PWD") || places.length > 1 ? undefined : directory,
  };
}

/** Everything that expanding a word would do. */
function visitWord(walk: ShellWalk, word: Word, scope: ShellScope, places: Places): void {
  for (const part of word.parts) {
    if (part.kind === "text") continue;
    const { scripts, assigned, arithmetic, dangers } = part.nested;
    const input: ShellInput = part.source.startsWith(">(") ? { kind: "output" } : scope.input;
    for (const script of scripts) walkScript(walk, script, { ...scope, input, isPlain: false }, places);
    for (const name of assigned) noteAssignment(walk, { name, value: undefined });
    for (const text of arithmetic) noteArithmetic(walk, text);
    for (const danger of dangers) addConcern(walk, part.source, danger);
  }
}

function walkCompound(walk: ShellWalk, command: CompoundCommand, outer: ShellScope, places: Places): Ends {
  const known = knownVariables(walk, places);
  const visit = (word: Word) => visitWord(walk, word, outer, places);
  command.words.forEach(visit);
  const input = walkRedirections(walk, command.redirections, { input: outer.input, places, known, visit });
  const { shape } = command;
  const isStraight = shape.kind === "group" && command.redirections.length === 0;
  const scope: ShellScope = isStraight ? outer : { ...outer, input, isPlain: false };
  const stay: Ends = { ok: places, failed: places };
  switch (shape.kind) {
    case "group":
      return walkScript(walk, shape.body, scope, places);
    case "subshell":
      walkScript(walk, shape.body, scope, places);
      return stay;
    case "if": {
      let start = places;
      let ends: Ends = { ok: [], failed: [] };
      for (const { condition, body } of shape.branches) {
        const tested = walkScript(walk, condition, scope, start);
        ends = joinEnds(ends, walkScript(walk, body, scope, somewhere(tested.ok, start)));
        start = somewhere(tested.failed, start);
      }
      const last =
        shape.otherwise === undefined ? { ok: start, failed: [] } : walkScript(walk, shape.otherwise, scope, start);
      return joinEnds(ends, last);
    }
    case "while":
      return walkLoop(walk, places, (start) => {
        const tested = walkScript(walk, shape.condition, scope, start);
        const after = walkScript(walk, shape.body, scope, somewhere(tested.ok, start));
        return joinEnds(after, { ok: tested.failed, failed: [] });
      });
    case "for":
      if (shape.variable !== undefined) noteAssignment(walk, { name: shape.variable, value: undefined });
      return walkLoop(walk, places, (start) => walkScript(walk, shape.body, scope, start));
    case "case": {
      let ends: Ends = stay;
      // One body may go on into the next.
      for (const body of shape.bodies) ends = joinEnds(ends, walkScript(walk, body, scope, afterEither(ends, places)));
      return ends;
    }
    case "expression":
      for (const word of command.words) checkEvaluated(walk, word);
      return stay;
  }
}

function joinEnds(first: Ends, second: Ends): Ends {
  return { ok: joinPlaces(first.ok, second.ok), failed: joinPlaces(first.failed, second.failed) };
}

/** A body that leaves its directory starts its next round somewhere else. */
function walkLoop(walk: ShellWalk, places: Places, round: (start: Places) => Ends): Ends {
  const { moves } = walk;
  const ends = round(places);
  if (walk.moves === moves) return joinEnds(ends, { ok: places, failed: [] });
  if (!places.includes(undefined)) round([undefined]);
  return { ok: [undefined], failed: [undefined] };
}

/** Quoted code in a condition runs when the condition evaluates it. */
function checkEvaluated(walk: ShellWalk, word: Word): void {
  for (const part of word.parts) {
    if (part.kind === "expansion" && part.nested.arithmetic.some(holdsCode)) {
      noteUnknown(walk, "Quoted text is evaluated and can run commands.");
    }
  }
}

function walkFunction(walk: ShellWalk, command: FunctionDefinition, scope: ShellScope, places: Places): Ends {
  const { name, body } = command;
  if (isKnownName(name)) noteUnknown(walk, `A function takes the name of the program ${name}.`);
  const { moves } = walk;
  const start = walk.isCallUnclear ? [undefined] : places;
  const input: ShellInput = walk.isCallUnclear ? { kind: "output" } : { kind: "inherited" };
  walk.open.push(name);
  // Known before the body is walked, so that it may call itself.
  walk.functions.set(name, { isSure: scope.isPlain, moves: false });
  walkCommand(walk, body, { input, depth: scope.depth, isPlain: false }, start);
  walk.open.pop();
  walk.functions.set(name, { isSure: scope.isPlain && !isKnownName(name), moves: walk.moves !== moves });
  return { ok: places, failed: [] };
}
