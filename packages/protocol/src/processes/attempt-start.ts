/** Starting a process where the system may have no descriptor, process or memory left for it. */
import type { ChildProcess } from "node:child_process";
import { reasonOf } from "./system-reason.ts";

const outOfDescriptors = "too many files are open";

export type NotStarted = { readonly problem: string };

/** What the system refuses at once is an outcome; what it finds out later still comes as the child's `error`. */
export function attemptStart<Child extends ChildProcess>(start: () => Child): Child | NotStarted {
  let child: Child;
  try {
    child = start();
  } catch (error) {
    // No memory, or words longer than the system's limit.
    if (!(error instanceof Error && "code" in error)) throw error;
    return { problem: reasonOf(error) };
  }
  // Out of descriptors Node gives a child without any pipes, whatever its types say, and tells of it a moment later.
  const pipes: ChildProcess["stdio"] | undefined = child.stdio;
  if (pipes !== undefined) return child;
  child.once("error", () => undefined);
  return { problem: outOfDescriptors };
}
