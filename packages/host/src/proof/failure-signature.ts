/** How a reproduction must fail: named before it runs, and never by an error of its own set-up. */
import { type Answer, refused } from "@kedge/protocol";
import type { GradedRun } from "../grading/graded-run.ts";
import { setupFailureIn } from "../grading/setup-failures.ts";

export type FailureSignature =
  | { readonly kind: "exit"; readonly code: number }
  /** A part of what it prints, such as the type of an exception. */
  | { readonly kind: "text"; readonly text: string };

const charactersMin = 4;
/** What nearly every failing run prints says nothing about a bug. */
const empty =
  /^(?:error|errors|fail|failed|failure|failures|exception|not ok|assert|assertion ?error|traceback)[:!.]?$/i;

export function readSignature(given: string): Answer<FailureSignature> {
  const text = given.trim();
  const exit = /^exit(?: code)? (\d{1,3})$/i.exec(text)?.[1];
  if (exit !== undefined) {
    const code = Number(exit);
    if (code === 0) return refused("exit 0 is not a failure.", "Use the exit code of the failing run.");
    return { ok: true, value: { kind: "exit", code } };
  }
  if (text.length < charactersMin || empty.test(text))
    return refused(
      `${JSON.stringify(text)} is too general to identify the failure.`,
      'Use part of the message, such as "expected 3, got 4", or an exit code, such as "exit 2".',
    );
  const setup = setupFailureIn(text);
  if (setup !== undefined)
    return refused(`A reproduction cannot fail because of ${setup}.`, "Use text that the bug itself prints.");
  return { ok: true, value: { kind: "text", text } };
}

/** Undefined where the run failed as announced; otherwise why it did not. */
export function whyNotAsNamed(run: GradedRun, signature: FailureSignature): string | undefined {
  if (run.isTimedOut) return "it timed out";
  if (run.exitCode === 0) return "it passes";
  const setup = setupFailureIn(run.tail) ?? (run.exitCode === 127 || run.exitCode === 126 ? missing : undefined);
  if (setup !== undefined) return `it fails because of ${setup}, not because of the bug`;
  if (signature.kind === "exit")
    return run.exitCode === signature.code ? undefined : `its exit code is ${run.exitCode}, not ${signature.code}`;
  return run.tail.includes(signature.text)
    ? undefined
    : `its output does not contain ${JSON.stringify(signature.text)}`;
}

const missing = "a program that is missing";
