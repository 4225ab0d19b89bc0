/** Hooks of the user that hear of worktrees, or make them in place of git. */
import type { WorktreeHooks } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import type { OpenedHooks } from "../hooks/open-hooks.ts";

type Heard = Pick<OpenedHooks, "hooks" | "worktreeCreate" | "worktreeRemove">;

/** Undefined where no hook is for worktrees. */
export function worktreeHooks(opened: Heard | undefined, sessionId: string): WorktreeHooks | undefined {
  const hears = (event: string) => opened?.hooks.some((hook) => hook.event === event) === true;
  const [creates, removes] = [hears("WorktreeCreate"), hears("WorktreeRemove")];
  if (opened === undefined || (!creates && !removes)) return undefined;
  const { signal } = new AbortController();
  return {
    async create(name): Promise<Answer<string> | undefined> {
      if (!creates) return undefined;
      const { refusal, path } = await opened.worktreeCreate({ sessionId, name }, signal);
      if (refusal !== undefined) return refused(`A hook refused the worktree: ${refusal}.`);
      return path === undefined
        ? refused(
            "The WorktreeCreate hook did not name a directory.",
            "It must print the path of the directory it created.",
          )
        : { ok: true, value: path };
    },
    async remove(directory) {
      if (removes) await opened.worktreeRemove({ sessionId, path: directory }, signal);
      return removes;
    },
  };
}
