/** Texts of the help beside its tables: `command-help.json`, `flag-help.json` and `help.md`. */

export const helpTexts = {
  actions: "Actions",
  flags: "Flags",
  examples: "Examples",
  allFlags: "For all flags, run kedge --help.",
  aliases: (names: string) => `alias: ${names}`,
};
