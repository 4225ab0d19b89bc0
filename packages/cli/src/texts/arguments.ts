/** Texts of the command line itself: wrong usage, values of flags, and what a managed policy forbids. */

export const argumentTexts = {
  doesNotAccept: (command: string, word: string) => `kedge ${command} does not accept ${word}.`,
  resumeWithItself: "kedge resume cannot be combined with --continue or --resume.",
  needsAction: (command: string, actions: string) => `kedge ${command} needs an action: ${actions}.`,
  commandOf: (name: string) => `${name} command`,
  asPrompt: (sentence: string) => `${sentence} To send it as a prompt, put it after --.`,
  quotePrompt: (sentence: string) => `${sentence} Put a prompt in quotes.`,
  continueAndResume: "--continue and --resume cannot be combined.",
  forkNeedsSession: "--fork-session needs --continue or --resume.",
  sessionIdWithResume: "--session-id is for new sessions and cannot be combined with --continue or --resume.",
  bypassNeedsFlag: "Bypass mode requires --dangerously-skip-permissions.",
  bypassWithMode: (mode: string) => `--dangerously-skip-permissions cannot be combined with --permission-mode ${mode}.`,
  fromOnlyImports: (agent: string) => `--from ${agent} only works with kedge import.`,
  importNeedsAgent: "kedge import --from needs the name of an agent.",
  inputFormatNeedsPrint: "--input-format stream-json needs -p.",
  partialNeedsStreamJson: "--include-partial-messages needs --output-format stream-json.",
  resumeNeedsSession: "--resume needs an id or a title here. List sessions with kedge session list.",
  sessionIdIsNew: "--session-id is for new sessions. Name a stored session as an argument instead.",
  unknown: (what: string, word: string, meant: readonly string[]) =>
    `Unknown ${what} ${word}.${meant.length === 0 ? "" : ` Did you mean ${meant.join(" or ")}?`}`,
  takesNoValue: (flag: string) => `${flag} does not take a value.`,
  needsValue: (flag: string, takes: string) => `${flag} needs a value: ${flag} <${takes}>.`,
  mustBe: (flag: string, expected: string, value: string) => `${flag} must be ${expected}, got ${value}.`,
};

export const flagTexts = {
  positiveInteger: "a positive integer",
  zeroOrGreater: "a number, 0 or greater",
  portNumber: "a port number from 0 to 65535",
  positiveNumber: "a positive number",
  fileOrJson: "file or JSON",
  nameAndValue: "Name: value",
  jsonOrFile: "JSON or file",
  nameOrAddress: "name or address",
  profileName: "a name made of a-z, 0-9, _ and -",
  numberOrAgent: "number or agent",
  numberOrAgentOf: (number: string, agents: string) => `${number}, or one of ${agents}`,
  idOrTitle: "id or title",
  listOf: (members: string) => `a list of ${members}`,
  toolNames: "a comma-separated list of tool names",
  sessionId: "ses_ followed by 10 to 40 lowercase letters and digits",
  oneOf: (members: string) => `one of ${members}`,
};

export const policyTexts = {
  modeDisabled: (mode: string) => `${mode} mode is disabled by this machine's managed policy.`,
  modeUnavailable: (mode: string, why: string) => `${mode} mode is unavailable: ${why}.`,
  overruled: (name: string, setting: string) =>
    `${name} cannot be used: this machine's managed policy sets ${setting}.`,
};

export const ruleTexts = {
  guess: (name: string) => ` (did you mean ${name}?)`,
  expected: (guess: string) => `a known tool or permission, optionally with a pattern, such as bash(npm test)${guess}`,
};
