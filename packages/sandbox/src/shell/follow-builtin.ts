/** What a command does to the variables of the shell it runs in. */
import type { ProgramInsight, ShellWord } from "./shell-command.ts";
import { forgetAll, type ShellVariables, setVariable, stopFollowing } from "./shell-variables.ts";

export type FollowedCommand = {
  readonly words: readonly ShellWord[];
  readonly insight: ProgramInsight;
  /** The words are as they were written: no value of a variable is in them, and no other command passes them on. */
  readonly isWritten: boolean;
};

/** They set no variable that is followed. Code that some of them are given is walked for itself. */
const settingNone: ReadonlySet<string> = new Set(
  ": bg break builtin caller cd chdir command continue dirs disown echo eval exec exit false fg hash help jobs kill logout popd pushd pwd return shift suspend times true type ulimit umask".split(
    " ",
  ),
);
/** They set the variables that their words name, with these options. */
const settingNamed: ReadonlyMap<string, RegExp> = new Map([
  ["read", /^-[dehinprstuN]+$/],
  ["unset", /^-[fnv]$/],
  ["wait", /^-[fn]+$/],
  ["getopts", /^(?!)/],
]);
/** From then on anything may be set at any time, or not be settable. */
const settingAny: ReadonlySet<string> = new Set(
  ". alias bind compgen complete compopt coproc declare enable fc history local readonly shopt source trap typeset unalias".split(
    " ",
  ),
);

export function followBuiltin(variables: ShellVariables, name: string, command: FollowedCommand): undefined {
  const { words, insight } = command;
  if (settingAny.has(name)) return stopFollowing(variables);
  if (settingNone.has(name)) return undefined;
  const given = words.slice(1);
  switch (name) {
    case "export":
      return followExport(variables, command);
    case "set":
      return given.every(isHarmlessSetting) ? undefined : stopFollowing(variables);
    case "printf":
      return isNoOption(given[0]) ? undefined : forgetAll(variables);
    case "test":
    case "[":
      return isPlainTest(given) ? undefined : forgetAll(variables);
    // What it evaluates was followed where that was judged.
    case "let":
      return undefined;
    case "mapfile":
    case "readarray":
      return forgetAll(variables);
  }
  const options = settingNamed.get(name);
  if (options !== undefined) {
    const isClear = given.every(
      ({ text, isLiteral }) => isLiteral && (/^(?!-)[^[]*$/.test(text) || options.test(text)),
    );
    if (!isClear) return forgetAll(variables);
    for (const { text } of given) setVariable(variables, text);
    return undefined;
  }
  // Any other program is a process of its own, unless it is none.
  return insight.isUnlisted ? forgetAll(variables) : undefined;
}

function followExport(variables: ShellVariables, { words, insight, isWritten }: FollowedCommand): undefined {
  const given = words.slice(1);
  if (given.some((word) => word.text.startsWith("-"))) return stopFollowing(variables);
  if (!given.every((word) => word.isLiteral)) return forgetAll(variables);
  for (const { name, value } of insight.assigned) {
    const isNew = isWritten && given.some((word) => word.text === `${name}=${value?.text}`);
    if (value === undefined) continue;
    if (isNew) setVariable(variables, name, { text: value.text, isGlob: false });
    else setVariable(variables, name);
  }
}

const harmlessSettings: ReadonlySet<string> = new Set(["pipefail", "errexit", "nounset", "xtrace"]);

function isHarmlessSetting(word: ShellWord): boolean {
  return word.isLiteral && (/^[-+](?:[eux]+o?|o)$/.test(word.text) || harmlessSettings.has(word.text));
}

/** The format of `printf`, and not the option that names a variable. */
function isNoOption(word: ShellWord | undefined): boolean {
  return word === undefined || (word.isLiteral && !/^-./.test(word.text));
}

const unary = /^-[bcdefghknprstuwxzGLNOS]$/;
const binary = /^(?:=|==|!=|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

/** Without `-v` and `-R`, which evaluate a subscript; an unknown word could be one where no operator stands. */
function isPlainTest(words: readonly ShellWord[]): boolean {
  const own = words.filter(({ text }, index) => !(text === "]" && index === words.length - 1) && text !== "!");
  if (own.some((word) => word.isSplit && !word.isGlob)) return false;
  const texts = own.map((word) => (word.isLiteral ? word.text : undefined));
  if (own.length === 2) return unary.test(texts[0] ?? "") || (texts[0] === "-n" && texts[1] !== undefined);
  if (own.length === 3) return binary.test(texts[1] ?? "");
  return texts.every((text) => text !== undefined && text !== "-v" && text !== "-R");
}
