/** What a group of settings tells of itself: what it accepts, who may set it, what a project may do, when it counts. */
import type { RuleSource } from "@kedge/protocol";
import type { Check } from "./checks.ts";

/** A checked-in file is writable by strangers. */
export type ProjectRight =
  | { readonly kind: "allowed" }
  | { readonly kind: "ignored"; readonly because: string }
  | {
      readonly kind: "tightens";
      /** What a project may do, in a few words for people. */
      readonly rule: string;
      /** The part of the value that a project may set, given what is set so far, and why the rest is ignored. */
      readonly tighten: (value: unknown, soFar: unknown) => KeptOfProject;
    };

export type KeptOfProject = { readonly kept: unknown; readonly ignored?: string };

export type SettingDeclaration = {
  readonly check: Check;
  readonly project: ProjectRight;
  /** The only files that may set it; every one of the user's without this. */
  readonly sources?: readonly RuleSource[];
  /**
   * When a change counts in a process that runs on: at once, when the user asks to read the files again, or at the next
   * start. What protects the user never changes unasked.
   */
  readonly counts: "at once" | "on reload" | "at start";
  /** Lists of several files are put together; without it the strongest file's list is the list. */
  readonly arrays?: "united";
};

export type SettingDeclarations = { readonly [name: string]: SettingDeclaration };

export const allowed: ProjectRight = { kind: "allowed" };

export function ignored(because: string): ProjectRight {
  return { kind: "ignored", because };
}

export function keptOfProject(right: ProjectRight, value: unknown, soFar: unknown): KeptOfProject {
  switch (right.kind) {
    case "allowed":
      return { kept: value };
    case "ignored":
      return { kept: undefined, ignored: right.because };
    case "tightens":
      return right.tighten(value, soFar);
  }
}
