/** Texts of the start: trust, sessions to resume, worktrees, settings. */
import { counted } from "@kedge/protocol";

export const failureTexts = {
  unexpected: (message: string) => `Unexpected error: ${message}`,
};

export const sessionTexts = {
  lastUsed: "last used",
  title: "title",
  noTerminal: "No terminal to choose a session.",
  noneChosen: "No session chosen.",
  question: "Session (number, id or title): ",
  passId: "Pass an id after --resume. List sessions with kedge session list.",
  noMatch: (name: string) => `No session matches ${name}.`,
  manyMatch: (count: number, name: string) =>
    `${counted(count, "session")} ${count === 1 ? "matches" : "match"} ${name}.`,
  passTheId: (hint: string) => `Pass the id. ${hint}`,
  noneYet: (directory: string) => `No sessions in ${directory} yet.`,
  startOne: "Start one with kedge.",
  listHint: "List sessions with kedge session list.",
};

export const worktreeTexts = {
  keptOfHook: (name: string, directory: string) => `Kept worktree ${name}, which a hook created: ${directory}`,
  kept: (name: string, reasons: string, directory: string) => `Kept worktree ${name} (${reasons}): ${directory}`,
  continueIn: (branch: string, name: string) => `Branch ${branch}. Continue with: kedge --worktree ${name} --continue`,
};

export const trustTexts = {
  review: (what: string) => `${what}. Review with kedge trust.`,
  settingsChanged: "its settings changed since you trusted it",
  notTrusted: "it is not trusted",
  rulesIgnored: (why: string) => `This project's allow rules are ignored: ${why}`,
  filesChanged: "its files changed since you trusted it",
  hooksOff: (why: string) => `This project's hooks do not run: ${why}`,
  codeOff: (why: string) => `This project's tools and plugins do not run: ${why}`,
  serversOff: (why: string) => `This project's servers are not used: ${why}`,
  instructionFiles: "instruction files",
  extensions: "skills, commands and output styles",
  notLoaded: (what: string, why: string) => `This project's ${what} are not loaded: ${why}`,
  question: "Trust this project? [y/N] ",
  changedSince: (root: string) => `These files in ${root} changed since you trusted the project:`,
  canRunCode: (root: string) => `These files in ${root} can instruct kedge or run code:`,
  more: (count: number) => `  and ${count} more\n`,
  meaning: "If you don't trust it, only its deny and ask rules apply. Trust it only if you would run its code.",
};

export const settingsTexts = {
  guess: (profiles: string) => ` Did you mean ${profiles}?`,
  newProfile: (profile: string, directory: string, guess: string) =>
    `Created profile ${profile} in ${directory}. It starts without settings and keys.${guess}`,
  noDirectory: "The current directory no longer exists.",
  coordinatorPlans: "a coordinator cannot plan; leave out --agent coordinator or --permission-mode plan",
  agentsProblem: (problem: string) => `--agents: ${problem}`,
  agentsForm: "--agents must be a JSON object of definitions by name",
  unreadable: (path: string, why: string) => `${path} cannot be read: ${why}`,
  flagMustBe: (flag: string, expected: string, rule: string) => `${flag} must be ${expected}, got ${rule}.`,
  bypassAsRoot: "Bypass mode is not available to root outside a container.",
  schemaForm: "--json-schema must be a JSON Schema or the path of one.",
};
