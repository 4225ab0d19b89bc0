/** What stands in dialogs that report: help, status, cost, context, statistics. */
import { counted } from "@kedge/protocol";

export const helpTexts = {
  title: "Help",
  keys: (group: string) => `Keys: ${group}`,
  noKey: "no key",
  commands: "Commands",
  commandWithAliases: ({ summary, aliases }: { summary: string; aliases: string }) => `${summary} (also ${aliases})`,

  prefixes: "Prefixes",
  command: "a command",
  file: "a project file or directory",
  shell: "a shell command; its output goes to the model with your next prompt",
  privateShell: "a shell command the model never sees",
  note: "a note saved to memory and sent with your next prompt",

  mouse: "Mouse",
  wheel: "wheel",
  aboutWheel: "scroll",
  click: "click",
  aboutClick: "expand a group, choose in a list, place the cursor",
  drag: "shift and drag",
  aboutDrag: "select text (handled by the terminal)",
} as const;

export const statusTexts = {
  title: "Status",
  loading: "Collecting status…",

  kedge: "kedge",
  version: "version",
  engine: "engine",
  connectionLost: "lost; reconnecting",

  session: "Session",
  sessionLabel: "session",
  sessionTitle: "title",
  sessionId: "id",
  noneYet: "none yet",
  model: "model",
  modelWithEffort: ({ model, effort }: { model: string; effort: string }) => `${model}, effort ${effort}`,
  mode: "mode",
  cost: "cost",

  project: "Project",
  directory: "directory",
  root: "root",
  git: "git",
  isRepository: "yes",
  noRepository: "no repository",
  trust: "trust",
  trusted: "trusted",
  notTrusted: "not trusted; its settings and commands are ignored",

  providers: "Providers",
  keys: "keys",
  noKeys: "none; sign in with /login",
  needsNoKey: "needs no key",
  moreKeys: (count: number) => `and ${count} more; /login lists them`,
  billing: "billing",
  billedTo: ({ provider, keySource }: { provider: string; keySource: string }) =>
    `${provider} is billed to ${keySource}`,

  settings: "Settings",
  settingCount: (count: number) => counted(count, "setting"),
  settingsOfFile: ({ layer, file }: { layer: string; file: string }) => `${layer}: ${file}`,
  warning: "warning",

  files: "Files",
  settingsFolder: "settings",
  sessionsFolder: "sessions",

  health: "Health",
} as const;

export const costTexts = {
  title: "Cost",
  loading: "Calculating cost…",
  empty: "No cost yet.",
  total: "Total",
  inTurns: ({ cost, turns }: { cost: string; turns: number }) => `${cost} in ${counted(turns, "turn")}`,

  input: (tokens: string) => `input ${tokens}`,
  output: (tokens: string) => `output ${tokens}`,
  thinking: (tokens: string) => `thinking ${tokens}`,
  cacheRead: (tokens: string) => `cache read ${tokens}`,
  cacheWrite: (tokens: string) => `cache write ${tokens}`,
  searches: (count: number) => `searches ${count}`,

  apiTime: (time: string) => `API time ${time}`,
  toolTime: (time: string) => `tool time ${time}`,
  lines: ({ added, removed }: { added: number; removed: number }) =>
    `+${added} -${removed} ${added + removed === 1 ? "line" : "lines"}`,

  agents: (count: number) => `${counted(count, "agent")}, not in the total`,
  notPriced: (models: string) => `Not in the total: no price is known for ${models}.`,

  limits: "Limits",
  session: "This session",
  day: "Today",
  month: "This month",
  used: ({ used, limit, left }: { used: string; limit: string; left: string }) => `${used} of ${limit}, ${left} left`,
  aboutLimits: "The cost of a request is known only afterwards, so one request can exceed a limit.",
} as const;

export const contextTexts = {
  title: "Context",
  loading: "Measuring the context…",
  sum: ({ tokens, window, counted: how }: { tokens: string; window: string; counted: string }) =>
    `${tokens} of ${window} tokens, ${how}.`,
  countedByProvider: "counted by the provider",
  estimated: "estimated",
  exceeded: "Context limit exceeded. Run /compact to continue.",
  compactsNext: "Auto-compacts with the next prompt. Run /compact to do it now.",
  compactsAt: ({ limit, left }: { limit: string; left: string }) => `Auto-compacts at ${limit} (${left} left)`,
  source: ({ name, origin }: { name: string; origin: string }) => `${name} (${origin})`,
  noteOn: ({ origin, note }: { origin: string; note: string }) => `${origin}: ${note}`,

  byPart: "By part, estimated",
  loadedTools: "Tools in requests, estimated",
  foundTools: "Tools found by search, estimated",
  deferredTools: "Deferred tools, estimated; not in requests",
} as const;

export const statsTexts = {
  title: "Statistics",
  loading: "Collecting usage…",
  emptyOf: (days: number) => `No usage in the last ${counted(days, "day")}.`,
  allDays: "Run `kedge stats` in your shell for all days.",
  sum: ({ sessions, steps, days }: { sessions: string; steps: string; days: number }) =>
    `${sessions}, ${steps} in ${counted(days, "day")}`,
  tokensIn: (tokens: string) => `tokens in ${tokens}`,
  tokensOut: (tokens: string) => `out ${tokens}`,
  fromCache: (share: string) => `${share} of input from cache`,
  cacheMisses: ({ misses, cost }: { misses: string; cost: string }) => `${misses} for ${cost}`,

  session: "session",
  step: "step",
  call: "call",
  cacheMiss: "cache miss",
  manyCacheMisses: "cache misses",

  costPerDay: "Cost per day, in dollars",
  tokensPerDay: "Tokens per day, in thousands",
  daysAgo: (count: number) => `${counted(count, "day")} ago`,
  today: "today",
  byModel: "By model, tokens and cost",
  byProject: "By project, tokens and cost",
  tools: "Tools by success rate",
  more: (count: number) => `and ${count} more`,
  unreadable: (sessions: string) =>
    `${sessions} could not be read completely. Run kedge session verify --all for details.`,

  /** For one who may not see what everything cost. */
  empty: "No session yet.",
  costElsewhere: "Run `kedge stats` in your shell for tokens and cost of all sessions.",
  sessions: ({ sessions, recent, days }: { sessions: number; recent: number; days: number }) =>
    `${counted(sessions, "session")}, ${recent} started in the last ${counted(days, "day")}`,
  startedPerDay: "Started per day",
  sessionsByProject: "By project",
  sessionsByModel: "By model",
} as const;
