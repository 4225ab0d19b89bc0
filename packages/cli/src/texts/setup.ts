/** Texts of commands about settings, rules, extensions and what a project brings. */
import { counted } from "@kedge/protocol";

export const agentTexts = {
  usage: "Usage: kedge agents [list | show <id>].",
  none: "No agents have run in this project yet. List available agents with kedge agents list.\n",
  noAgent: (name: string) => `No agent ${name} in this project. List agents with kedge agents.`,
};

export const completionTexts = {
  usage: (shells: string) => `Usage: kedge completion ${shells}.`,
  fishHeading: "# Fish completion for kedge. Save it as ~/.config/fish/completions/kedge.fish",
};

export const configTexts = {
  usage: `Usage:
       kedge config get <setting>          show the value in effect
       kedge config set <setting> <value>  change your settings; with --local, your settings for this project
       kedge config unset <setting>        remove it from that file
       kedge config set-aside <file>       ignore a broken settings file until it changes
       kedge config explain [setting]      show the value in every layer, which one applies, and what is ignored
       kedge config list                   list every setting with allowed values and default
       kedge config schema                 print a JSON Schema for editors
       kedge config path                   list settings files, lowest precedence first`,
  secretSet: (key: string) => `${key} is set, but secret and not shown.`,
  notSet: (key: string) => `${key} is not set.`,
  noChange: "No change: already set.",
  ignoring: (file: string, problem: string) => `Ignoring ${file} until it changes: ${problem}.`,
  setting: "setting",
  default: "default",
  meaning: "meaning",
  accepts: "accepts",
  noFiles: "No settings files.",
  notSetAnywhere: (key: string) => `${key} is not set anywhere.`,
  note: (warning: string) => `note: ${warning}.`,
  ignored: (layer: string, why: string) => `  x ${layer}, ignored: ${why}`,
  resets: "null, which resets it",
  noFilesYet: "No settings files yet. kedge config set creates yours.",
  sourceProblem: (file: string, source: string, problem: string) => `${file} (${source}): not used: ${problem}`,
  setIn: (file: string) => `Set in ${file}.`,
  removedFrom: (file: string) => `Removed from ${file}.`,
  skipped: (problem: string) => `  (skipped: ${problem})`,
  rulesUsed: (file: string, source: string, rules: number) =>
    `${file} (${source}): ${counted(rules, "rule")} used, after kedge's own`,
  hidden: "(hidden)",
};

export const definitionTexts = {
  usage: (what: string) => `Usage: kedge ${what} list [--json].`,
  none: (what: string) => `No ${what} found. Put them in .kedge/${what}, in this project or in your home directory.\n`,
  name: "name",
  status: "status",
  tier: "tier",
  source: "source",
  description: "description",
  why: "why",
  left: (kind: string, name: string, file: string, why: string) => `${kind}${name} (${file}): not used: ${why}`,
};

export const doctorTexts = {
  doesNotAccept: (word: string) => `kedge doctor does not accept ${word}.`,
  hint: (path: string, what: string) => `${path} is ${what}`,
};

export const explainTexts = {
  permission: "kedge explain permission <tool> <command|path|url>",
  path: "kedge explain path <path>",
  url: "kedge explain url <url>",
  text: "kedge explain text <text>",
  tools: "kedge explain tools --catalogue <file> <query>",
  script: "kedge explain script <file|url|->",
  orLines: "or any of these with --jsonl and one JSON object per line on standard input",
  lineTooLong: (characters: number) => `this line is longer than ${characters} characters`,
  noTools: "No matching tools.\n",
  notAnswered: (why: string) => `cannot be answered: ${why}`,
  notJson: (line: string) => `not valid JSON: ${line}`,
  noFindings: "No findings. This is not a proof that the script is safe.\n",
  finding: (line: string, severity: string, why: string, rule: string) => `line ${line}: ${severity}: ${why} (${rule})`,
  suspicious: "suspicious; as it would appear in a prompt:",
  nothingSuspicious: "nothing suspicious:",
  usage: (lines: string) => `Usage:\n       ${lines}`,
};

export const hookTexts = {
  wrongInput: "Standard input must be a JSON object with the event's fields.",
  usage: (actions: string) => `Usage: kedge hooks ${actions} (run takes an event).`,
};

export const importTexts = {
  needsFrom: (agents: string) => `kedge import needs --from ${agents}, or a session file.`,
  doesNotAccept: (word: string) => `kedge import --from does not accept ${word}.`,
  noSetup: (agent: string) => `No ${agent} setup found in this project or your home directory.`,
  nothingWritten: "Nothing was written. To write these files, run again with --yes.",
  write: (files: number) => `${files === 1 ? "Write this file?" : `Write these ${counted(files, "file")}?`} [y/N] `,
  unreadable: "Unreadable:",
  secrets: "Secrets (not copied):",
  noEquivalent: "No equivalent in kedge:",
  alreadySet: "Already set in kedge, kept:",
  readInPlace: "Read by kedge in place:",
  more: (count: number) => `  and ${count} more; --json lists all`,
  nothing: (agent: string) => `Nothing to import from ${agent}.`,
  wrote: (files: number) => `Wrote ${counted(files, "file")}.`,
  needsTrust: "Project files take effect once you trust the project: kedge trust add.",
  alsoRead: (found: readonly string[], agent: string) =>
    `kedge also reads ${found.join(" and ")} in place. To turn that off, add "${agent}" to disabledProviders in your settings.`,
};

export const instructionTexts = {
  usage: `Usage:
       kedge instructions [file]             list instruction files and why they apply; with a file, as if it had been read
       kedge instructions approve <target>   allow an include outside the project, or pin a text from instructions.urls
       kedge instructions accept <file>      let a file written by an agent instruct later sessions
       kedge instructions split <file>       move sections about one part of the project into rules (shown first)`,
  none: "No instruction files. Create an AGENTS.md with /init in a session.\n",
  status: "status",
  tokens: "tokens",
  tier: "tier",
  source: "source",
  file: "file",
  why: "why",
  approve: (target: string) => `Approve ${target}?`,
  noTerminal: "No terminal to ask. Pass --yes to confirm.",
  moveOut: (file: string) => `Move this out of ${file}?`,
  approved: (target: string) => `Approved: ${target}`,
  movedTo: (files: string) => `Moved to ${files}`,
  accepted: (file: string) => `Accepted: ${file}`,
  unchanged: "(unchanged)",
};

export const lspTexts = {
  usage: (action: string) => `Usage: kedge lsp ${action}. Running servers are shown by /lsp in a session.`,
};

export const mcpTexts = {
  usage: `Usage:
       kedge mcp list                            list servers and their state; --check connects
       kedge mcp get <name>                      show one server
       kedge mcp add <name> <url>                add a remote server; --transport sse|ws, --header "Name: value"
       kedge mcp add <name> -- <command> [...]   add a local server; --env NAME=value
       kedge mcp add-json <name> <json>          add a server from its JSON configuration
       kedge mcp import <file>                   import servers from a file such as .mcp.json
       kedge mcp remove <name>                   remove it from that file
       kedge mcp approve <name>                  approve a project server in its current form
       kedge mcp accept <name>                   accept its current tool descriptions
       kedge mcp test <name>                     connect, list its tools and stop it
       kedge mcp logs <name>                     show its output from the last run
       kedge mcp auth <name>                     sign in to a remote server in the browser
       kedge mcp logout <name>                   remove the sign-in
       kedge mcp serve                           run kedge as an MCP server; --port serves over HTTP
       Changes go to your settings; with --local, to your settings for this project; with --project, to .mcp.json.`,
  headerForm: 'Write a header as "Name: value".',
  variableForm: "Write a variable as NAME=value.",
  stdioNeedsCommand: "A server over stdio needs a command, not a URL.",
  badScheme: (scheme: string) => `${scheme}:// is not supported. Use http://, https://, ws:// or wss://.`,
  needsUrl: (transport: string) => `A server over ${transport} needs a URL.`,
  notAnObject: "The server must be a JSON object.",
  added: (name: string, file: string) => `Added ${name} to ${file}.`,
  removed: (name: string, file: string) => `Removed ${name} from ${file}.`,
  noServersIn: (file: string) => `${file} contains no MCP servers.`,
  noLog: (name: string) => `No log for an MCP server named ${name}.`,
  noServer: (name: string) => `No MCP server named ${name}.`,
  nothingToApprove: (name: string) => `No MCP server named ${name} in this project needs approval.`,
  approved: (name: string) => `Approved ${name} in its current form.\n`,
  accepted: (name: string) => `Accepted the current tool descriptions of ${name}.\n`,
  notUsed: (name: string, why: string) => `${name} is not used: ${why}.`,
  notSignedIn: (name: string) => `You are not signed in to ${name}.`,
  signedOut: (name: string) => `Signed out of ${name}.\n`,
  keyring: "the system keyring",
  privateFile: "a file only you can read",
  signedIn: (name: string, where: string) => `Signed in to ${name}. Saved in ${where}.`,
};

export const memoryTexts = {
  usage: (actions: string) => `Usage: kedge memory ${actions}.`,
  nothingChanged: "Nothing changed. Pass --yes to confirm.",
  notADirectory: (directory: string) => `${directory} is not a directory.`,
  dirOnly: "--dir only works with kedge memory lint and kedge memory search.",
  file: "file",
  score: "score",
  searchUsage: "Usage: kedge memory search <words>, or --jsonl with one JSON object per line on standard input.",
  noResults: (question: string) => `No results for ${question}.`,
  memoryOff: (why: string) => `Memory is off: ${why}.`,
  lineForm: 'expected {"id","query","limit"}',
  proceed: "Proceed? [y/N] ",
};

export const permissionTexts = {
  usage: "Usage: kedge permissions test <file>. The file has one JSON object per line:\n",
  usageExample: '       {"command": "git push", "expected": "ask"}, with optional tool, cwd and rules.',
  wrong: (line: number, text: string, expected: string, found: string, why: string) =>
    `line ${line}: ${text}\n  expected ${expected}, got ${found}: ${why}\n`,
  asExpected: (right: number, all: number) => `${right} of ${all} as expected\n`,
  unreadable: (path: string, why: string) => `${path} cannot be read: ${why}`,
  wrongCase: (line: number, path: string, example: string) =>
    `line ${line} of ${path} must be an object such as ${example}`,
};

export const pluginTexts = {
  usage: (actions: string) => `Usage: kedge plugin ${actions}. Details: kedge help plugin.`,
};

export const trustCommandTexts = {
  usage: "Usage: kedge trust [show|add|remove], in the project directory.",
  nothing: "has nothing that needs trust",
  trusted: "is trusted",
  refused: "is not trusted",
  unknown: "is not trusted yet",
  changed: "is not trusted: its files changed since you trusted it",
  since: (change: string) => `, ${change} since`,
  removedSince: (name: string) => `  ${name} (removed since)\n`,
};
