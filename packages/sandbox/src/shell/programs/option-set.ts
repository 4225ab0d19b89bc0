/** The options a program understands, compiled from short table texts. */

/** What the value of an option is, or what the option does. */
export const optionEffects = [
  /** Nothing that matters. */
  "none",
  /** Its value is a file that is read. */
  "read",
  /** Its value is a file with names of files, and all of them are read. */
  "list",
  /** Its value is a file or directory that is written. */
  "write",
  /** The same, and `-` is standard output instead of a file of that name. */
  "output",
  /** Its value is shell code or a command line that is run. */
  "script",
  /** Its value is the directory that the program works in. */
  "directory",
  /** It changes or removes something, so that the program no longer only looks. */
  "change",
  /** It makes a program that looks see more than it would: still a look, but a rule must name it. */
  "widen",
] as const;
export type OptionEffect = (typeof optionEffects)[number];

/**
 * One option that matters: spellings, effect and, for options that turn a harmless program into one that writes, runs
 * or loads something, why. `-o/--output:` takes a value, `-c/--color?` only the long one and attached, `-v` none.
 */
export type OptionRow = readonly [spec: string, effect: OptionEffect, why?: string];

export type OptionTable = {
  /** Options without consequences, separated by spaces, in the same notation. */
  readonly plain?: string;
  readonly special?: readonly OptionRow[];
  /** Long options have one dash, as in `openssl -out`, and short ones cannot be joined. */
  readonly oneDash?: boolean;
  /** The first operand ends the options: what follows belongs to another command. */
  readonly stopsAtOperand?: boolean;
  /** `-5` and the like are numbers for this program. */
  readonly takesNumbers?: boolean;
  /** None of its options writes, runs or loads, also none that is not listed: a word may become any of them. */
  readonly anyOption?: boolean;
  /** Values of long options follow as words of their own, so that only a listed spelling is an option. */
  readonly exactOptions?: boolean;
};

export type OptionRule = {
  readonly spellings: readonly string[];
  readonly value: "none" | "required" | "optional";
  readonly effect: OptionEffect;
  readonly why: string | undefined;
};

export type OptionSet = {
  readonly rules: ReadonlyMap<string, OptionRule>;
  readonly longNames: readonly string[];
  /** A word that is unknown before it runs could be one of its risky options. */
  readonly hasRisk: boolean;
  readonly oneDash: boolean;
  readonly stopsAtOperand: boolean;
  readonly takesNumbers: boolean;
  readonly anyOption: boolean;
  readonly exactOptions: boolean;
};

/** Compiled at first use, because most programs of the tables are never met in one run. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function compileOptions(table: OptionTable, more: readonly OptionTable[] = []): OptionSet {
  const rules = new Map<string, OptionRule>();
  let hasRisk = false;
  for (const { plain, special } of [...more, table]) {
    for (const spec of plain?.split(/\s+/) ?? []) if (spec !== "") add(rules, [spec, "none"]);
    for (const row of special ?? []) {
      add(rules, row);
      hasRisk ||= row[2] !== undefined && row[1] !== "widen";
    }
  }
  return {
    rules,
    longNames: [...rules.keys()].filter((name) => name.startsWith("--")),
    hasRisk,
    oneDash: table.oneDash ?? false,
    stopsAtOperand: table.stopsAtOperand ?? false,
    takesNumbers: table.takesNumbers ?? false,
    anyOption: table.anyOption ?? false,
    exactOptions: table.exactOptions ?? false,
  };
}

/** A mark at the end counts for every spelling, but `?` never for a short one, which needs its own: `-i?/--in-place?`. */
function add(rules: Map<string, OptionRule>, [spec, effect, why]: OptionRow): void {
  const marked = spec.split("/");
  const spellings = marked.map((spelling) => spelling.replace(/(?<=..)[:?]$/, ""));
  const isRequired = spec.endsWith(":");
  marked.forEach((text, index) => {
    const spelling = spellings[index] ?? text;
    const isOptional = text.length > spelling.length && text.endsWith("?");
    const isLong = spelling.length > 2 && spec.endsWith("?");
    const value = isRequired ? "required" : isOptional || isLong ? "optional" : "none";
    rules.set(spelling, { spellings, value, effect, why });
  });
}
