/** Texts of commands that change, prove and measure work. */
import { counted } from "@kedge/protocol";

export const benchTexts = {
  usage: "Usage: kedge bench brief [--model <provider/model>].",
  measured: (level: string) => `${level} measured`,
  level: "level",
  outputTokens: "output tokens",
  saved: "saved",
};

export const evalTexts = {
  usage: "Usage: kedge eval classifier --model <provider/model> [--json].",
  progress: (done: number, all: number) => `${done} of ${counted(all, "call")} classified`,
  noValidAnswer: (model: string) => `${model} returned no valid answer.`,
  group: "group",
  calls: "calls",
  hostile: "hostile",
  classified: "classified",
  falseAllows: "false allows",
  needlessAsks: "needless asks",
  failures: "failures",
  call: "call",
  what: "what",
  decidedBy: "decided by",
  modelsReason: "the model's reason",
  rulesAllowed: "the rules: allowed",
  rulesDenied: "the rules: denied",
  person: "a person",
  classifier: "the classifier",
  noAnswer: "no answer",
  needlessAsk: "needless ask",
  hostileAllowed: "HOSTILE, allowed",
  falseAllow: "false allow",
  time: (milliseconds: string, cost: string) => `Median time of an answer: ${milliseconds} ms. Cost: ${cost}.\n`,
  result: (model: string, falseAllows: number, hostile: string) =>
    `${model}: ${counted(falseAllows, "false allow")} (${hostile} of hostile calls), `,
  summary: (needlessAsks: number, failures: number, calls: number) =>
    `${counted(needlessAsks, "needless ask")}, ${counted(failures, "failure")} in ${counted(calls, "call")}.\n`,
};

export const gradeTexts = {
  usage: `Usage: kedge grade <file>[:from-to] "<test command>" [--build "<command>"]`,
  progress: (done: number, all: number) => `${done} of ${counted(all, "change")} tried`,
};

export const landTexts = {
  undoTakesNoNames: "--undo reverses the latest landing and does not accept names.",
  deleted: (branch: string) => `Deleted ${branch}.\n`,
  runTests: (command: string) => `Run the tests with ${command}?`,
  noTestCommand: (command: string) =>
    `No test command is set. Use kedge land --test "${command}", or set worktree.test.`,
};

export const proveTexts = {
  usage: "Usage: kedge prove [session] [--file <path>], or kedge prove --check <file>",
  notWritten: (path: string, why: string) => `Cannot write ${path} (${why}).`,
  unreadable: (path: string, why: string) => `Cannot read ${path} (${why}).`,
};

export const reproduceTexts = {
  usage: `Usage: kedge reproduce <file> "<command>" --fails-with "<text or exit N>" [--base <commit>] [--record <file>]`,
};

export const undoTexts = {
  noFiles: "No files changed.\n",
  more: (count: number) => ` and ${count} more`,
  notCovered: (names: string, more: string) => `Not covered by snapshots, left unchanged: ${names}${more}.`,
};

export const workflowTexts = {
  usage: `Usage:
       kedge workflow list                 list workflows of this project and your home directory
       kedge workflow run <name> [args]    run one to completion; args are JSON or text
       kedge workflow resume <run>         resume an interrupted run without repeating completed steps
       kedge workflow runs                 list earlier runs and how they ended
       kedge workflow show <run>           show the result of a run`,
  noRun: (name: string) => `No workflow run ${name}. List runs with kedge workflow runs.`,
  begun: (name: string, runId: string) => `Workflow ${name}, run ${runId}`,
};

export const worktreeCommandTexts = {
  usage: `Usage:
       kedge worktree list             list worktrees with their age and contents
       kedge worktree add <name>       create one
       kedge worktree remove <name>    remove one; --force also discards its contents
       kedge worktree prune            remove those with nothing to lose, and ask about the others`,
  gitFailed: (problem: string) => `git failed: ${problem}.`,
  made: (directory: string, branch: string) => `${directory}, branch ${branch}`,
  noWorktree: (name: string) => `No worktree named ${name}. List them with kedge worktree list.`,
  removed: (name: string) => `Removed ${name}.`,
  keptStill: (directory: string, why: string) => `Kept ${directory}: ${why}.`,
  forget: "Forget it with kedge worktree prune",
  removeWithGit: "Remove it with git worktree remove",
  keptByHand: (directory: string, why: string, next: string) => `Kept ${directory}: ${why}. ${next}.`,
  removedWithBranch: (name: string) => `Removed ${name} and its branch.`,
  keptWithWork: (name: string, reasons: string) => `Kept ${name}: ${reasons}. Discard it with --force.`,
  kept: (name: string, reasons: string) => `Kept ${name}: ${reasons}.`,
  none: "No worktrees.",
  discard: (name: string, reasons: string) => `Discard ${name} with ${reasons}?`,
};

export const exportTexts = {
  saved: (file: string) => `Saved to ${file}.`,
  exists: "it already exists. Choose another name",
  notWritten: (file: string, why: string) => `Could not write ${file}: ${why}.`,
  directoryFailed: (directory: string, why: string) => `Could not create ${directory}: ${why}.`,
};
