/** Workers in panes of tmux: beside the leader where it runs in tmux, else in a session of their own. */
import { type PaneBackend, type PaneOrder, type RunProgram, succeed } from "./pane-backend.ts";

export type TmuxParts = {
  readonly run: RunProgram;
  /** The pane of the leader, where it runs in tmux. */
  readonly leaderPane?: string;
  /** The socket of a server of our own, where it does not. */
  readonly socket: string;
};

const sessionName = "kedge-swarm";
const format = ["-P", "-F", "#{pane_id} #{pane_pid}"];

export function createTmuxBackend({ run, leaderPane, socket }: TmuxParts): PaneBackend {
  // The user's own configuration is for sessions that they work in.
  const tmux = leaderPane === undefined ? ["tmux", "-L", socket, "-f", "/dev/null"] : ["tmux"];
  const opened: string[] = [];

  async function list(): Promise<readonly string[]> {
    const { code, stdout } = await run([...tmux, "list-panes", "-a", "-F", "#{pane_id}"]);
    // Without a pane there is no server to answer.
    return code === 0 ? stdout.split("\n").filter(Boolean) : [];
  }

  /** The leader keeps 30 % on the left, the workers share the right. */
  async function beside(target: string, { cwd, command }: PaneOrder): Promise<string> {
    const there = await list();
    const last = opened.findLast((pane) => there.includes(pane));
    const place = last === undefined ? ["-h", "-l", "70%", "-t", target] : ["-v", "-t", last];
    const made = await succeed(run, [...tmux, "split-window", "-d", ...place, "-c", cwd, ...format, "--", ...command]);
    if (last !== undefined) await evenOut(target, paneOf(made).paneId);
    return made;
  }

  /** Only where nobody else has panes in the window: their layout is not ours to change. */
  async function evenOut(target: string, fresh: string): Promise<void> {
    const panes = await run([...tmux, "list-panes", "-t", target, "-F", "#{pane_id}"]);
    const known = new Set([target, fresh, ...opened]);
    if (
      panes.code !== 0 ||
      !panes.stdout
        .split("\n")
        .filter(Boolean)
        .every((pane) => known.has(pane))
    )
      return;
    await run([...tmux, "set-window-option", "-t", target, "main-pane-width", "30%"]);
    await run([...tmux, "select-layout", "-t", target, "main-vertical"]);
  }

  async function apart({ cwd, command, title }: PaneOrder): Promise<string> {
    const size = ["-x", "200", "-y", "60"];
    const { code } = await run([...tmux, "has-session", "-t", sessionName]);
    if (code !== 0) {
      const words = [
        "new-session",
        "-d",
        "-s",
        sessionName,
        "-n",
        title,
        ...size,
        "-c",
        cwd,
        ...format,
        "--",
        ...command,
      ];
      return succeed(run, [...tmux, ...words]);
    }
    const words = ["split-window", "-d", "-t", sessionName, "-c", cwd, ...format, "--", ...command];
    const made = await succeed(run, [...tmux, ...words]);
    await run([...tmux, "select-layout", "-t", sessionName, "tiled"]);
    return made;
  }

  return {
    kind: "tmux",
    ...(leaderPane === undefined && { attach: `tmux -L ${socket} attach` }),
    async open(order) {
      const pane = paneOf(leaderPane === undefined ? await apart(order) : await beside(leaderPane, order));
      await run([...tmux, "select-pane", "-t", pane.paneId, "-T", order.title]);
      opened.push(pane.paneId);
      return pane;
    },
    async close(paneId) {
      await run([...tmux, "kill-pane", "-t", paneId]);
    },
    list,
  };
}

function paneOf(printed: string) {
  const [paneId = "", pid = ""] = printed.trim().split(" ");
  return { paneId, ...(/^\d+$/.test(pid) && { pid: Number(pid) }) };
}
