/** `--worktree`: the session works in a worktree, which is removed at its end if nothing would be lost. */
import {
  commandWorktreeHooks,
  createWorktree,
  findWorktree,
  knownWorktree,
  listWorktrees,
  openWorktrees,
  removeWorktree,
} from "@kedge/host/worktrees";
import type { Flags } from "../arguments/flags.ts";
import { failureText } from "../failure-text.ts";
import { writeDiagnostic, writeNotice } from "../output.ts";
import { worktreeTexts } from "../texts/opening.ts";
import { openSettings } from "./open-settings.ts";
import { readSurroundings } from "./surroundings.ts";

export type EnteredWorktree = {
  /** Goes back, removes the worktree where nothing would be lost, and says where it is otherwise. */
  leave(): Promise<void>;
};

/** Undefined where there is none to enter; why has been said then. */
export async function enterWorktree(flags: Flags): Promise<EnteredWorktree | undefined> {
  const surroundings = readSurroundings();
  const settings = await openSettings(flags, surroundings);
  const hooks = settings.ok ? commandWorktreeHooks({ ...settings, ...surroundings }) : undefined;
  const opened = settings.ok
    ? openWorktrees({ ...settings, ...surroundings, now: Date.now, worktreeHooks: hooks })
    : settings;
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return undefined;
  }
  const { repository } = opened.value;
  const name = flags.worktree === "" || flags.worktree === undefined ? nameFor(new Date()) : flags.worktree;
  const listing = await listWorktrees(repository);
  const existing = listing.ok ? findWorktree(listing.worktrees, name) : undefined;
  const made = existing === undefined ? await createWorktree(name, opened.value) : undefined;
  if (made?.ok === false) {
    writeDiagnostic(failureText(made.failure));
    return undefined;
  }
  for (const notice of made?.value.notices ?? []) writeNotice(notice);
  const directory = existing?.directory ?? made?.value.directory ?? surroundings.cwd;
  process.chdir(directory);
  return {
    async leave() {
      // A directory in which a process works cannot be removed on every system.
      process.chdir(surroundings.cwd);
      if (made?.value.branch === "" || (existing?.kind === "left" && existing.hook !== undefined)) {
        writeDiagnostic(worktreeTexts.keptOfHook(name, directory));
        return;
      }
      const tree = knownWorktree(directory);
      if (tree === undefined) return;
      const removal = await removeWorktree(repository, tree, hooks);
      if (removal.ok) return;
      writeDiagnostic(worktreeTexts.kept(name, removal.reasons.join(", "), directory));
      writeDiagnostic(worktreeTexts.continueIn(tree.record.branch, name));
    },
  };
}

/** Such as `0117-142530`: short to type, and different for every start. */
function nameFor(now: Date): string {
  const digits = now.toISOString().replace(/\D/g, "");
  return `${digits.slice(4, 8)}-${digits.slice(8, 14)}`;
}
