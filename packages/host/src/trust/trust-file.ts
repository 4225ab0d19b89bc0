/** The file of answers about workspaces: in kedge's own directory, never in a project, replaced as a whole. */
import { existsSync, readFileSync } from "node:fs";
import { type Failure, FailureError, isJsonObject, reasonOf } from "@kedge/protocol";
import { whileLocked } from "../machine/file-lock.ts";
import { replaceFile } from "../machine/replace-file.ts";

export type TrustAnswer = {
  readonly answer: "trusted" | "refused";
  readonly at: string;
  /** True where it came with a rule that the user saved: what lies below is not meant. */
  readonly isForItselfOnly?: true;
  /** Names and hashes of what the project brought when the answer was given, but for texts that only instruct. */
  readonly inputs: { readonly [name: string]: string };
};

/** By the real path of the workspace. */
export type TrustAnswers = { readonly [path: string]: TrustAnswer };

const format = 1;

/** A file that cannot be read trusts nobody, and says so. */
export function readTrustFile(path: string): TrustAnswers {
  if (!existsSync(path)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isJsonObject(value) || value["format"] !== format || !isJsonObject(value["workspaces"])) {
      throw new FailureError(unusable(path, "it has an unsupported version"));
    }
    const answers: Record<string, TrustAnswer> = {};
    for (const [workspace, answer] of Object.entries(value["workspaces"])) {
      if (isAnswer(answer)) answers[workspace] = answer;
    }
    return answers;
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const why = error instanceof SyntaxError ? "it is not valid JSON" : reasonOf(error);
    throw new FailureError(unusable(path, why), error);
  }
}

/** Given the answers as they are now, which no other process changes meanwhile. The same answers are not written. */
export function changeTrustFile(path: string, change: (answers: TrustAnswers) => TrustAnswers): void {
  try {
    whileLocked(path, () => {
      const answers = readTrustFile(path);
      const workspaces = change(answers);
      if (workspaces !== answers) replaceFile(path, `${JSON.stringify({ format, workspaces }, undefined, 2)}\n`);
    });
  } catch (error) {
    if (error instanceof FailureError || !(error instanceof Error && "code" in error)) throw error;
    throw new FailureError(unusable(path, reasonOf(error)), error);
  }
}

function isAnswer(value: unknown): value is TrustAnswer {
  if (!isJsonObject(value) || !isJsonObject(value["inputs"]) || typeof value["at"] !== "string") return false;
  const isKnown = value["answer"] === "trusted" || value["answer"] === "refused";
  return isKnown && Object.values(value["inputs"]).every((hash) => typeof hash === "string");
}

function unusable(path: string, why: string): Failure {
  return {
    code: "configuration",
    message: `Cannot use the trust file ${path}: ${why}.`,
    recovery: "Fix it, or delete it and trust your projects again.",
    retryable: false,
  };
}
