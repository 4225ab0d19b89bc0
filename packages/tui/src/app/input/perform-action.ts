/** What each named action does. */
import { efforts } from "@kedge/protocol";
import type { DialogName } from "../../commands/command-context.ts";
import type { Action } from "../../keys/actions.ts";
import type { Screen } from "../../screen/open-screen.ts";
import type { ClientState } from "../../state/client-state.ts";
import type { SessionDesk } from "../session/session-desk.ts";
import { createModeCycle } from "./mode-cycle.ts";

export type ActionParts = {
  readonly screen: Screen;
  readonly desk: () => SessionDesk;
  readonly state: () => ClientState;
  readonly open: (name: DialogName) => void;
  readonly submit: (delivery: "now" | "follow-up") => void;
  /** A line as if it had been typed, such as `/export`. */
  readonly run: (line: string) => void;
  readonly editPrompt: () => void;
  readonly editQueued: () => void;
  readonly clearInput: () => void;
  readonly interrupt: () => void;
  readonly pasteImage: () => void;
  readonly toggleVim: () => void;
  readonly toggleThinking: () => void;
  readonly toggleSidebar: () => void;
  readonly toggleMouse: () => void;
  readonly expand: (which: "last" | "all") => void;
  readonly openPager: () => void;
  readonly copyAnswer: () => void;
  readonly scrolled: () => void;
  readonly scrollLines: number;
  readonly suspend: () => void;
  readonly exit: () => void;
};

export function createActions(parts: ActionParts): (action: Action) => void {
  const { screen, state } = parts;

  const modes = createModeCycle();

  function changeMode(by: "next" | "togglePlan"): void {
    const { session } = state();
    if (session !== undefined) void parts.desk().changeMode(modes[by](session));
  }

  function cycleEffort(): void {
    const current = parts.desk().effort();
    const at = current === undefined ? -1 : efforts.indexOf(current);
    const next = efforts[(at + 1) % efforts.length];
    if (next !== undefined) parts.desk().changeEffort(next);
  }

  function scroll(move: () => void): void {
    move();
    parts.scrolled();
  }

  const half = 0.5;
  const table: { readonly [Name in Action]: () => void } = {
    submit: () => parts.submit("now"),
    // The prompt does these two itself.
    newline: () => {},
    history_search: () => {},
    follow_up: () => parts.submit("follow-up"),
    queue_edit: parts.editQueued,
    clear_input: parts.clearInput,
    editor_open: parts.editPrompt,
    paste_image: parts.pasteImage,
    vim_toggle: parts.toggleVim,
    interrupt: parts.interrupt,
    session_list: () => parts.open("sessions"),
    session_new: () => parts.run("/new"),
    undo: () => parts.run("/undo"),
    redo: () => parts.run("/redo"),
    rewind: () => parts.open("rewind"),
    tree: () => parts.open("tree"),
    compact: () => parts.run("/compact"),
    export: () => parts.run("/export"),
    exit: parts.exit,
    model_list: () => parts.open("models"),
    effort_cycle: cycleEffort,
    thinking: parts.toggleThinking,
    toggle_mode: () => changeMode("togglePlan"),
    permission_cycle: () => changeMode("next"),
    palette: () => parts.open("palette"),
    help: () => parts.open("help"),
    status: () => parts.open("status"),
    theme_list: () => parts.open("themes"),
    sidebar: parts.toggleSidebar,
    tasks: () => parts.open("tasks"),
    expand: () => parts.expand("last"),
    expand_all: () => parts.expand("all"),
    pager: parts.openPager,
    search: () => screen.toggleSearch(),
    copy_answer: parts.copyAnswer,
    mouse_toggle: parts.toggleMouse,
    redraw: () => screen.redrawAll(),
    suspend: parts.suspend,
    scroll_up: () => scroll(() => screen.scrollBy(-parts.scrollLines)),
    scroll_down: () => scroll(() => screen.scrollBy(parts.scrollLines)),
    scroll_page_up: () => scroll(() => screen.scrollByPage(-1)),
    scroll_page_down: () => scroll(() => screen.scrollByPage(1)),
    scroll_half_up: () => scroll(() => screen.scrollByPage(-half)),
    scroll_half_down: () => scroll(() => screen.scrollByPage(half)),
    scroll_top: () => scroll(() => screen.scrollToTop()),
    scroll_bottom: () => scroll(() => screen.scrollToEnd()),
  };
  return (action) => table[action]();
}
