/** Which backend a session uses: decided once, and in process for good after a pane could not be made. */
import { createItermBackend, isItermThere } from "./iterm-backend.ts";
import type { Pane, PaneBackend, PaneOrder, RunProgram } from "./pane-backend.ts";
import { createTmuxBackend } from "./tmux-backend.ts";

export type BackendWish = "auto" | "in-process" | "tmux" | "iterm2";

export type ChooseParts = {
  readonly run: RunProgram;
  readonly wish: BackendWish;
  /** As they were when kedge was started. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** Workers can be started as programs of their own. */
  readonly hasProgram: boolean;
  /** Of a tmux server for this process alone. */
  readonly socket: string;
  /** Between two panes, so that each has found its size before the next takes from it. */
  readonly settle: () => Promise<void>;
  readonly onNotice: (sentence: string) => void;
};

export interface Backends {
  /** Undefined for workers in this process. */
  find(): Promise<PaneBackend | undefined>;
  /** One after the other. Undefined where it failed: from then on workers run in this process. */
  open(order: PaneOrder): Promise<Pane | undefined>;
}

export function createBackends(parts: ChooseParts): Backends {
  let chosen: Promise<PaneBackend | undefined> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isBroken = false;

  async function find(): Promise<PaneBackend | undefined> {
    chosen ??= choose(parts);
    const backend = await chosen;
    return isBroken ? undefined : backend;
  }

  async function open(order: PaneOrder): Promise<Pane | undefined> {
    const backend = await find();
    if (backend === undefined) return undefined;
    try {
      return await backend.open(order);
    } catch (error) {
      isBroken = true;
      const why = error instanceof Error ? error.message : String(error);
      parts.onNotice(`No pane could be opened (${why}). Teammates of this session run in process.`);
      return undefined;
    } finally {
      await parts.settle();
    }
  }

  return {
    find,
    open(order) {
      const own = last.then(() => open(order));
      last = own;
      return own;
    },
  };
}

async function choose({ run, wish, environment, socket, hasProgram }: ChooseParts): Promise<PaneBackend | undefined> {
  if (wish === "in-process" || !hasProgram) return undefined;
  const leaderPane = environment["TMUX"] === undefined ? undefined : environment["TMUX_PANE"];
  const tmux = () => createTmuxBackend({ run, socket, ...(leaderPane !== undefined && { leaderPane }) });
  const session = environment["ITERM_SESSION_ID"]?.split(":").at(-1);
  const iterm = () => createItermBackend({ run, ...(session !== undefined && { leaderSession: session }) });
  if (wish === "tmux") return tmux();
  if (wish === "iterm2") return iterm();
  if (leaderPane !== undefined) return tmux();
  if ((await run(["tmux", "-V"])).code === 0) return tmux();
  return environment["TERM_PROGRAM"] === "iTerm.app" && (await isItermThere(run)) ? iterm() : undefined;
}
