/** Workers in panes of iTerm2, through its command `it2`: the first beside the leader, each later one below the last. */
import { type PaneBackend, PaneError, type RunProgram, succeed } from "./pane-backend.ts";

export type ItermParts = {
  readonly run: RunProgram /** The session of the leader; the active one without this. */;
  readonly leaderSession?: string;
};

/** Decided by what it answers, not by a version. */
export async function isItermThere(run: RunProgram): Promise<boolean> {
  return (await run(["it2", "session", "list"])).code === 0;
}

export function createItermBackend({ run, leaderSession }: ItermParts): PaneBackend {
  const opened: string[] = [];

  async function list(): Promise<readonly string[]> {
    const { code, stdout } = await run(["it2", "session", "list"]);
    return code === 0
      ? stdout.split("\n").flatMap((line) => /[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}/.exec(line)?.[0] ?? [])
      : [];
  }

  async function split(): Promise<string> {
    const last = opened.at(-1);
    const at = last ?? leaderSession;
    const place = [...(last === undefined ? ["--vertical"] : []), ...(at === undefined ? [] : ["--session", at])];
    const printed = await succeed(run, ["it2", "session", "split", ...place]);
    const made = /[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}/.exec(printed)?.[0];
    if (made === undefined) throw new PaneError("it2 did not return the new session");
    return made;
  }

  return {
    kind: "iterm2",
    async open({ command, cwd }) {
      // A pane that the user closed cannot be split; the one before it can.
      for (let tries = opened.length + 1; ; tries -= 1) {
        try {
          const paneId = await split();
          await succeed(run, ["it2", "session", "run", "--session", paneId, typed(cwd, command)]);
          opened.push(paneId);
          return { paneId };
        } catch (error) {
          const there = await list();
          const gone = opened.findLastIndex((pane) => !there.includes(pane));
          if (!(error instanceof PaneError) || tries <= 1 || gone === -1) throw error;
          opened.splice(gone, 1);
        }
      }
    },
    async close(paneId) {
      await run(["it2", "session", "close", "--session", paneId, "--force"]);
    },
    list,
  };
}

/** iTerm2 types it into a shell, so every word is quoted: the shell reads arguments and nothing else. */
function typed(cwd: string, command: readonly string[]): string {
  return `cd ${quoted(cwd)} && exec ${command.map(quoted).join(" ")}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
