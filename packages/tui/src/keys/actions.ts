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
  newline: { group: "prompt", summary: "Begin a new line", keys: "shift+enter,ctrl+j", isForPrompt: true },
  follow_up: { group: "prompt", summary: "Send after the work in progress", keys: "alt+enter", isForPrompt: true },
  queue_edit: { group: "prompt", summary: "Edit the last waiting prompt", keys: "alt+up", isForPrompt: true },
  clear_input: {
    group: "prompt",
    summary: "Clear the prompt, then interrupt; twice to leave kedge",
    keys: "ctrl+c",
  },
  history_search: { group: "prompt", summary: "Search earlier prompts", keys: "ctrl+r", isForPrompt: true },
  editor_open: { group: "prompt", summary: "Write the prompt in your editor", keys: "ctrl+g", isForPrompt: true },
  paste_image: { group: "prompt", summary: "Paste an image", keys: "ctrl+v", isForPrompt: true },
  vim_toggle: { group: "prompt", summary: "Turn vim keys on or off", keys: "<leader>v" },

  interrupt: { group: "session", summary: "Interrupt the work in progress", keys: "escape" },
  session_list: { group: "session", summary: "List sessions", keys: "<leader>l" },
  session_new: { group: "session", summary: "Begin a new session", keys: "<leader>n" },
  undo: { group: "session", summary: "Undo the last turn", keys: "<leader>u" },
  redo: { group: "session", summary: "Redo what was undone", keys: "<leader>r" },
  rewind: { group: "session", summary: "Go back to an earlier point", keys: "<leader>w" },
  tree: { group: "session", summary: "Show the tree of the session", keys: "<leader>g" },
  compact: { group: "session", summary: "Make the context smaller", keys: "<leader>c" },
  export: { group: "session", summary: "Export the session", keys: "<leader>x" },
  exit: { group: "session", summary: "Leave kedge when the prompt is empty", keys: "ctrl+d,<leader>q" },

  model_list: { group: "model", summary: "Choose the model", keys: "<leader>m" },
  effort_cycle: { group: "model", summary: "Next effort of thinking", keys: "<leader>e" },
  thinking: { group: "model", summary: "Show or fold thinking", keys: "<leader>h" },
  toggle_mode: { group: "model", summary: "Switch between build and plan", keys: "tab", isForPrompt: true },
  permission_cycle: { group: "model", summary: "Next permission mode", keys: "shift+tab" },

  palette: { group: "view", summary: "Open the command palette", keys: "ctrl+k,meta+k" },
  help: { group: "view", summary: "Show keys and commands", keys: "f1,<leader>?" },
  status: { group: "view", summary: "Show the status", keys: "<leader>s" },
  theme_list: { group: "view", summary: "Choose the theme", keys: "<leader>t" },
  sidebar: { group: "view", summary: "Show or hide the sidebar", keys: "<leader>b" },
  tasks: { group: "view", summary: "Show the task panel", keys: "ctrl+t" },
  expand: { group: "view", summary: "Unfold or fold the last group", keys: "ctrl+o" },
  expand_all: { group: "view", summary: "Unfold or fold everything", keys: "<leader>a" },
  pager: { group: "view", summary: "Read the last output in full", keys: "<leader>o" },
  search: { group: "view", summary: "Search the conversation", keys: "<leader>/" },
  copy_answer: { group: "view", summary: "Copy the last answer", keys: "<leader>y" },
  mouse_toggle: { group: "view", summary: "Give the mouse to the terminal or take it", keys: "<leader>p" },
  redraw: { group: "view", summary: "Draw the screen anew", keys: "ctrl+l" },
  suspend: { group: "view", summary: "Go back to the shell until fg", keys: "ctrl+z" },

  scroll_up: { group: "scroll", summary: "Scroll up by lines", keys: "shift+up" },
  scroll_down: { group: "scroll", summary: "Scroll down by lines", keys: "shift+down" },
  scroll_page_up: { group: "scroll", summary: "Scroll up by a page", keys: "pageUp" },
  scroll_page_down: { group: "scroll", summary: "Scroll down by a page", keys: "pageDown" },
  scroll_half_up: { group: "scroll", summary: "Scroll up by half a page", keys: "ctrl+alt+u" },
  scroll_half_down: { group: "scroll", summary: "Scroll down by half a page", keys: "ctrl+alt+d" },
  scroll_top: { group: "scroll", summary: "Go to the beginning", keys: "ctrl+home" },
  scroll_bottom: { group: "scroll", summary: "Go to the end", keys: "ctrl+end" },
} as const satisfies { readonly [name: string]: ActionRow };

export type Action = keyof typeof table;

export const actions: { readonly [Name in Action]: ActionRow } = table;
// The keys of the table are the names, and nothing adds to it.
export const actionNames = Object.keys(table) as readonly Action[];

export function isAction(name: string): name is Action {
  return Object.hasOwn(table, name);
}

export const leaderDefault = "ctrl+x";
