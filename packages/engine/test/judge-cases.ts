/** Calls and contexts for the tests of the judge: a workspace at /w, started from its root. */
import { resolve } from "node:path";
import type { AnalyseShell, Need, PermissionAction, PermissionRule, RuleSet, RuleSource } from "@kedge/protocol";
import type { JudgeCall, JudgeContext } from "../src/permission/subject.ts";

export function context(settings: Partial<JudgeContext> = {}): JudgeContext {
  return {
    rules: [],
    grants: [],
    mode: "default",
    lookAtPath: (path) => ({ place: path === "/w" || path.startsWith("/w/") ? "inside" : "outside", otherNames: [] }),
    home: "/home/dev",
    kedgeHome: "/home/dev/.kedge",
    analyseShell: readPlainCommands,
    ...settings,
  };
}

/** Plain words separated by semicolons are understood, anything else is not. How commands are read is tested elsewhere. */
export const readPlainCommands: AnalyseShell = (command) => {
  const none = { files: [], concerns: [], readOnly: false, looksAt: "files" } as const;
  if (!/^[\w ./;-]+$/.test(command)) return { ...none, commands: [], unknown: "it has more than plain words" };
  const commands = command.split(";").map((text) => ({
    text: text.trim(),
    otherTexts: [],
    isTransparent: false,
    riskyOptions: [],
    readOnly: false,
  }));
  return { ...none, commands };
};

export function rule(permission: string, pattern: string, action: PermissionAction): PermissionRule {
  return { permission, pattern, action };
}

export function ruleSet(source: RuleSource, ...rules: readonly PermissionRule[]): RuleSet {
  return { source, rules };
}

export function call(tool: string, needs: readonly Need[], options: { readonly readOnly: boolean }): JudgeCall {
  return { tool, needs, readOnly: options.readOnly, cwd: "/w" };
}

export function read(...paths: readonly string[]): JudgeCall {
  return call("read", [fileNeed("read", paths)], { readOnly: true });
}

export function edit(...paths: readonly string[]): JudgeCall {
  return call("edit", [fileNeed("edit", paths)], { readOnly: false });
}

export function bash(command: string): JudgeCall {
  const need: Need = { permission: "bash", patterns: [command], always: [command], access: "execute" };
  return call("bash", [need], { readOnly: false });
}

export function webfetch(url: string): JudgeCall {
  const patterns = [url, `domain:${new URL(url).host}`];
  return call("webfetch", [{ permission: "webfetch", patterns, always: [url], access: "network" }], { readOnly: true });
}

function fileNeed(permission: "read" | "edit", paths: readonly string[]): Need {
  return {
    permission,
    patterns: paths,
    always: ["*"],
    access: permission === "read" ? "read" : "write",
    paths: paths.map((path) => resolve("/w", path)),
  };
}
