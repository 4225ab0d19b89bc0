/** The one table of what can be done by a key: names for settings, a line for the help, and the keys they start with. */

import { actionTexts } from "../texts/palette.ts";
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
  submit: { group: "prompt", summary: actionTexts.submit, keys: "enter", isForPrompt: true },
  newline: { group: "prompt", summary: actionTexts.newline, keys: "shift+enter,ctrl+j", isForPrompt: true },
  follow_up: { group: "prompt", summary: actionTexts.followUp, keys: "alt+enter", isForPrompt: true },
  queue_edit: { group: "prompt", summary: actionTexts.queueEdit, keys: "alt+up", isForPrompt: true },
  clear_input: {
    group: "prompt",
    summary: actionTexts.clearInput,
    keys: "ctrl+c",
  },
  history_search: { group: "prompt", summary: actionTexts.historySearch, keys: "ctrl+r", isForPrompt: true },
  editor_open: { group: "prompt", summary: actionTexts.editorOpen, keys: "ctrl+g", isForPrompt: true },
  paste_image: { group: "prompt", summary: actionTexts.pasteImage, keys: "ctrl+v", isForPrompt: true },
  vim_toggle: { group: "prompt", summary: actionTexts.vimToggle, keys: "<leader>v" },

  interrupt: { group: "session", summary: actionTexts.interrupt, keys: "escape" },
  session_list: { group: "session", summary: actionTexts.sessionList, keys: "<leader>l" },
  session_new: { group: "session", summary: actionTexts.sessionNew, keys: "<leader>n" },
  undo: { group: "session", summary: actionTexts.undo, keys: "<leader>u" },
  redo: { group: "session", summary: actionTexts.redo, keys: "<leader>r" },
  rewind: { group: "session", summary: actionTexts.rewind, keys: "<leader>w" },
  tree: { group: "session", summary: actionTexts.tree, keys: "<leader>g" },
  compact: { group: "session", summary: actionTexts.compact, keys: "<leader>c" },
  export: { group: "session", summary: actionTexts.export, keys: "<leader>x" },
  exit: { group: "session", summary: actionTexts.exit, keys: "ctrl+d,<leader>q" },

  model_list: { group: "model", summary: actionTexts.modelList, keys: "<leader>m" },
  effort_cycle: { group: "model", summary: actionTexts.effortCycle, keys: "<leader>e" },
  thinking: { group: "model", summary: actionTexts.thinking, keys: "<leader>h" },
  toggle_mode: { group: "model", summary: actionTexts.toggleMode, keys: "tab", isForPrompt: true },
  permission_cycle: { group: "model", summary: actionTexts.permissionCycle, keys: "shift+tab" },

  palette: { group: "view", summary: actionTexts.palette, keys: "ctrl+p,meta+k,ctrl+k" },
  help: { group: "view", summary: actionTexts.help, keys: "f1,<leader>?" },
  status: { group: "view", summary: actionTexts.status, keys: "<leader>s" },
  theme_list: { group: "view", summary: actionTexts.themeList, keys: "<leader>t" },
  sidebar: { group: "view", summary: actionTexts.sidebar, keys: "<leader>b" },
  tasks: { group: "view", summary: actionTexts.tasks, keys: "ctrl+t" },
  expand: { group: "view", summary: actionTexts.expand, keys: "ctrl+o" },
  expand_all: { group: "view", summary: actionTexts.expandAll, keys: "<leader>a" },
  pager: { group: "view", summary: actionTexts.pager, keys: "<leader>o" },
  search: { group: "view", summary: actionTexts.search, keys: "<leader>/" },
  copy_answer: { group: "view", summary: actionTexts.copyAnswer, keys: "<leader>y" },
  mouse_toggle: { group: "view", summary: actionTexts.mouseToggle, keys: "<leader>p" },
  redraw: { group: "view", summary: actionTexts.redraw, keys: "ctrl+l" },
  suspend: { group: "view", summary: actionTexts.suspend, keys: "ctrl+z" },

  scroll_up: { group: "scroll", summary: actionTexts.scrollUp, keys: "shift+up" },
  scroll_down: { group: "scroll", summary: actionTexts.scrollDown, keys: "shift+down" },
  scroll_page_up: { group: "scroll", summary: actionTexts.scrollPageUp, keys: "pageUp" },
  scroll_page_down: { group: "scroll", summary: actionTexts.scrollPageDown, keys: "pageDown" },
  scroll_half_up: { group: "scroll", summary: actionTexts.scrollHalfUp, keys: "ctrl+alt+u" },
  scroll_half_down: { group: "scroll", summary: actionTexts.scrollHalfDown, keys: "ctrl+alt+d" },
  scroll_top: { group: "scroll", summary: actionTexts.scrollTop, keys: "ctrl+home" },
  scroll_bottom: { group: "scroll", summary: actionTexts.scrollBottom, keys: "ctrl+end" },
} as const satisfies { readonly [name: string]: ActionRow };

export type Action = keyof typeof table;

export const actions: { readonly [Name in Action]: ActionRow } = table;
// The keys of the table are the names, and nothing adds to it.
export const actionNames = Object.keys(table) as readonly Action[];

export function isAction(name: string): name is Action {
  return Object.hasOwn(table, name);
}

export const leaderDefault = "ctrl+x";
