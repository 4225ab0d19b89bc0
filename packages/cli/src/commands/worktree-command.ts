/** `kedge worktree`: lists, makes and removes the worktrees in which sessions and agents work. */
import {
  commandWorktreeHooks,
  createWorktree,
  discardWorktree,
  findWorktree,
  forgetWorktree,
  type ListedWorktree,
  listWorktrees,
  openWorktrees,
  reasonsOf,
  removeByHook,
  removeWorktree,
  worktreeData,
  worktreeLines,
} from "@kedge/host/worktrees";
import { type Json, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { askYesOrNo } from "../terminal/ask-yes-or-no.ts";
import { worktreeCommandTexts } from "../texts/work.ts";

const wordsOf: { readonly [action: string]: number } = { list: 0, add: 1, remove: 1, prune: 0 };

type Opened = Extract<ReturnType<typeof openWorktrees>, { readonly ok: true }>["value"];

export async function runWorktreeCommand(words: readonly string[], flags: Flags): Promise<number> {
  const [action = "list", name = "", ...rest] = words;
  if (wordsOf[action] !== (name === "" ? 0 : 1) || rest.length > 0) {
    writeNotice(worktreeCommandTexts.usage);
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  const settings = await openSettings(flags, surroundings);
  const worktreeHooks = settings.ok ? commandWorktreeHooks({ ...settings, ...surroundings }) : undefined;
  const opened = settings.ok ? openWorktrees({ ...settings, ...surroundings, now: Date.now, worktreeHooks }) : settings;
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  if (action === "add") return add(name, opened.value, flags);
  const listing = await listWorktrees(opened.value.repository);
  if (!listing.ok) {
    writeNotice(worktreeCommandTexts.gitFailed(listing.problem));
    return exitCodes.error;
  }
  if (action === "remove") return remove(name, listing.worktrees, opened.value, flags);
  if (action === "prune") return prune(listing.worktrees, opened.value, flags);
  const { root } = opened.value.repository;
  const text = worktreeLines(listing.worktrees, { root, now: Date.now() });
  return print({ worktrees: listing.worktrees.map(worktreeData) }, text, flags);
}

function print(data: Json, text: string, { json }: Flags): number {
  writeResult(json ? `${JSON.stringify(data)}\n` : `${showTerminalControls(text)}\n`);
  return exitCodes.success;
}

async function add(name: string, opened: Opened, flags: Flags): Promise<number> {
  const made = await createWorktree(name, opened);
  if (!made.ok) {
    writeDiagnostic(failureText(made.failure));
    return exitCodes.error;
  }
  const { directory, branch, base, notices } = made.value;
  for (const notice of notices) writeNotice(notice);
  const where = branch === "" ? directory : worktreeCommandTexts.made(directory, branch);
  return print({ name, directory, branch, base, notices: [...notices] }, where, flags);
}

async function remove(
  name: string,
  worktrees: readonly ListedWorktree[],
  { repository, hooks }: Opened,
  flags: Flags,
): Promise<number> {
  const found = findWorktree(worktrees, name);
  if (found === undefined) {
    writeNotice(worktreeCommandTexts.noWorktree(showTerminalControls(name)));
    return exitCodes.error;
  }
  if (found.kind === "left" && found.hook !== undefined) {
    const stays = await removeByHook(repository, found.hook, hooks);
    if (stays === undefined) return print({ removed: [name] }, worktreeCommandTexts.removed(name), flags);
    writeNotice(worktreeCommandTexts.keptStill(found.directory, stays));
    return exitCodes.error;
  }
  if (found.kind === "left") {
    const next = found.isGone ? worktreeCommandTexts.forget : worktreeCommandTexts.removeWithGit;
    writeNotice(worktreeCommandTexts.keptByHand(found.directory, found.why, next));
    return exitCodes.error;
  }
  const removal = flags.force
    ? await discardWorktree(repository, found)
    : await removeWorktree(repository, found, hooks);
  if (removal.ok) return print({ removed: [name] }, worktreeCommandTexts.removedWithBranch(name), flags);
  writeNotice(worktreeCommandTexts.keptWithWork(name, removal.reasons.join(", ")));
  return exitCodes.error;
}

async function prune(
  worktrees: readonly ListedWorktree[],
  { repository, hooks }: Opened,
  flags: Flags,
): Promise<number> {
  const removed: string[] = [];
  const kept: { name: string; reasons: string[] }[] = [];
  for (const tree of worktrees) {
    if (tree.kind === "left" && tree.isGone) {
      const forgotten = await forgetWorktree(repository, tree.directory);
      if (forgotten.ok) removed.push(tree.directory);
      else kept.push({ name: tree.directory, reasons: [...forgotten.reasons] });
      continue;
    }
    if (tree.kind === "left") {
      kept.push({ name: tree.directory, reasons: [tree.why] });
      continue;
    }
    const { name } = tree.record;
    const isGivenUp = tree.state.kind === "dirty" && (await isDiscarded(tree));
    const removal = isGivenUp ? await discardWorktree(repository, tree) : await removeWorktree(repository, tree, hooks);
    if (removal.ok) removed.push(name);
    else kept.push({ name, reasons: [...removal.reasons] });
  }
  const lines = [
    ...removed.map((name) => worktreeCommandTexts.removed(name)),
    ...kept.map(({ name, reasons }) => worktreeCommandTexts.kept(name, reasons.join(", "))),
  ];
  return print({ removed, kept }, lines.length === 0 ? worktreeCommandTexts.none : lines.join("\n"), flags);
}

/** Nobody is asked in a script, and nothing is discarded there. */
async function isDiscarded(tree: Extract<ListedWorktree, { readonly kind: "made" }>): Promise<boolean> {
  return askYesOrNo(worktreeCommandTexts.discard(tree.record.name, reasonsOf(tree.state).join(", ")));
}
