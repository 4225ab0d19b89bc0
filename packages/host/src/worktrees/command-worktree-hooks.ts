/** Hooks for worktrees where a command of the terminal makes or removes them, without a session. */
import type { WorktreeHooks } from "@kedge/agents/worktrees";
import { type CommandHooksParts, openCommandHooks } from "../hooks/command-hooks.ts";
import { worktreeHooks } from "./worktree-hooks.ts";

/** Undefined where no hook is for worktrees. */
export function commandWorktreeHooks(parts: CommandHooksParts): WorktreeHooks | undefined {
  const isWanted = parts.configuration.hooks.sources.some(({ hooks }) =>
    /Worktree(?:Create|Remove)/.test(JSON.stringify(hooks)),
  );
  return isWanted ? worktreeHooks(openCommandHooks(parts), "") : undefined;
}
