/**
 * Whether what a workspace brings may be loaded: only what a person said yes to. What can run or reach further holds only
 * as it was then; texts that instruct may change.
 */
import { realpathSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { FailureError } from "@kedge/protocol";
import type { Home } from "../machine/home.ts";
import { collectProjectInputs, type ProjectInput } from "./project-inputs.ts";
import { changeTrustFile, readTrustFile, type TrustAnswer } from "./trust-file.ts";

export type WorkspaceTrust =
  /** It brings nothing, so there is nothing to trust. */
  | { readonly state: "nothing" }
  | { readonly state: "trusted"; readonly inputs: readonly ProjectInput[] }
  | { readonly state: "refused"; readonly inputs: readonly ProjectInput[] }
  /** Nobody was asked yet, or what it brings changed since the answer. */
  | { readonly state: "unknown"; readonly inputs: readonly ProjectInput[]; readonly changes: readonly InputChange[] };

export type InputChange = { readonly name: string; readonly change: "added" | "changed" | "removed" };

export type TrustParts = {
  readonly home: Home;
  readonly root: string;
  readonly userDirectory: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

export function judgeWorkspace({ home, root, userDirectory, now }: TrustParts): WorkspaceTrust {
  const inputs = collectProjectInputs(root);
  if (inputs.length === 0) return { state: "nothing" };
  const path = trustPath(home);
  const answers = readTrustFile(path);
  const own = answers[root];
  if (own === undefined) {
    // What lies below a trusted directory is trusted as it is found, and held to that from then on.
    const isCovered = ancestorsOf(root, userDirectory).some((each) => covers(answers[each]));
    if (!isCovered) return { state: "unknown", inputs, changes: [] };
    changeTrustFile(path, (current) => ({ ...current, [root]: answerFor("trusted", inputs, now()) }));
    return { state: "trusted", inputs };
  }
  const changes = changesSince(own, inputs);
  if (changes.length > 0) return { state: "unknown", inputs, changes };
  return { state: own.answer, inputs };
}

/** Whether texts of the project may instruct; also where they lie so deep that the project seems to bring nothing. */
export function isWorkspaceTrusted(parts: TrustParts): boolean {
  // Nobody can trust it, and what lies in a home directory is too much to look through.
  if (isTooWide(parts.root, parts.userDirectory)) return false;
  try {
    // Most projects have no answer, and then nothing of them needs to be looked at.
    if (recordedAnswer(parts) !== "trusted") return false;
    const { state } = judgeWorkspace(parts);
    return state === "trusted" || state === "nothing";
  } catch (error) {
    // Answers that cannot be read trust nobody; whoever starts kedge is told by those who need them.
    if (error instanceof FailureError) return false;
    throw error;
  }
}

/** What was said about the project itself, or a yes that was said about a directory above it. */
export function recordedAnswer({ home, root, userDirectory }: Omit<TrustParts, "now">) {
  const answers = readTrustFile(trustPath(home));
  const own = answers[root]?.answer;
  if (own !== undefined) return own;
  return ancestorsOf(root, userDirectory).some((each) => covers(answers[each])) ? "trusted" : undefined;
}

/** When the project itself was last answered about. */
export function trustedAt({ home, root }: Pick<TrustParts, "home" | "root">): string | undefined {
  return readTrustFile(trustPath(home))[root]?.at;
}

/** Records the answer; the sentence says why it cannot be given. */
export function answerTrust(
  { home, root, userDirectory, now }: TrustParts,
  answer: "trusted" | "refused",
): string | undefined {
  if (answer === "trusted" && isTooWide(root, userDirectory)) {
    return `${root} cannot be trusted as a whole. Trust the projects in it one by one.`;
  }
  const given = answerFor(answer, collectProjectInputs(root), now());
  changeTrustFile(trustPath(home), (current) => ({ ...current, [root]: given }));
  return undefined;
}

/**
 * After kedge wrote a file of the project for the user: whoever trusted the project `before`, or had nothing to trust,
 * trusts it with that file. What else changed meanwhile is not taken along. False where there was no trust to keep.
 */
export function keepTrust({ home, root, now }: TrustParts, before: WorkspaceTrust, name: string): boolean {
  if (before.state !== "trusted" && before.state !== "nothing") return false;
  const written = collectProjectInputs(root).filter((input) => input.name === name);
  const others = before.state === "trusted" ? before.inputs.filter((input) => input.name !== name) : [];
  const kept = answerFor("trusted", [...others, ...written], now());
  changeTrustFile(trustPath(home), (current) => {
    // Who was never asked about the project has not spoken of what lies in it.
    const isNarrow = before.state === "nothing" || current[root]?.isForItselfOnly === true;
    return { ...current, [root]: isNarrow ? { ...kept, isForItselfOnly: true as const } : kept };
  });
  return true;
}

/** True if there was an answer to forget. Below a trusted directory a refusal takes its place. */
export function forgetTrust({ home, root, userDirectory, now }: TrustParts): boolean {
  let isForgotten = false;
  changeTrustFile(trustPath(home), (current) => {
    const { [root]: own, ...others } = current;
    const isCovered = ancestorsOf(root, userDirectory).some((each) => covers(others[each]));
    isForgotten = own !== undefined || isCovered;
    if (isCovered) return { ...others, [root]: answerFor("refused", collectProjectInputs(root), now()) };
    return isForgotten ? others : current;
  });
  return isForgotten;
}

function covers(answer: TrustAnswer | undefined): boolean {
  return answer?.answer === "trusted" && answer.isForItselfOnly !== true;
}

function trustPath({ directory }: Home): string {
  return join(directory, "trust.json");
}

function answerFor(answer: TrustAnswer["answer"], inputs: readonly ProjectInput[], at: number): TrustAnswer {
  const held = inputs.filter(({ isText }) => !isText);
  const hashes = Object.fromEntries(held.map(({ name, hash }) => [name, hash]));
  return { answer, at: new Date(at).toISOString(), inputs: hashes };
}

function changesSince({ inputs: before }: TrustAnswer, inputs: readonly ProjectInput[]): readonly InputChange[] {
  const changes: InputChange[] = [];
  for (const { name, hash, isText } of inputs) {
    if (isText) continue;
    if (before[name] === undefined) changes.push({ name, change: "added" });
    else if (before[name] !== hash) changes.push({ name, change: "changed" });
  }
  for (const name of Object.keys(before)) {
    if (!inputs.some((input) => input.name === name)) changes.push({ name, change: "removed" });
  }
  return changes;
}

/** Strangers' files end up below these, in downloads and temporary directories. */
export function isTooWide(directory: string, userDirectory: string): boolean {
  return directory === parse(directory).root || directory === realPath(userDirectory);
}

function ancestorsOf(directory: string, userDirectory: string): readonly string[] {
  const ancestors: string[] = [];
  for (let parent = dirname(directory); parent !== dirname(parent); parent = dirname(parent)) {
    if (!isTooWide(parent, userDirectory)) ancestors.push(parent);
  }
  return ancestors;
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
