/** What stands in dialogs: lists, sessions, rewind, agents, tasks, servers, memory, themes. Reports have a file of their own. */
import { counted, withSeparators } from "@kedge/protocol";

export const listTexts = {
  count: (count: number) => (count === 1 ? "1 entry" : counted(count, "entry", "entries")),
  countToFilter: (count: number) => `${counted(count, "entry", "entries")}, type to filter`,
  found: ({ found, all }: { found: number; all: number }) => `${withSeparators(found)} of ${withSeparators(all)}`,
  noMatches: "No matches. Press Backspace to widen the search.",
  select: "up/down select",
  choose: "enter choose",
  close: "esc close",
} as const;

export const textFieldTexts = {
  empty: "Type something first, or press Escape to go back.",
  done: "enter done",
  newLine: "shift+enter new line",
  back: "esc back",
} as const;

export const scrollTexts = {
  place: ({ first, last, total }: { first: number; last: number; total: number }) =>
    `lines ${first}-${last} of ${total}, page keys scroll`,
  filter: "type to filter",
  scroll: "up/down scroll",
} as const;

export const ageTexts = {
  now: "now",
  days: (count: number) => `${count} d ago`,
  hours: (count: number) => `${count} h ago`,
  minutes: (count: number) => `${count} min ago`,
} as const;

export const sessionTexts = {
  title: "Sessions",
  loading: "Loading sessions…",
  empty: "No sessions yet. Send a prompt to start one.",
  today: "Today",
  yesterday: "Yesterday",
  thisWeek: "This week",
  older: "Older",
  untitled: (sessionId: string) => `Untitled ${sessionId}`,
  current: "current",
  archived: "archived",
  running: "running",
  retrying: "retrying",
  waiting: "waiting",

  messages: (count: number) => counted(count, "message"),
  messagesAtLeast: (count: number) => `${withSeparators(count)}+ messages`,

  rename: "rename",
  renameTitle: "Rename session",
  askTitle: "New title:",
  archive: "archive",
  delete: "delete",
  deleteTitle: "Delete session",
  askDelete: (name: string) => `Delete “${name}” permanently? Project files are not affected.`,
  confirmDelete: "Delete",
  cancel: "Cancel",
  search: "search",
  searchTitle: "Search sessions",
  askSearch: "Search messages and tool calls:",
} as const;

export const messageTexts = {
  summary: (text: string) => `Summary: ${text}`,
  attachments: (count: number) => counted(count, "attachment"),
  working: "working",
  used: (tools: string) => `used ${tools}`,
} as const;

export const rewindTexts = {
  title: "Rewind",
  empty: "Nothing to rewind to yet. Each prompt creates a restore point.",
  ask: "Rewind to before this prompt:",
  conversation: "Conversation only",
  aboutConversation: "Rewind the conversation; keep files as they are.",
  both: "Conversation and files",
  aboutBoth: (files: string) => `Rewind the conversation and restore ${files}.`,
  files: "Files only",
  aboutFiles: (files: string) => `Restore ${files}; keep the conversation.`,
  noFiles: "no files changed",
  fileCount: (count: number) => counted(count, "file"),
} as const;

export const treeTexts = {
  title: "Tree",
  loading: "Loading the session…",
  empty: "No messages yet. Send a prompt to start the tree.",
  you: (prompt: string) => `you: ${prompt}`,
  here: "here",
  label: "label",
  labelTitle: "Add label",
  askLabel: "Label for this point:",
  removeLabel: "remove label",
} as const;

export const agentTexts = {
  title: "Agents",
  loading: "Loading agents…",
  empty: "No agents in this session yet. Ask for one, for example: have an agent find the parsers.",
  running: "Running",
  idle: "Finished, in memory",
  parked: "Finished",
  aborted: "Ended early",
  named: ({ name, agent, description }: { name: string; agent: string; description: string }) =>
    `${name} (${agent}): ${description}`,
  unnamed: ({ agent, description }: { agent: string; description: string }) => `${agent}: ${description}`,
  turns: (count: number) => counted(count, "turn"),
  tokens: (tokens: string) => `${tokens} tokens`,
  background: "background",

  /** At its row, in a word or two. */
  waitsForYou: "waits for you",
  isIdle: "idle",

  /** Above the list, as a sentence. */
  isWaitingForYou: "Waiting for your answer.",
  isIdleUntilAsked: "Idle: waiting for messages and tasks.",
  isRunning: "Running.",
  isDoing: (action: string) => `Running: ${action}`,
  ended: "Ended.",
  completed: "Completed.",
  failed: "Failed.",
  cancelled: "Stopped.",
  timedOut: "Timed out.",
  orphaned: "Interrupted: kedge exited before it finished. Revive it to continue.",
  maxTurns: "Reached its turn limit and summarized its work.",

  message: "message",
  messageTitle: "Message to an agent",
  askMessageRunning: (title: string) => `${title}. It reads this before its next step.`,
  askMessageEnded: (title: string) => `${title}. It continues.`,
  interrupt: "interrupt",
  revive: "revive",
  kill: "kill",
  killTitle: "Kill agent",
  askKill: (title: string) => `Kill “${title}” and everything it started? Its conversation so far is kept.`,
  confirmKill: "Kill",
  keepRunning: "Keep running",

  /** One agent, followed live. */
  viewTitle: "Agent",
  loadingOne: "Loading the agent…",
  interruptKey: "i interrupt",
  killKey: "ctrl+k kill",
  reviveKey: "r revive",
  messageKey: "m message",
  scroll: "up/down scroll",
  follow: "end follow",
  back: "esc back",

  shells: "Background commands",
  aboutShell: "background command",
  shellRunning: "Running.",
  shellEnded: "Ended.",
  shellEndedWith: (result: string) => `Ended: ${result}.`,
  killShellTitle: "Kill command",
  askKillShell: (command: string) => `Kill “${command}”? Its output so far is kept.`,
  loadingOutput: "Loading output…",
  noOutput: "(no output)",
} as const;

export const taskTexts = {
  title: "Tasks",
  loading: "Loading tasks…",
  empty: "No background tasks. Servers and other long-running commands appear here.",
  runningTasks: "Running",
  endedTasks: "Ended",
  running: "running",
  ended: "ended",
  stop: "stop",
  stopTitle: "Stop task",
  askStop: (command: string) => `Stop “${command}”? Its output so far is kept.`,
  confirmStop: "Stop",
  keepRunning: "Keep running",
} as const;

export const serverTexts = {
  title: "MCP servers",
  loading: "Loading MCP servers…",
  empty: "No MCP servers. Add one with: kedge mcp add <name> <url | command>.",
  tools: (count: number) => counted(count, "tool"),
  tokens: (count: number) => (count < 1_000 ? counted(count, "token") : `${(count / 1_000).toFixed(1)}k tokens`),

  connected: "connected",
  toolsChanged: "connected, tools changed",
  connecting: "connecting",
  connectingAgain: (attempt: number) => `connecting, attempt ${attempt}`,
  needsSignIn: "needs sign-in",
  needsApproval: "needs approval",
  failed: (reason: string) => `failed: ${reason}`,
  unused: (reason: string) => `not used: ${reason}`,

  connect: "connect",
  disconnect: "disconnect",
  signIn: "sign in",
  approve: "approve",
  log: "log",
  logTitle: (server: string) => `Log of ${server}`,
  emptyLog: "The log is empty.",

  useTitle: "Use this server?",
  askUse: ({ server, file }: { server: string; file: string }) =>
    `${server} is configured in ${file}. It runs as configured there, with your user's permissions.`,
  use: "Use it",
  acceptTitle: "Accept changed tools?",
  askAccept: ({ server, tools }: { server: string; tools: string }) =>
    `${server} changed the description of ${tools}. Read them with Enter before you accept.`,
  accept: "Accept",
  cancel: "Cancel",

  /** All about one server, as a text to read. */
  state: "State",
  configuredIn: "Configured in",
  place: ({ file, scope }: { file: string; scope: string }) => `${file} (${scope})`,
  command: "Command",
  address: "Address",
  protocol: "Protocol",
  toolList: "Tools",
  toolSum: ({ tools, tokens }: { tools: string; tokens: string }) =>
    `${tools}, about ${tokens} tokens if all are loaded`,
  prompts: "Prompts",
  resources: "Resources",
  toolTokens: ({ tool, tokens }: { tool: string; tokens: string }) => `${tool}  ${tokens} tokens`,
  toolChanged: "  (description changed since it was first used)",
} as const;

export const memoryInboxTexts = {
  title: "Memory inbox",
  loading: "Loading the memory inbox…",
  empty: "Nothing is waiting for review.",
  notFromYou: "Not written by you",
  quarantined: "Quarantined",
  suspicious: "suspicious",
  heldBack: (reason: string) => `Held back: ${reason}`,
  later: "Decide later",
  accept: "Accept",
  aboutAccept: "Later sessions see it as data.",
  delete: "Delete",
  aboutDelete: "/memory undo restores it.",
} as const;

export const themeTexts = {
  title: "Themes",
  empty: "No themes found. Add one as a JSON file in ~/.kedge/themes.",
  current: "current",

  /** Below the list, in the colors of the selected theme. */
  heading: "## A heading",
  wordsBefore: "Words with ",
  code: "code",
  wordsBetween: " and a ",
  link: "link",
  note: "// a note",
  removedLine: "- a removed line",
  addedLine: "+ an added line",
  read: "Read ",
  test: "Test ",
  warnings: "3 warnings",
} as const;
