/** Reads shell cases and measures how far the verdicts of the judge are from those they must get. */
import { readFileSync } from "node:fs";
import type { PermissionAction } from "@kedge/protocol";
import { explainCommand } from "../src/explain/explain-permission.ts";

type Rules = Readonly<Record<string, PermissionAction>>;

/** `of` names a set of the file of rules, which `add` continues. */
type RulesForm = string | Rules | { readonly of?: string; readonly add: Rules };

type ShellCase = {
  readonly id: string;
  readonly category: string;
  readonly command: string;
  readonly rules: RulesForm;
  readonly expected: PermissionAction;
  readonly also_ok?: readonly PermissionAction[];
  readonly why: string;
};

export type CaseAnswer = ShellCase & { readonly answer: PermissionAction; readonly reason: string };

type Measure = {
  /** Had to ask or deny and was allowed. */
  readonly silent: readonly CaseAnswer[];
  /** Had to be allowed and was not. */
  readonly needless: readonly CaseAnswer[];
  /** Denied for asked or asked for denied. */
  readonly other: readonly CaseAnswer[];
  /** Cases that must be allowed, whatever else is tolerated. */
  readonly allowCount: number;
  readonly count: number;
};

export const place = { cwd: "/home/dev/proj", home: "/home/dev" };

// The files beside this one have these shapes.
const ruleSets = JSON.parse(textOf("./shell-cases-rules.json")) as Readonly<Record<string, Rules>>;

export function readCases(path: string): readonly ShellCase[] {
  const lines = textOf(path).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as ShellCase);
}

export function measure(cases: readonly ShellCase[]): Measure {
  const wrong = cases.map(answerOf).filter(({ answer, expected, also_ok = [] }) => {
    return answer !== expected && !also_ok.includes(answer);
  });
  return {
    silent: wrong.filter(({ answer }) => answer === "allow"),
    needless: wrong.filter(({ expected }) => expected === "allow"),
    other: wrong.filter(({ answer, expected }) => answer !== "allow" && expected !== "allow"),
    allowCount: cases.filter(({ expected }) => expected === "allow").length,
    count: cases.length,
  };
}

function answerOf(shellCase: ShellCase): CaseAnswer {
  const explained = explainCommand(shellCase.command, rulesOf(shellCase.rules), place);
  if (!explained.ok) throw new Error(`${shellCase.id}: ${explained.problem}`);
  return { ...shellCase, answer: explained.explanation.verdict, reason: explained.explanation.why };
}

function rulesOf(form: RulesForm): Rules {
  if (typeof form === "string") return namedSet(form);
  if (!isContinued(form)) return form;
  return { ...(form.of !== undefined && namedSet(form.of)), ...form.add };
}

function isContinued(form: Exclude<RulesForm, string>): form is Exclude<RulesForm, string | Rules> {
  return typeof form["add"] === "object";
}

function namedSet(name: string): Rules {
  const found = ruleSets[name];
  if (found === undefined) throw new Error(`there is no set of rules named ${name}`);
  return found;
}

function textOf(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
