/** What the palette, the help and completion list: slash commands, what keys do, and groups. Imperative, without a full stop. */

export const groupTexts = {
  session: "Session",
  model: "Model",
  view: "View",
  kedge: "kedge",
} as const;

export const paletteTexts = {
  title: "Commands",
  noMatches: "No matches.",
  close: "esc close",
  recent: "Recent",
  engineCommands: "More commands",
  actions: "Actions",
  models: "Models",
  sessions: "Sessions",
  modes: "Modes",
  themes: "Themes",
  /** Found by, but not shown. */
  modelWords: (name: string) => `model ${name}`,
  sessionWords: (sessionId: string) => `session ${sessionId}`,
  modeWords: "permission mode",
  themeWords: "theme",
} as const;

export const sessionCommandTexts = {
  clear: "Start a new session (the current one stays in /sessions)",
  sessions: "List sessions, or resume one by title or id",
  continue: "Resume the interrupted run",
  undo: "Undo the last prompt (force also discards your edits to the same files)",
  redo: "Redo the last undo (force overwrites your edits to the same files)",
  rewind: "Rewind conversation, files or both to an earlier prompt",
  checkpoint: "Open rewind, or discard the model's checkpoint",
  tree: "Show the session tree; jump by number or search",
  label: "Label this point in the tree, or remove its label",
  fork: "Fork the conversation into a new session",
  rename: "Rename the session",
  compact: "Summarize older messages to free context, with optional instructions",
  shake: "Drop long tool output from the context (images: only images)",
  handoff: "Summarize into a new session, with an optional focus",
  export: "Export the session to a file, secrets redacted: md, html, json or jsonl",
  dump: "Copy the conversation as Markdown, secrets redacted",
  bug: "Save the session for a bug report, secrets redacted; nothing is sent",
  collab: "Share this session live and show its links",
  join: "Show how to join a session that is shared with you",
  leave: "Stop sharing this session, or leave it as a guest",
  share: "Upload an encrypted copy of this session and show its link",
} as const;

export const modelCommandTexts = {
  model: "Choose a model, or switch to provider/model",
  effort: (efforts: string) => `Set the reasoning effort: ${efforts}`,
  mode: (modes: string) => `Show or set the permission mode: ${modes}`,
  plan: "Switch to plan mode (read-only), optionally with a prompt",
  agent: "Switch between the build and plan agents",
  permissions: "Show permission rules",
  yolo: "Show how to start without permission prompts",
  login: "Sign in to a provider or save an API key",
} as const;

export const viewCommandTexts = {
  help: "Show commands and keys",
  keys: "Show key bindings",
  status: "Show session, model, mode and directory",
  cost: "Show token usage and cost of this session",
  context: "Show what is in the model's context",
  stats: "Show usage statistics",
  tasks: "Show background tasks",
  diff: "Show files changed in this session",
  copy: "Copy the last answer",
  thinking: "Show or hide reasoning",
  theme: "Choose a color theme",
  vim: "Turn vim mode on or off",
} as const;

export const kedgeCommandTexts = {
  config: "Show settings files and their problems",
  reload: "Reload settings and permission rules",
  agents: "Show this session's agents, follow them live and direct them",
  mcp: "Show MCP servers with their state, tools and logs",
  doctor: "Check the setup and suggest fixes",
  exit: "Exit kedge",
} as const;

/** Behind the name of a command. */
export const argumentTexts = {
  sessions: "[session]",
  force: "[force]",
  checkpoint: "[discard]",
  tree: "[number or words]",
  label: "[name]",
  rename: "<title>",
  compact: "[instructions]",
  shake: "[images]",
  handoff: "[focus]",
  export: "[file] [format]",
  collab: "[view|status|stop|rotate|kick <guest>|allow <guest>|deny <guest>|<relay>]",
  join: "<link>",
  model: "[provider/model]",
  effort: "<effort>",
  mode: "[mode]",
  plan: "[prompt]",
  agent: "[agent]",
  onOff: "[on|off]",
  theme: "[name]",
  agents: "[definitions|show|message|interrupt|kill|revive <agent>]",
  mcp: "[show|connect|disconnect|approve|accept|auth|logs <name>]",
} as const;

/** What a key does, in the order of the help. */
export const actionTexts = {
  submit: "Send the prompt",
  newline: "Insert a newline",
  followUp: "Queue the prompt until the run ends",
  queueEdit: "Edit the last queued prompt",
  clearInput: "Clear the prompt, then interrupt; press twice to exit",
  historySearch: "Search prompt history",
  editorOpen: "Edit the prompt in your editor",
  pasteImage: "Paste an image",
  vimToggle: "Turn vim mode on or off",

  interrupt: "Interrupt the run",
  sessionList: "List sessions",
  sessionNew: "Start a new session",
  undo: "Undo the last prompt",
  redo: "Redo the last undo",
  rewind: "Rewind to an earlier prompt",
  tree: "Show the session tree",
  compact: "Compact the context",
  export: "Export the session",
  exit: "Exit when the prompt is empty",

  modelList: "Choose a model",
  effortCycle: "Switch to the next reasoning effort",
  thinking: "Show or hide reasoning",
  toggleMode: "Turn plan mode on or off",
  permissionCycle: "Switch to the next permission mode",

  palette: "Open the command palette",
  help: "Show keys and commands (also ? in an empty prompt)",
  status: "Show status",
  themeList: "Choose a theme",
  sidebar: "Show or hide the sidebar",
  tasks: "Show the task panel",
  expand: "Expand or collapse the last group",
  expandAll: "Expand or collapse everything",
  pager: "Open the last output in the pager",
  search: "Search the conversation",
  copyAnswer: "Copy the last answer",
  mouseToggle: "Switch the mouse between kedge and the terminal",
  redraw: "Redraw the screen",
  suspend: "Suspend to the shell (fg to return)",

  scrollUp: "Scroll up",
  scrollDown: "Scroll down",
  scrollPageUp: "Scroll up one page",
  scrollPageDown: "Scroll down one page",
  scrollHalfUp: "Scroll up half a page",
  scrollHalfDown: "Scroll down half a page",
  scrollTop: "Scroll to the top",
  scrollBottom: "Scroll to the end",
} as const;
