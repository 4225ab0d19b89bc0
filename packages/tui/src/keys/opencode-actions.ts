/** What OpenCode calls the actions that we have too, so that its keybinds can be used as they are. */
import type { Action } from "./actions.ts";

/** Names of its newer files have dots in place of the underlines. */
export const opencodeActions: { readonly [name: string]: Action } = {
  app_exit: "exit",
  command_list: "palette",
  command_palette_show: "palette",
  help_show: "help",
  status_view: "status",
  sidebar_toggle: "sidebar",
  session_export: "export",
  session_timeline: "tree",
  session_interrupt: "interrupt",
  session_compact: "compact",
  session_undo: "undo",
  session_redo: "redo",
  messages_undo: "undo",
  messages_redo: "redo",
  messages_copy: "copy_answer",
  messages_line_up: "scroll_up",
  messages_line_down: "scroll_down",
  messages_page_up: "scroll_page_up",
  messages_page_down: "scroll_page_down",
  messages_half_page_up: "scroll_half_up",
  messages_half_page_down: "scroll_half_down",
  messages_first: "scroll_top",
  messages_last: "scroll_bottom",
  tool_details: "expand_all",
  display_thinking: "thinking",
  agent_cycle: "toggle_mode",
  variant_cycle: "effort_cycle",
  input_submit: "submit",
  input_newline: "newline",
  input_clear: "clear_input",
  input_paste: "paste_image",
};

/** There a single one ends the program; here it does so when pressed twice, and clears the prompt first. */
export const opencodeKeysLeftOut: { readonly [name: string]: readonly string[] } = { app_exit: ["ctrl+c"] };
