/** What the terminal says around the conversation: start screen, prompt, status line, sidebar, and notes of a moment. */
import { counted } from "@kedge/protocol";

export const startScreenTexts = {
  product: (version: string) => `kedge ${version}`,
  recent: "Recent sessions (/sessions shows all)",
  tip: (tip: string) => `Tip: ${tip}`,
  /** New users see the first one; the others come up in the order in which sessions are made. */
  tips: [
    "/ lists commands, @ attaches files, ! runs a shell command, ? shows keys.",
    "Press Shift+Tab to switch between asking, accepting edits and planning.",
    "Press Esc twice to rewind the conversation, the files or both.",
    "/undo reverts the changes of the last prompt; /redo restores them.",
    "Start a line with # to save a note to memory.",
    "Press Enter while the model works to steer it, Alt+Enter to queue a prompt.",
    "/cost shows what this session has used; /context what fills the window.",
  ],
} as const;

export const promptTexts = {
  /** In the empty prompt. */
  hint: "Describe a change. / commands, @ files, ! shell, ? keys",

  /** On the border, once the first characters say what the line will be. */
  shell: "shell",
  privateShell: "shell, not shown to the model",
  note: "note",

  search: "search: ",
  searchWithoutMatch: "search (no match): ",
  noCompletions: (reason: string) => `Could not load completions: ${reason}`,

  /** Instead of what was pasted or dropped. */
  pastedLines: ({ lines, number }: { lines: number; number: number }) =>
    `[pasted ${counted(lines, "line")} #${number}]`,
  pastedCharacters: ({ characters, number }: { characters: number; number: number }) =>
    `[pasted ${counted(characters, "character")} #${number}]`,
  image: ({ name, number }: { name: string; number: number }) => `[image ${name} #${number}]`,
  file: ({ name, number }: { name: string; number: number }) => `[file ${name} #${number}]`,
  reading: ({ name, number }: { name: string; number: number }) => `[reading ${name} #${number}]`,
  notAttached: ({ path, reason }: { path: string; reason: string }) => `${path} could not be attached: ${reason}`,
} as const;

/** One line at the edge of the screen, for a moment. */
export const flashTexts = {
  starting: "still starting",
  sendsWhenReady: "will be sent when the engine is ready",
  noQueuedPrompt: "no queued prompt",
  promptNotEmpty: "send or clear the prompt first",
  nothingToRead: "no output to read",
  pressAgainToExit: "press ctrl+c again to exit",
  unbound: (keys: string) => `${keys} is not bound to anything`,
  mouseOfKedge: "mouse: kedge",
  mouseOfTerminal: "mouse: terminal",
  jumpToEnd: (key: string) => ` ${key}: jump to the end `,
} as const;

/** What the run is doing, above the prompt. */
export const activityTexts = {
  waiting: "waiting for model",
  thinking: "thinking",
  responding: "answering",
  compacting: "compacting the conversation",
  permission: "waiting for your permission",
  permissionOfOthers: "waiting for someone else to approve",
  question: "waiting for your answer",
  running: (tool: string) => `running ${tool}`,
  reading: (tool: string) => `reading with ${tool}`,

  silent: ({ activity, time }: { activity: string; time: string }) => `${activity}, no data for ${time}`,
  silentForLong: "large models can take a while",
  givingUp: "giving up",
  givingUpIn: (time: string) => `giving up in ${time}`,

  retrying: "retrying",
  retryingIn: (time: string) => `retrying in ${time}`,
  attempt: (attempt: number) => ` (${attempt})`,
  attemptOf: ({ attempt, attemptsMax }: { attempt: number; attemptsMax: number }) => ` (${attempt} of ${attemptsMax})`,

  tokens: (tokens: string) => `~${tokens} tokens`,
  retryNow: "enter to retry now",
  stop: (key: string) => `${key} stops`,
  connectionLost: "connection to the server lost, retrying",
} as const;

export const statusLineTexts = {
  starting: "starting",
  noModel: "no model",
  context: ({ percent, window }: { percent: number; window: string }) => `${percent} % of ${window}`,
  contextNearlyFull: (context: string) => `${context}, /compact`,
  /** In front of `unknown`, which says nothing alone. */
  cost: (cost: string) => `cost ${cost}`,
  tasks: (count: number) => counted(count, "task"),
  agents: (count: number) => counted(count, "agent"),
  asking: (count: number) => `${count} waiting for you`,
  brief: ({ mode, brevity }: { mode: string; brevity: string }) => `${mode} brief:${brevity}`,
} as const;

export const sidebarTexts = {
  newSession: "New session",
  context: "Context",
  contextTokens: ({ tokens, window }: { tokens: string; window: string }) => `${tokens} of ${window} tokens`,
  todo: "Todo",
  agents: "Agents",
  tasks: "Tasks",
  servers: "Servers",
  mcp: "MCP",
  lsp: "LSP",
  needsSignIn: (server: string) => `${server} needs sign-in`,
  changedFiles: "Changed files",
  more: (count: number) => `and ${count} more`,
} as const;

/** For a person who looks elsewhere. Nothing of what was said or written. */
export const notificationTexts = {
  permission: "kedge needs your answer",
  finished: "kedge finished",
  task: "background task finished",
  error: "kedge stopped with an error",
} as const;

export const farewellTexts = {
  resume: (sessionId: string) => `Resume with: kedge --resume ${sessionId}`,
} as const;
