/** The one table of what can be done by a key: names for settings, a line for the help, and the keys they start with. */

export const actionGroups = ["prompt", "session", "model", "view", "scroll"] as const;
export type ActionGroup = (typeof actionGroups)[number];

/** Who has the keys: the prompt that is typed into, or something that is only read, such as the pager. */
export type KeyContext = "prompt" | "reading";

type ActionRow = {
  readonly group: ActionGroup;
  readonly summary: string;
  /** Alternatives with commas, sequences with spaces, as in the settings; `none` for no key. */
  readonly keys: string;
  /** Makes no sense where nothing is typed. */
  readonly isForPrompt?: true;
};

const table = {
  submit: { group: "prompt", summary: "Send the prompt", keys: "enter", isForPrompt: true },
  newline: { group: "prompt", summary: "Insert a newline", keys: "shift+enter,ctrl+j", isForPrompt: true },
  follow_up: { group: "prompt", summary: "Queue the prompt until the run ends", keys: "alt+enter", isForPrompt: true },
  queue_edit: { group: "prompt", summary: "Edit the last queued prompt", keys: "alt+up", isForPrompt: true },
  clear_input: {
    group: "prompt",
    summary: "Clear the prompt, then interrupt; press twice to exit",
    keys: "ctrl+c",
  },
  history_search: { group: "prompt", summary: "Search prompt history", keys: "ctrl+r", isForPrompt: true },
  editor_open: { group: "prompt", summary: "Edit the prompt in your editor", keys: "ctrl+g", isForPrompt: true },
  paste_image: { group: "prompt", summary: "Paste an image", keys: "ctrl+v", isForPrompt: true },
  vim_toggle: { group: "prompt", summary: "Turn vim mode on or off", keys: "<leader>v" },

  interrupt: { group: "session", summary: "Interrupt the run", keys: "escape" },
  session_list: { group: "session", summary: "List sessions", keys: "<leader>l" },
  session_new: { group: "session", summary: "Start a new session", keys: "<leader>n" },
  undo: { group: "session", summary: "Undo the last prompt", keys: "<leader>u" },
  redo: { group: "session", summary: "Redo the last undo", keys: "<leader>r" },
  rewind: { group: "session", summary: "Rewind to an earlier prompt", keys: "<leader>w" },
  tree: { group: "session", summary: "Show the session tree", keys: "<leader>g" },
  compact: { group: "session", summary: "Compact the context", keys: "<leader>c" },
  export: { group: "session", summary: "Export the session", keys: "<leader>x" },
  exit: { group: "session", summary: "Exit when the prompt is empty", keys: "ctrl+d,<leader>q" },

  model_list: { group: "model", summary: "Choose a model", keys: "<leader>m" },
  effort_cycle: { group: "model", summary: "Next reasoning effort", keys: "<leader>e" },
  thinking: { group: "model", summary: "Show or hide reasoning", keys: "<leader>h" },
  toggle_mode: { group: "model", summary: "Switch plan mode on or off", keys: "tab", isForPrompt: true },
  permission_cycle: { group: "model", summary: "Switch to the next permission mode", keys: "shift+tab" },

  palette: { group: "view", summary: "Open the command palette", keys: "ctrl+p,meta+k,ctrl+k" },
  help: { group: "view", summary: "Show keys and commands (also ? in an empty prompt)", keys: "f1,<leader>?" },
  status: { group: "view", summary: "Show status", keys: "<leader>s" },
  theme_list: { group: "view", summary: "Choose a theme", keys: "<leader>t" },
  sidebar: { group: "view", summary: "Show or hide the sidebar", keys: "<leader>b" },
  tasks: { group: "view", summary: "Show the task panel", keys: "ctrl+t" },
  expand: { group: "view", summary: "Expand or collapse the last group", keys: "ctrl+o" },
  expand_all: { group: "view", summary: "Expand or collapse everything", keys: "<leader>a" },
  pager: { group: "view", summary: "Open the last output in the pager", keys: "<leader>o" },
  search: { group: "view", summary: "Search the conversation", keys: "<leader>/" },
  copy_answer: { group: "view", summary: "Copy the last answer", keys: "<leader>y" },
  mouse_toggle: { group: "view", summary: "Switch the mouse between kedge and the terminal", keys: "<leader>p" },
  redraw: { group: "view", summary: "Redraw the screen", keys: "ctrl+l" },
  suspend: { group: "view", summary: "Suspend to the shell (fg to return)", keys: "ctrl+z" },

  scroll_up: { group: "scroll", summary: "Scroll up", keys: "shift+up" },
  scroll_down: { group: "scroll", summary: "Scroll down", keys: "shift+down" },
  scroll_page_up: { group: "scroll", summary: "Scroll up one page", keys: "pageUp" },
  scroll_page_down: { group: "scroll", summary: "Scroll down one page", keys: "pageDown" },
  scroll_half_up: { group: "scroll", summary: "Scroll up half a page", keys: "ctrl+alt+u" },
  scroll_half_down: { group: "scroll", summary: "Scroll down half a page", keys: "ctrl+alt+d" },
  scroll_top: { group: "scroll", summary: "Scroll to the top", keys: "ctrl+home" },
  scroll_bottom: { group: "scroll", summary: "Scroll to the end", keys: "ctrl+end" },
} as const satisfies { readonly [name: string]: ActionRow };

export type Action = keyof typeof table;

export const actions: { readonly [Name in Action]: ActionRow } = table;
// The keys of the table are the names, and nothing adds to it.
export const actionNames = Object.keys(table) as readonly Action[];

export function isAction(name: string): name is Action {
  return Object.hasOwn(table, name);
}

export const leaderDefault = "ctrl+x";
