/** Follows the redirections of a command: which files they open and where its input comes from. */
import { expandValue, expandWord, type KnownVariables } from "./expand-word.ts";
import { noteAssignment } from "./note-assignment.ts";
import { recordFile } from "./record-file.ts";
import type { ShellInput } from "./shell-command.ts";
import { setVariable } from "./shell-variables.ts";
import { addConcern, type Places, type ShellScope, type ShellWalk } from "./shell-walk.ts";
import type { Redirection, Word } from "./syntax/script.ts";

type Around = {
  readonly input: ShellInput;
  readonly places: Places;
  readonly known: KnownVariables;
  readonly scope: ShellScope;
  readonly visit: (word: Word) => void;
};

const by = "redirection";

/** The input of the command. */
export function walkRedirections(walk: ShellWalk, redirections: readonly Redirection[], around: Around): ShellInput {
  let { input } = around;
  for (const redirection of redirections) {
    around.visit(redirection.target);
    if (redirection.variable !== undefined) {
      noteAssignment(walk, { name: redirection.variable, value: undefined });
      setVariable(around.scope.variables, redirection.variable);
    }
    const found = follow(walk, redirection, around);
    const isInput =
      redirection.variable === undefined && (redirection.descriptor ?? usualDescriptor(redirection)) === 0;
    if (isInput && found !== undefined) input = found;
  }
  return input;
}

function usualDescriptor({ operator }: Redirection): number {
  return operator.startsWith("<") ? 0 : 1;
}

/** What the descriptor reads from afterwards. */
function follow(walk: ShellWalk, redirection: Redirection, around: Around): ShellInput | undefined {
  const { operator, target } = redirection;
  if (operator === "<<" || operator === "<<<") {
    const word = operator === "<<" ? hereText(target) : expandValue(target, around.known);
    return { kind: "text", text: word.isLiteral ? word.text : undefined };
  }
  if (operator === "<&" || operator === ">&") return copy(walk, redirection, around);
  return open(walk, redirection, around);
}

function hereText(body: Word): { readonly text: string; readonly isLiteral: boolean } {
  const isLiteral = body.parts.every((part) => part.kind === "text");
  return { text: body.parts.map((part) => (part.kind === "text" ? part.text : part.source)).join(""), isLiteral };
}

function copy(walk: ShellWalk, redirection: Redirection, around: Around): ShellInput | undefined {
  const [word, second] = expandWord(redirection.target, around.known);
  const isDescriptor = word !== undefined && second === undefined && word.isLiteral && /^(?:\d+-?|-)$/.test(word.text);
  if (isDescriptor) return word.text === "-" ? { kind: "inherited" } : { kind: "output" };
  if (redirection.operator === ">&" && redirection.descriptor === undefined) return open(walk, redirection, around);
  addConcern(walk, redirection.target.source, "What is opened cannot be known before it runs.");
  return { kind: "output" };
}

function open(walk: ShellWalk, redirection: Redirection, around: Around): ShellInput | undefined {
  const { operator, target } = redirection;
  if (target.parts.length === 1 && target.parts.some((part) => part.kind === "expansion" && part.isProcess)) {
    return { kind: "output" };
  }
  const [word, second] = expandWord(target, around.known);
  const access = operator === "<" ? "read" : "write";
  if (word === undefined || second !== undefined || !word.isLiteral) {
    const why = `Which file the redirection ${access === "read" ? "reads" : "writes"} cannot be known before it runs.`;
    addConcern(walk, `${operator} ${target.source}`, why);
    const unknown = { text: target.source, isLiteral: false, isSplit: true, isGlob: false };
    recordFile(walk, { word: unknown, access, by }, around.places);
    return { kind: "file" };
  }
  recordFile(walk, { word, access, by }, around.places);
  if (operator === "<>") recordFile(walk, { word, access: "read", by }, around.places);
  return { kind: "file" };
}
