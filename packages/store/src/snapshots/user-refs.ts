/** Reads and puts back the refs and stash entries of the user's repository, without a hook or a program of its settings. */
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import { FailureError } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";
import { type GitOutcome, type GitPlace, type GitRun, runGit } from "./git-process.ts";
import { readIfFile, type UserRepository } from "./user-repository.ts";

export type UserRefs = {
  /** What HEAD says, a name or a commit. */
  readonly head: string;
  /** By full name, without that of the stash. */
  readonly refs: { readonly [name: string]: string };
  readonly stash: Stash;
};

/** The entries are the lines of a log, oldest first; a log that expired leaves only the newest value, which is the ref. */
type Stash = { readonly value?: string; readonly lines: readonly string[] };

const stashName = "refs/stash";
const headName = "HEAD";

/** More would be a mirror of a whole forge, whose refs no command of a person concerns. */
const refsMax = 20_000;

const hashShape = /^[0-9a-f]{40,64}$/;

/** Undefined for a repository that keeps its refs in another way than in files, or has too many. */
export async function readUserRefs({ own, common }: UserRepository): Promise<UserRefs | undefined> {
  const head = (await readIfFile(join(own, headName)))?.trim();
  if (head === undefined || (await readIfFile(join(common, "reftable", "tables.list"))) !== undefined) return undefined;
  const refs: Record<string, string> = {};
  for (const line of ((await readIfFile(join(common, "packed-refs"))) ?? "").split("\n")) {
    const [value = "", name] = line.split(" ");
    if (name !== undefined && hashShape.test(value)) refs[name] = value;
  }
  const entries = await readdir(join(common, "refs"), { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith(".lock")) continue;
    const path = join(entry.parentPath, entry.name);
    const value = (await readIfFile(path))?.trim() ?? "";
    if (hashShape.test(value)) refs[path.slice(common.length + 1).replaceAll("\\", "/")] = value;
  }
  if (Object.keys(refs).length > refsMax) return undefined;
  const log = await readIfFile(join(common, "logs", stashName));
  const { [stashName]: newest, ...others } = refs;
  const lines = (log ?? "").split("\n").filter((line) => line !== "");
  // Without the ref the log says nothing.
  return { head, refs: others, stash: newest === undefined ? { lines: [] } : { value: newest, lines } };
}

/** Written by us alone, into our own tree. */
export function parseUserRefs(note: Buffer): UserRefs {
  return JSON.parse(note.toString()) as UserRefs;
}

/** Every commit and tag that the refs and the stash hold. */
export function valuesOf({ head, refs, stash }: UserRefs): ReadonlySet<string> {
  const values = new Set([...Object.values(refs), ...stash.lines.map(stashValue)]);
  if (stash.value !== undefined) values.add(stash.value);
  if (hashShape.test(head)) values.add(head);
  return values;
}

export function differingRefs(before: UserRefs, after: UserRefs): readonly string[] {
  const names = [...new Set([...Object.keys(before.refs), ...Object.keys(after.refs)])].sort();
  const differing = names.filter((name) => before.refs[name] !== after.refs[name]);
  if (before.head !== after.head) differing.push(headName);
  if (!isSameStash(before.stash, after.stash)) differing.push(stashName);
  return differing;
}

function isSameStash(one: Stash, other: Stash): boolean {
  return one.value === other.value && one.lines.join("\n") === other.lines.join("\n");
}

/** Gives back the names of what is neither as it was left nor as it shall be: somebody else moved it. */
export async function putBackRefs(
  place: GitPlace,
  repository: UserRepository,
  { from, to }: { readonly from: UserRefs; readonly to: UserRefs },
): Promise<readonly string[]> {
  const present = await readUserRefs(repository);
  const differing = differingRefs(from, to);
  if (present === undefined) return differing;
  const due = new Set(differingRefs(present, to));
  const moved = new Set(differingRefs(present, from));
  const wanted = differing.filter((name) => due.has(name) && !moved.has(name));
  const refs = wanted.filter((name) => name !== headName && name !== stashName);
  const gone = refs.filter((name) => to.refs[name] === undefined);
  // Apart and first, because the name of one that goes may be the folder of one that comes.
  await updateRefs(
    place,
    gone.map((name) => `delete ${name} ${present.refs[name] ?? ""}`),
  );
  await updateRefs(
    place,
    refs.flatMap((name) => (to.refs[name] === undefined ? [] : [`update ${name} ${to.refs[name]}`])),
  );
  if (wanted.includes(headName)) await pointHead(place, to.head);
  if (wanted.includes(stashName)) await replaceStash(place, repository, to.stash);
  return differing.filter((name) => due.has(name) && moved.has(name));
}

async function updateRefs(place: GitPlace, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const input = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  await change(place, { arguments: ["update-ref", "--no-deref", "-m", "kedge: undo", "--stdin"], input });
}

async function pointHead(place: GitPlace, head: string): Promise<void> {
  const name = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  const words = name === undefined ? ["update-ref", "--no-deref", headName, head] : ["symbolic-ref", headName, name];
  await change(place, { arguments: words });
}

/** The log is the stash, so it is written as it was: storing entries again would give them another time. */
async function replaceStash(place: GitPlace, { common }: UserRepository, { value, lines }: Stash): Promise<void> {
  const log = join(common, "logs", stashName);
  if (value === undefined) return change(place, { arguments: ["update-ref", "-d", stashName] });
  await change(place, { arguments: ["update-ref", "--create-reflog", stashName, value] });
  const temporary = `${log}.kedge`;
  await rm(temporary, { force: true });
  await writeFile(temporary, lines.map((line) => `${line}\n`).join(""));
  await rename(temporary, log);
}

/** A line is the value before, the value, who and when, a tab and the words. */
function stashValue(line: string): string {
  return line.split(" ", 2)[1] ?? "";
}

const sealed = ["-c", `core.hooksPath=${devNull}`, "-c", "user.name=kedge", "-c", "user.email=kedge@localhost"];

async function change(place: GitPlace, run: GitRun): Promise<void> {
  const outcome: GitOutcome = await runGit(place, { ...run, arguments: [...sealed, ...run.arguments] });
  if (outcome.kind === "done") return;
  const why = outcome.kind === "failed" ? outcome.error : "git could not be started";
  throw new FailureError(failure(`Could not restore the repository's refs: ${why}.`, "Try again."));
}
