/** What kedge asks before it goes on, and the answers: permissions, plans, trust, rules, modes, and questions of the model. */

export const permissionTexts = {
  title: "Permission",
  irreversibleTitle: "Permission (can't be undone)",
  /** Behind the title, for whom it is asked. */
  askedBy: ({ what, agent }: { what: string; agent: string }) => `${what}: ${agent}`,
  agent: (agent: string) => `${agent} agent`,
  namedAgent: ({ name, agent }: { name: string; agent: string }) => `${name} (${agent})`,

  irreversible: "This can't be undone.",
  fromAgent: (agent: string) => `agent ${agent}`,
  moreWaiting: (count: number) => `${count} more waiting`,
  toolInDirectory: ({ tool, directory }: { tool: string; directory: string }) => `${tool} in ${directory}`,
  changedInSession: "Changed in this session:",
  andMore: (count: number) => `  and ${count} more`,
  rulesOfSession: "Rules added by a:",
  rulesOfEither: "Rules added by a or p:",

  once: "Allow once",
  allEdits: (key: string) => `Allow all edits in this session (${key})`,
  session: (patterns: string) => `Allow for this session: ${patterns}`,
  project: (rules: string) => `Always allow in this project: ${rules}`,
  reject: "Reject",
  rejectWithMessage: "No, and tell the model what to do instead",
  editCommand: "Edit command",
  confirm: "Press Enter to confirm.",
  tooEarly: "wait a moment before answering",

  askInstead: "What should the model do instead?",
  askCommand: "Run this command instead (still checked against your rules):",

  /** Once somebody or something else has answered. */
  allowed: "allowed",
  rejected: "rejected",
  byOtherClient: ({ tool, outcome }: { tool: string; outcome: string }) => `${tool} was ${outcome} in another client.`,
  byClassifier: ({ tool, outcome }: { tool: string; outcome: string }) => `${tool} was ${outcome} by the classifier.`,
  byInterrupt: (tool: string) => `The run was interrupted, so ${tool} no longer needs an answer.`,
  byPreviousAnswer: ({ tool, outcome }: { tool: string; outcome: string }) =>
    `${tool} was also ${outcome}: your previous answer covers it.`,
  byTimeout: ({ tool, outcome }: { tool: string; outcome: string }) =>
    `${tool} was ${outcome}: no one answered in time.`,
} as const;

export const planTexts = {
  title: "Plan",
  accept: "Accept and return to the previous mode",
  acceptEdits: "Accept and allow all edits (accept-edits mode)",
  edit: "Edit plan",
  reject: "Reject",
  rejectWithMessage: "Reject with feedback",

  askChanges: "What should change in the plan?",
  askPlan: "Edit the plan. The model will present it again:",
  missing: (path: string) => `The plan could not be displayed. Read ${path} before accepting it.`,
  planFile: "the plan file",
  /** To the model. */
  edited: ({ path, plan }: { path: string; plan: string }) =>
    `I edited the plan. Write this text to ${path} unchanged and present it again:\n\n${plan}`,
} as const;

export const trustTexts = {
  title: "Trust this project?",
  meaning: "If you don't trust it, only its deny and ask rules apply. Trust it only if you would run its code.",
  files: (root: string) => `These files in ${root} can instruct kedge or run code:`,
  changedFiles: (root: string) => `These files in ${root} changed since you trusted the project:`,
  refuse: "No, ignore these files",
  trust: "Yes, trust this project",
} as const;

export const ruleTexts = {
  title: "Permissions",
  loading: "Loading rules…",
  empty: "No rules. The permission mode decides.",
  mode: (mode: string) => `Mode: ${mode}. Within a source, later rules override earlier ones.`,

  remove: "remove",
  removeTitle: "Remove rule",
  askRemove: ({ action, rule }: { action: string; rule: string }) => `Remove the rule “${action} ${rule}”?`,
  confirmRemove: "Remove",
  cancel: "Cancel",

  comesFrom: (source: string) => `This rule comes from ${source}. Change it there.`,
  ofKedge: "kedge",
  ofAgent: "the agent's definition",
  ofPolicy: "your organization's policy",
  ofCommandLine: "the command line",
  ofOtherSession: "another session",
  ofSettings: (layer: string) => `the ${layer} settings`,
} as const;

export const modeTexts = {
  title: "Modes",
  modes: "Permission modes",
  default: "ask before edits and commands",
  acceptEdits: "edit project files without asking",
  plan: "read-only; plan first",
  auto: "a model approves safe actions",
  bypass: "no prompts; only guards apply",

  agents: "Agents (switch with Tab)",
  buildAgent: "all tools",
  planAgent: "read-only; plan first",
  current: "current",
} as const;

export const questionTexts = {
  title: "Question",
  titleOfSeveral: "Questions",
  place: ({ number, count }: { number: number; count: number }) => `Question ${number} of ${count}`,
  other: "Other…",
  answerFirst: "Answer this question first: choose an option or type your own.",

  review: "review",
  askSend: "Send these answers?",
  noAnswer: "no answer yet",

  done: "enter done",
  back: "esc back",
  send: "enter send",
  leftBack: "left back",
  dismiss: "esc dismiss",
  toggle: "space toggle",
  next: "enter next",
  choose: "enter choose",
  select: "up/down select",
  questions: "left/right questions",
} as const;
