/** Tells flags from words on the command line, and reads the flags by their table. */
import { argumentTexts } from "../texts/arguments.ts";
import { type Flag, type Flags, flagNames, flagTable } from "./flags.ts";
import { nearWords } from "./near-words.ts";

export type Split =
  | {
      readonly ok: true;
      readonly flags: Flags;
      readonly words: readonly string[];
      /** What stood after `--`, never read as a flag or a command. */
      readonly verbatim: readonly string[];
    }
  | { readonly ok: false; readonly sentence: string };

export function splitArguments(argv: readonly string[]): Split {
  const flags: Flags = {};
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? "";
    if (argument === "--") return { ok: true, flags, words, verbatim: argv.slice(index + 1) };
    if (!argument.startsWith("-") || argument === "-") {
      words.push(argument);
      continue;
    }
    const equals = argument.startsWith("--") ? argument.indexOf("=") : -1;
    const name = equals === -1 ? argument : argument.slice(0, equals);
    const flag = flagTable.find((each) => each.names.includes(name));
    if (flag === undefined) return { ok: false, sentence: unknownFlag(name) };
    const inline = equals === -1 ? undefined : argument.slice(equals + 1);
    const next = argv[index + 1];
    const isOptional = flag.isValueOptional === true && (next === undefined || next.startsWith("-"));
    const isLeftOut = isOptional || flag.isValueInline === true;
    const follows = flag.takes !== undefined && inline === undefined && !isLeftOut;
    if (follows) index += 1;
    const value = inline ?? (follows ? next : isLeftOut ? "" : undefined);
    const problem = setFlag(flag, flags, { name, value });
    if (problem !== undefined) return { ok: false, sentence: problem };
  }
  return { ok: true, flags, words, verbatim: [] };
}

function setFlag(flag: Flag, flags: Flags, given: { readonly name: string; readonly value: string | undefined }) {
  const { name, value } = given;
  if (flag.takes === undefined) return value === undefined ? flag.set(flags, "") : argumentTexts.takesNoValue(name);
  if (value === undefined) return argumentTexts.needsValue(name, flag.takes);
  const expected = flag.set(flags, value);
  return expected === undefined ? undefined : argumentTexts.mustBe(name, expected, JSON.stringify(value));
}

function unknownFlag(name: string): string {
  const [nearest] = nearWords(name, flagNames, 1);
  return argumentTexts.unknown("flag", name, nearest === undefined ? [] : [nearest]);
}
