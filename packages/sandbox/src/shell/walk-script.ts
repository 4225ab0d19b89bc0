/** Walks the tree of a script in the order in which it would run, and follows where its commands run. */
import { givesNumber, judgeArithmetic } from "./arithmetic-place.ts";
import { expandValue, expandWord, type KnownVariables } from "./expand-word.ts";
import { inspectCommand, textOf } from "./inspect-command.ts";
import { isKnownName } from "./known-names.ts";
import { noteAssignment } from "./note-assignment.ts";
import type { Assignment, ShellInput, ShellWord } from "./shell-command.ts";
import {
  anyNumber,
  findValue,
  forgetAll,
  forgetTouched,
  setVariable,
  spendStep,
  stopFollowing,
} from "./shell-variables.ts";
import {
  addConcern,
  afterEither,
  type Ends,
  inSubshell,
  joinEnds,
  joinPlaces,
  noteUnknown,
  type Places,
  perhaps,
  type ShellScope,
  type ShellWalk,
  somewhere,
} from "./shell-walk.ts";
import { parseScript } from "./syntax/parse-script.ts";
import { isReserved } from "./syntax/reserved-words.ts";
import type {
  AndOrList,
  Command,
  CompoundCommand,
  CompoundShape,
  FunctionDefinition,
  JoinedPipeline,
  Script,
  SimpleCommand,
  Word,
} from "./syntax/script.ts";
import { subscriptOf } from "./syntax/word-parts.ts";
import { valuesOfLoop, walkLoop } from "./walk-loop.ts";
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
  const inner = list.isBackground ? { ...inSubshell(scope), isPlain } : scope;
  const walkNext = (pipeline: JoinedPipeline, around: ShellScope) => {
    const start = pipeline.join === "or" ? ends.failed : ends.ok;
    if (list.isBackground) checkForkBomb(walk, pipeline.commands);
    const after = walkPipeline(walk, pipeline, around, somewhere(start, places));
    if (pipeline.join === "or") ends = { ok: joinPlaces(ends.ok, after.ok), failed: after.failed };
    else ends = { ok: after.ok, failed: joinPlaces(after.failed, ends.failed) };
  };
  const [first, ...others] = list.pipelines;
  if (first !== undefined) walkNext(first, inner);
  if (others.length > 0) perhaps(inner, (around) => walkOthers(others, around, walkNext));
  return list.isBackground ? { ok: places, failed: [] } : ends;
}

/** Behind `&&` all before it has run; behind an `||` any of them may have. */
function walkOthers(
  pipelines: readonly JoinedPipeline[],
  scope: ShellScope,
  walkNext: (pipeline: JoinedPipeline, scope: ShellScope) => void,
): void {
  let isChoice = false;
  for (const pipeline of pipelines) {
    if (pipeline.join === "or" && !isChoice) {
      isChoice = true;
      forgetTouched(scope.variables, scope.variables);
    }
    if (isChoice) perhaps(scope, (inner) => walkNext(pipeline, inner));
    else walkNext(pipeline, scope);
  }
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
    const words = producerWords(walk, command, scope, places);
    // The last one runs in the shell itself when an option says so.
    const own = inSubshell(scope);
    walkCommand(walk, command, { ...own, input, isPlain: false }, places);
    if (index === commands.length - 1) forgetTouched(scope.variables, own.variables);
    if (index === 0) showPrefix(walk, prefix, start);
    by = by === undefined || words === undefined ? undefined : [...by, words];
  }
  return { ok: places, failed: places };
}

/** Undefined for what is no plain command of a known program in a known place: what it prints cannot be told. */
function producerWords(
  walk: ShellWalk,
  command: Command,
  scope: ShellScope,
  places: Places,
): readonly ShellWord[] | undefined {
  if (command.kind !== "simple" || command.assignments.length > 0 || places.length > 1) return undefined;
  const words = command.words.flatMap((word) => expandWord(word, knownVariables(walk, scope, places)));
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
      stopFollowing(scope.variables);
      const start = walk.commands.length;
      walkCommand(walk, command.body, { ...inSubshell(scope), input: { kind: "output" }, isPlain: false }, places);
      if (command.body.kind === "simple") showPrefix(walk, "coproc", start);
      return { ok: places, failed: places };
    }
  }
}

function walkSimple(walk: ShellWalk, command: SimpleCommand, scope: ShellScope, places: Places): Ends {
  spendStep(scope.variables.limits);
  const visit = (word: Word) => visitWord(walk, word, scope, places);
  const assignments = walkAssignments(walk, command, scope, places);
  command.words.forEach(visit);
  const known = knownVariables(walk, scope, places);
  const input = walkRedirections(walk, command.redirections, { input: scope.input, places, known, scope, visit });
  const words = nameProgram(
    command,
    command.words.flatMap((word) => expandWord(word, known)),
  );
  checkProgram(walk, command, known);
  const written = writtenText(command, words, known);
  const ends = inspectCommand(walk, { words, assignments, input, ...(written && { written }) }, scope, places);
  // `exec` without a program turns the input of the shell itself.
  if (words[0]?.text === "exec" && words.length === 1) scope.input = input;
  return ends;
}

/** Before a program they hold only for it, and not for its own words; without one they stay. */
function walkAssignments(
  walk: ShellWalk,
  command: SimpleCommand,
  scope: ShellScope,
  places: Places,
): readonly Assignment[] {
  const isPrefix = command.words.length + command.redirections.length > 0;
  if (isPrefix) for (const { name } of command.assignments) setVariable(scope.variables, name);
  return command.assignments.map(({ name, value, words, isWhole }) => {
    for (const word of words) visitWord(walk, word, scope, places);
    if (value !== undefined) visitWord(walk, value, scope, places);
    const found = value === undefined ? undefined : expandValue(value, knownVariables(walk, scope, places));
    const assignment = { name, value: found };
    noteAssignment(walk, assignment);
    const isKept = isWhole && !isPrefix;
    if (isKept && found?.isLiteral) setVariable(scope.variables, name, { text: found.text, isGlob: false });
    else setVariable(scope.variables, name, isKept && found?.isNumber ? anyNumber : undefined);
    return assignment;
  });
}

/** A value in the place of a program is one: no assignment, no reserved word, nothing that another shell might see in it. */
function nameProgram({ words: written }: SimpleCommand, words: readonly ShellWord[]): readonly ShellWord[] {
  const [program, ...others] = words;
  if (program === undefined || !written[0]?.parts.some((part) => part.kind === "expansion")) return words;
  const isName = /^[\w./+-]+$/.test(program.text) && !isReserved(program.text);
  return isName ? words : [{ ...program, isLiteral: false }, ...others];
}

/** A program that a variable names is looked into, so that rules that forbid it find it, but nothing permits it. */
function checkProgram(walk: ShellWalk, { words: [program] }: SimpleCommand, { find, ...bare }: KnownVariables): void {
  if (find === undefined || program === undefined) return;
  const [word] = expandWord(program, bare);
  if (!word?.isLiteral) noteUnknown(walk, `The program ${program.source} is only known at run time.`);
}

/** Undefined where no value was put in. */
function writtenText(
  command: SimpleCommand,
  words: readonly ShellWord[],
  { find, ...bare }: KnownVariables,
): string | undefined {
  if (find === undefined) return undefined;
  const text = textOf(command.words.flatMap((word) => expandWord(word, bare)));
  return text === textOf(words) ? undefined : text;
}

function knownVariables(walk: ShellWalk, { variables }: ShellScope, places: Places): KnownVariables {
  const [directory] = places;
  return {
    isNumber: (part) => givesNumber(walk, variables, part),
    home: walk.assigned.has("HOME") ? undefined : walk.place.home,
    directory: walk.assigned.has("PWD") || places.length > 1 ? undefined : directory,
    ...(variables.values.size > 0 && { find: (name: string) => findValue(variables, name) }),
  };
}

/** Everything that expanding a word would do. */
function visitWord(walk: ShellWalk, word: Word, scope: ShellScope, places: Places): void {
  for (const part of word.parts) {
    if (part.kind === "text") continue;
    const { scripts, assigned, arithmetic, dangers } = part.nested;
    const input: ShellInput = part.source.startsWith(">(") ? { kind: "output" } : scope.input;
    for (const script of scripts) walkScript(walk, script, { ...inSubshell(scope), input, isPlain: false }, places);
    for (const name of assigned) {
      noteAssignment(walk, { name, value: undefined });
      setVariable(scope.variables, name);
    }
    for (const text of arithmetic) judgeArithmetic(walk, scope.variables, { text, isWritten: true });
    for (const danger of dangers) addConcern(walk, part.source, danger);
    if (dangers.length > 0) forgetAll(scope.variables);
    visitIndirect(walk, part.source, scope);
  }
}

/** The value of the one names the other, with a subscript that is evaluated; lists of names are no values. */
function visitIndirect(walk: ShellWalk, source: string, { variables }: ShellScope): void {
  const [, name = "", after = ""] = /^\$\{!(\w*)(.*)$/s.exec(source) ?? ["", "", "}"];
  if (!source.startsWith("${!") || /^(?:[@*]|\[[@*]\])\}$/.test(after)) return;
  const value = findValue(variables, name);
  if (value === undefined || value.isGlob) judgeArithmetic(walk, variables, { text: source, isWritten: false });
  else for (const text of subscriptOf(value.text)) judgeArithmetic(walk, variables, { text, isWritten: false });
}

function walkCompound(walk: ShellWalk, command: CompoundCommand, outer: ShellScope, places: Places): Ends {
  const visit = (word: Word) => visitWord(walk, word, outer, places);
  command.words.forEach(visit);
  const known = knownVariables(walk, outer, places);
  const around = { input: outer.input, places, known, scope: outer, visit };
  const input = walkRedirections(walk, command.redirections, around);
  const { shape } = command;
  const isStraight = shape.kind === "group" && command.redirections.length === 0;
  const scope: ShellScope = isStraight ? outer : { ...outer, input, isPlain: false };
  const stay: Ends = { ok: places, failed: places };
  switch (shape.kind) {
    case "group":
      return walkScript(walk, shape.body, scope, places);
    case "subshell":
      walkScript(walk, shape.body, inSubshell(scope), places);
      return stay;
    case "if":
      return walkIf(walk, shape, scope, places);
    case "while":
      return walkLoop(walk, { scope, places, values: [undefined] }, (inner, start) => {
        const tested = walkScript(walk, shape.condition, inner, start);
        const after = walkScript(walk, shape.body, inner, somewhere(tested.ok, start));
        return joinEnds(after, { ok: tested.failed, failed: [] });
      });
    case "for": {
      const { variable, takesWords, body } = shape;
      if (variable !== undefined) noteAssignment(walk, { name: variable, value: undefined });
      const words = takesWords ? command.words.flatMap((word) => expandWord(word, known)) : [];
      const loop = { scope, places, variable, values: valuesOfLoop(words) };
      // The condition and the step of an arithmetic loop are evaluated again after each round.
      const again = variable === undefined ? command.words.slice(1) : [];
      return walkLoop(walk, loop, (inner, start) => {
        const ends = walkScript(walk, body, inner, start);
        for (const word of again) visitWord(walk, word, inner, start);
        return ends;
      });
    }
    case "case": {
      let ends: Ends = stay;
      // One body may go on into the next.
      for (const body of shape.bodies) {
        const start = afterEither(ends, places);
        ends = joinEnds(
          ends,
          perhaps(scope, (inner) => walkScript(walk, body, inner, start)),
        );
      }
      return ends;
    }
    case "expression":
      return stay;
  }
}

type IfShape = Extract<CompoundShape, { readonly kind: "if" }>;

function walkIf(walk: ShellWalk, shape: IfShape, scope: ShellScope, places: Places): Ends {
  let start = places;
  let ends: Ends = { ok: [], failed: [] };
  for (const [index, { condition, body }] of shape.branches.entries()) {
    const walkBranch = (outer: ShellScope) => {
      const tested = walkScript(walk, condition, outer, start);
      ends = joinEnds(
        ends,
        perhaps(outer, (inner) => walkScript(walk, body, inner, somewhere(tested.ok, start))),
      );
      start = somewhere(tested.failed, start);
    };
    if (index === 0) walkBranch(scope);
    else perhaps(scope, walkBranch);
  }
  const { otherwise } = shape;
  const last =
    otherwise === undefined
      ? { ok: start, failed: [] }
      : perhaps(scope, (inner) => walkScript(walk, otherwise, inner, start));
  return joinEnds(ends, last);
}

function walkFunction(walk: ShellWalk, command: FunctionDefinition, scope: ShellScope, places: Places): Ends {
  const { name, body } = command;
  if (isKnownName(name)) noteUnknown(walk, `A function takes the name of the program ${name}.`);
  const { moves } = walk;
  const start = walk.isCallUnclear ? [undefined] : places;
  const input: ShellInput = walk.isCallUnclear ? { kind: "output" } : { kind: "inherited" };
  // It sets variables wherever it is called.
  stopFollowing(scope.variables);
  walk.open.push(name);
  // Known before the body is walked, so that it may call itself.
  walk.functions.set(name, { isSure: scope.isPlain, moves: false });
  walkCommand(walk, body, { input, depth: scope.depth, isPlain: false, variables: scope.variables }, start);
  walk.open.pop();
  walk.functions.set(name, { isSure: scope.isPlain && !isKnownName(name), moves: walk.moves !== moves });
  return { ok: places, failed: [] };
}
