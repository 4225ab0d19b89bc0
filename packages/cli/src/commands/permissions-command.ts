/** `kedge permissions test <file>`: a user's own table of commands and what should be decided about each. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createExplainer, type PermissionSurroundings } from "@kedge/host/explain";
import { isJsonObject, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openRules } from "../opening/open-rules.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { permissionTexts } from "../texts/setup.ts";
import { runExplainCommand } from "./explain-command.ts";

type Case = {
  readonly line: number;
  readonly question: { readonly [member: string]: unknown };
  readonly expected: readonly string[];
};

export async function runPermissionsCommand([action, ...rest]: readonly string[], flags: Flags): Promise<number> {
  if (action === "explain") return runExplainCommand(["permission", ...rest], flags);
  const [file, extra] = rest;
  if (action !== "test" || file === undefined || extra !== undefined) {
    writeNotice(permissionTexts.usage + permissionTexts.usageExample);
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  const read = readCases(resolve(surroundings.cwd, file));
  if (!read.ok) {
    writeNotice(read.problem);
    return exitCodes.error;
  }
  const opened = await openRules(flags, surroundings);
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  return judgeCases(read.cases, opened.surroundings, flags);
}

async function judgeCases(cases: readonly Case[], surroundings: PermissionSurroundings, flags: Flags): Promise<number> {
  // Nothing in a table of calls is looked up.
  const explainer = createExplainer({
    ...surroundings,
    lookUp: async () => undefined,
    web: { now: () => performance.now() },
  });
  const results = await Promise.all(
    cases.map(async ({ line, question, expected }) => {
      const { verdict, why, error } = await explainer.answer("permission", question);
      const found = typeof verdict === "string" ? verdict : "error";
      return {
        line,
        command: question["command"] ?? "",
        expected,
        found,
        why: why ?? error ?? "",
        ok: expected.includes(found),
      };
    }),
  );
  const wrong = results.filter(({ ok }) => !ok);
  if (flags.json) writeResult(`${JSON.stringify({ cases: results.length, wrong })}\n`);
  else {
    for (const { line, command, expected, found, why } of wrong) {
      const text = showTerminalControls(String(command));
      writeResult(permissionTexts.wrong(line, text, expected.join(" or "), found, showTerminalControls(String(why))));
    }
    writeResult(permissionTexts.asExpected(results.length - wrong.length, results.length));
  }
  return wrong.length === 0 ? exitCodes.success : exitCodes.error;
}

function readCases(
  path: string,
): { readonly ok: true; readonly cases: readonly Case[] } | { readonly ok: false; readonly problem: string } {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return {
      ok: false,
      problem: permissionTexts.unreadable(path, error instanceof Error ? error.message : String(error)),
    };
  }
  const cases: Case[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const parsed = parseCase(line);
    if (parsed === undefined) {
      const example = '{"command": "git push", "expected": "ask"}';
      return { ok: false, problem: permissionTexts.wrongCase(index + 1, path, example) };
    }
    cases.push({ line: index + 1, ...parsed });
  }
  return { ok: true, cases };
}

function parseCase(line: string): Omit<Case, "line"> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || typeof value["command"] !== "string") return undefined;
  const { expected, also_ok: alsoOk = [], ...question } = value;
  const all = [expected, ...(Array.isArray(alsoOk) ? alsoOk : [])];
  return all.every((each) => typeof each === "string") ? { question, expected: all as readonly string[] } : undefined;
}
