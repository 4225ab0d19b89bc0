/** What is wrong in the user's own files: `tui.json`, key bindings and themes. */
import { counted } from "@kedge/protocol";

export const settingTexts = {
  notAnObject: "tui.json must contain a JSON object. Using defaults.",
  notJson: ({ line, problem }: { line: number; problem: string }) =>
    `tui.json is not valid JSON (line ${line}: ${problem}). Using defaults.`,
  wrong: ({ place, value, expected }: { place: string; value: string; expected: string }) =>
    `${place} is ${value} but must be ${expected}. Using the default.`,
  unknown: (place: string) => `${place} is not a setting and is ignored.`,
  unknownNear: ({ place, near }: { place: string; near: string }) =>
    `${place} is not a setting and is ignored; did you mean ${near}?`,

  /** Behind `must be`. */
  boolean: "true or false",
  string: "a string",
  strings: "a list of strings",
  integer: ({ min, max }: { min: number; max: number }) => `a whole number from ${min} to ${max}`,
  oneOf: (options: string) => `one of ${options}`,
  someOf: (options: string) => `a list of ${options}`,
  object: "an object",
  theme: "a name or an object with dark, light and mode",
  vim: "true, false or an object with enabled and shiftWidth",
  keybind: "a string such as ctrl+k, a list of strings, or false",
} as const;

export const keybindTexts = {
  wrongLeader: ({ value, used }: { value: string; used: string }) => `leader: ${value} cannot be used; using ${used}.`,
  unknownAction: ({ name, hint }: { name: string; hint: string }) => `keybinds.${name} is not an action. ${hint}`,
  actionNames: "Action names look like palette, model_list or session_new.",
  didYouMean: (name: string) => `Did you mean "${name}"?`,
  ignored: ({ path, keys, problem }: { path: string; keys: string; problem: string }) =>
    `${path}: ignored "${keys}": it ${problem}.`,
  boundTwice: ({ keys, kept, other }: { keys: string; kept: string; other: string }) =>
    `"${keys}" is bound to both ${kept} and ${other}; using ${kept}.`,
  unreachable: ({ keys, action, prefix, holder }: { keys: string; action: string; prefix: string; holder: string }) =>
    `"${keys}" for ${action} is unreachable because "${prefix}" is bound to ${holder}.`,

  /** Behind `it`. */
  needsLeader: "needs a leader key, but none is set",
  tooManyKeys: (keysMax: number) => `has more than ${counted(keysMax, "key")}`,
  isEmpty: "is empty",
  unknownKey: (key: string) => `contains "${key}", which is not a key`,
  blocksTyping: "would block typing",
} as const;

export const themeProblemTexts = {
  ofTheme: ({ theme, problem }: { theme: string; problem: string }) => `Theme "${theme}": ${problem}`,
  usesInstead: (theme: string) => `Using "${theme}" instead.`,
  notFound: (hint: string) => `No such theme. ${hint}`,
  listAll: "/theme lists all.",
  didYouMean: (name: string) => `Did you mean "${name}"?`,

  tooLong: (charactersMax: number) => `The file is longer than ${counted(charactersMax, "character")}.`,
  notJson: (problem: string) => `The file is not valid JSON: ${problem}.`,
  notAnObject: "The file must contain an object with a name and colors.",
  varsWrong: "vars is not an object.",
  colorsMissing: "colors is missing. It must have a color for every token.",
  tokensMissing: ({ group, tokens }: { group: string; tokens: string }) => `Missing in ${group}: ${tokens}.`,
  exportWrong: "export is not an object.",
  ofColor: ({ place, problem }: { place: string; problem: string }) => `${place} ${problem}.`,
  unknown: (name: string) => `${name} is unknown and ignored.`,
  unknownNear: ({ name, near }: { name: string; near: string }) =>
    `${name} is unknown and ignored; did you mean ${near}?`,

  /** Behind the place of a color. */
  notAColor: "is not a color",
  circular: (variables: string) => `is circular: ${variables}`,
  tooManyVariables: (variablesMax: number) => `passes through more than ${counted(variablesMax, "variable")}`,
  unknownVariable: (name: string) => `uses the variable "${name}", which is not defined in vars`,
  wrongIndex: (index: number) => `is ${index}; a number must be an integer from 0 to 255`,
  wrongHex: (value: string) => `is "${value}"; write #rgb or #rrggbb`,
} as const;

export const symbolProblemTexts = {
  notAnObject: "symbols must be an object; ignored.",
  overridesWrong: "symbols.overrides must be an object; ignored.",
  unknownPreset: ({ value, presets }: { value: string; presets: string }) =>
    `symbols.preset: ignored ${value}. Use one of ${presets}.`,
  ignored: ({ place, problem }: { place: string; problem: string }) => `${place}: ignored, ${problem}`,

  /** Behind `ignored`. */
  unknownSymbol: "no such symbol.",
  unknownSymbolNear: (near: string) => `no such symbol; did you mean ${near}?`,
  notPrintable: "it is not a printable string.",
  notOneColumn: (columns: number) => `it is ${columns} columns wide and must be 1.`,
  tooWide: ({ columns, columnsMax }: { columns: number; columnsMax: number }) =>
    `it takes ${columns} columns; at most ${columnsMax} are allowed.`,
  notStrings: "it is not a list of strings.",
  tooManyFrames: ({ frames, framesMax }: { frames: number; framesMax: number }) =>
    `it has ${frames} frames; at most ${framesMax} are allowed.`,
  frameNotPrintable: "a frame is not printable.",
  framesDiffer: "its frames differ in width.",
  frameTooWide: (columnsMax: number) => `a frame takes more than ${counted(columnsMax, "column")}.`,
} as const;
