/** `/test-gen`: has the model write tests for a piece of code, and grades them by mutants of it. */
import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { LocalAnswer } from "@kedge/engine";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { openCheckout } from "../worktrees/open-worktrees.ts";
import { createGradeTool, digestOf, type GradeRounds } from "./grade-tool.ts";
import type { OpenedProof } from "./open-proof.ts";

/** Of each session that asked for tests. */
const askedIn = new WeakMap<OpenedProof, Map<string, Map<string, GradeRounds>>>();

export async function runSlashTestGen(argument: string, sessionId: string, proof: OpenedProof): Promise<LocalAnswer> {
  const [, target = "", request = ""] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
  if (target === "") return { text: "Usage: /test-gen <file>[:from-to] [what matters]." };
  const opened = openCheckout(proof.parts);
  if (!opened.ok) return { text: opened.failure.message };
  const { cwd, root } = proof.parts.project;
  const path = resolve(cwd, target.replace(/:\d+(?:-\d+)?$/, ""));
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true || relative(root, path).startsWith(".."))
    return { text: `File not found in this project: ${target}.` };
  const sessions = askedIn.get(proof) ?? new Map<string, Map<string, GradeRounds>>();
  askedIn.set(proof, sessions);
  const asked = sessions.get(sessionId) ?? new Map<string, GradeRounds>();
  sessions.set(sessionId, asked);
  // Asking again does not give more rounds for the same code.
  const digest = digestOf(path);
  if (asked.get(path)?.digest !== digest) asked.set(path, { target, digest, rounds: 0 });
  proof.offer(sessionId, "grade_tests", createGradeTool(proof.parts, asked));
  return {
    prompt: fillSlots(textBeside(import.meta.url, "./texts/test-gen-task.md"), { target, request }).trim(),
    terms: { name: "/test-gen", allow: [{ permission: "grade_tests", pattern: "*", action: "allow" }] },
  };
}
