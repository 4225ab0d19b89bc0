/** Texts of the console, the interface line by line. */
import { counted } from "@kedge/protocol";

export const consoleTexts = {
  continue: "Resume the interrupted run",
  undo: "Undo the last prompt (force also discards your edits to the same files)",
  redo: "Redo the last undo (force overwrites your edits to the same files)",
  mode: (modes: string) => `Show or set the permission mode: ${modes}`,
  model: "Show the model, or switch to provider/model",
  effort: (efforts: string) => `Set the reasoning effort: ${efforts}`,
  reload: "Reload settings and permission rules",
  checkpoint: "Discard the model's checkpoint: /checkpoint discard",
  shell: "Run a shell command; the model reads its output with your next prompt",
  hiddenShell: "Run a shell command that the model never sees",
  note: "Save a note to memory; the model reads it with your next prompt",
  exit: "Exit kedge (also: exit, quit). Ctrl+C interrupts a run",
  effortUsage: (efforts: string) => `Usage: /effort ${efforts}.\n`,
  checkpointUsage: "Usage: /checkpoint discard.\n",
  checkpointDiscarded: (goal: string) => `(checkpoint discarded: ${goal})\n`,
  noSettingChanged: "No setting changed.",
  settingsChanged: (names: string) => `Changed: ${names}.`,
  modelIs: (model: string) => `(model: ${model})\n`,
  modeIs: (mode: string) => `(mode: ${mode})\n`,
  unknownMode: (word: string, modes: string) => `Unknown mode ${word}. Modes: ${modes}.\n`,
  bypassAtStartup: "Bypass mode must be enabled at startup: kedge --dangerously-skip-permissions.\n",
};

export const conversationTexts = {
  compact: "Summarize older messages to free context, with optional instructions",
  shake: "Drop long tool output from the context (images: only images)",
  context: "Show what is in the model's context",
  handoff: "Summarize into a new session, with an optional focus",
  tree: "Show the session tree; jump by number or search",
  fork: "Fork the conversation into a new session",
  label: "Label this point in the tree, or remove its label",
  rename: "Rename the session",
  shakeUsage: "Usage: /shake, or /shake images for images only.\n",
  nothingToDrop: "(nothing to drop)\n",
  dropped: (results: number, tokens: string) =>
    `(${counted(results, "result")} dropped from the context, about ${tokens} tokens freed)\n`,
  counted: "counted by the provider",
  estimatedTokens: "tokens (estimated)",
  toolsInRequests: "Tools in requests",
  toolsFound: "Tools found by search",
  deferredTools: "Deferred tools",
  toolTokens: (title: string, names: string) => `${title}, with estimated tokens: ${names}.\n`,
  handedOff: "handed off to",
  copied: "copied to",
  elsewhere: (how: string, sessionId: string, from: string) =>
    `(${how} session ${sessionId}, now open. Return with kedge --resume ${from}.)\n`,
  treeUsage:
    "Usage: /tree <number> [summary], or /tree all|user|labelled|no-tools|<words>. With summary, the branch you leave is summarized.\n",
  noEntry: (number: string, usage: string) => `No entry ${number}. ${usage}`,
  continuingAfter: (number: number) => `(continuing after entry ${number})\n`,
  continuingBefore: (number: number, prompt: string) => `(continuing before entry ${number})\n${prompt}\n`,
  nothingToLabel: "Nothing to label yet. Send a prompt first.\n",
  labelRemoved: "(label removed)\n",
  labeled: (label: string) => `(labeled ${label})\n`,
  titleIs: (title: string) => `(title: ${title})\n`,
  estimated: "estimated",
  contextUsed: (model: string, tokens: string, window: string, by: string) =>
    `${model}: ${tokens} of ${window} tokens (${by}).`,
  contextLimits: (compactAt: string, left: string, limit: string) =>
    `Auto-compacts at ${compactAt} (${left} left). Limit: ${limit}.`,
  contextByKind: (budget: string) => `By kind, estimated: ${budget}.`,
};

export const treeTexts = {
  empty: "(no messages yet)\n",
  noMatch: "(no matching entries)\n",
  you: (text: string) => `you: ${text}`,
  model: (text: string) => `model: ${text}`,
  modelSaidNothing: "model: (nothing)",
  report: (text: string) => `report: ${text}`,
  record: (text: string) => `record: ${text}`,
  summary: (text: string) => `summary: ${text}`,
  tools: (names: string) => `tools: ${names}`,
  working: "(working)",
};

export const viewTexts = {
  promptRewritten: (by: string) => `(prompt rewritten by ${by})\n`,
  modelIs: (model: string) => `(model: ${model})\n`,
  modeIs: (mode: string) => `(mode: ${mode})\n`,
  askedBy: (agent: string, agentId: string) => ` (${agent} agent ${agentId})`,
  runInstead: "  [e command] run this instead",
  no: "  [n] no  [n text] no, and do this instead",
  once: (edit: string, no: string) => `  This can't be undone. [y] once${edit}${no} (default: no): `,
  allEdits: "  [s] all edits this session",
  thisSession: (patterns: string) => `  [a] this session (${patterns})`,
  alwaysHere: "  [p] always in this project",
  answers: (allEdits: string, session: string, project: string, edit: string, no: string) =>
    `  [y] once${allEdits}${session}${project}${edit}${no}: `,
  summary: (text: string) => ` Summary: ${text}`,
  calmAgain: "(pressure: calm again)\n",
  pressure: (reasons: string) => `(pressure: ${reasons})\n`,
  lines: (count: number) => counted(count, "line"),
  failed: (output: string) => `failed: ${output}`,
  notPermitted: (why: string) => `not permitted: ${why}`,
  turnLimit: (turns: number) => `(stopped: limit of ${counted(turns, "turn")} reached)\n`,
  noStructuredAnswer: "(stopped: the model returned no answer that matches the schema)\n",
  stoppedByHook: "(stopped by a hook)\n",
  runFailed: "(the run failed)\n",
  inputChangedBy: (names: string) => ` (input changed by ${names})`,
  rewrittenBy: (names: string) => ` (rewritten by ${names})`,
  tokenLimit: "(stopped: token limit reached)\n",
  costLimit: (usd: string) => `(stopped: cost limit reached, $${usd} spent)\n`,
  done: "done",
  interrupted: "interrupted",
  runInterrupted: "(interrupted)\n",
};

export const talkTexts = {
  viewOnly: "  View only: your token does not allow approvals.\n",
  continueAfterLimit: "Limit reached. Continue with the same limit again? [y/n] ",
  greeting: (model: string) => `kedge with ${model}. Commands: /help. Interrupt: Ctrl+C. Exit: /exit.\n`,
  wasInterrupted: "(The last run was interrupted. Resume it with /continue.)\n",
  discarded: "(The answer was interrupted and is discarded.)\n",
  editorNotStarted: (message: string) => `Could not start the editor: ${message}. Set EDITOR to a working editor.`,
  editorFailed: (editor: string, exitCode: number) =>
    `The editor ${editor} exited with code ${exitCode}. Nothing changed.`,
  editorStopped: (editor: string) => `The editor ${editor} was stopped. Nothing changed.`,
  effortIs: (effort: string) => `(effort: ${effort})\n`,
  billedTo: (variable: string) => `billed to ${variable} from the environment, not to the saved key`,
  severalAnswers: ", comma-separated for several",
  options: (count: number, several: string) => `  1-${count}${several}, or your own answer: `,
};

export const retryTexts = {
  retrying: (message: string, seconds: number, attempt: number, attemptsMax: number | undefined) =>
    `${message} Retrying in ${seconds} s (attempt ${attempt}${attemptsMax === undefined ? "" : ` of ${attemptsMax}`}).`,
  noData: (seconds: number) => `no data for ${seconds} s; still waiting (Ctrl+C to interrupt)`,
};
