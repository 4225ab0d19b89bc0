/** What would be decided about a call, by the rules given with the question or by those of the configuration. */
import { resolve } from "node:path";
import { type CallExplanation, explainCall, type JudgeContext, parsePermissionRules } from "@kedge/engine";
import type { Need, PermissionMode, RuleSet } from "@kedge/protocol";
import { createLookAtPath, isProtectedPath } from "@kedge/sandbox";
import { analyseShell } from "@kedge/sandbox/shell";

export type PermissionSurroundings = {
  readonly cwd: string;
  readonly root: string;
  readonly home: string;
  readonly kedgeHome: string;
  readonly rules: readonly RuleSet[];
  readonly mode: PermissionMode;
  /** Commands that no rule speaks of run unasked, because the sandbox holds them. */
  readonly isSandboxed: boolean;
  /** Commands that only look can be confined on this machine; they cannot without this. */
  readonly confinesLooks?: boolean;
  /** Count as inside the workspace. */
  readonly addedDirectories?: readonly string[];
};

/** Judges a shell command by these rules and the meaning of the command alone, in default mode. */
export function explainCommand(
  command: string,
  rules: unknown,
  place: { readonly cwd: string; readonly root?: string; readonly home: string },
): { readonly ok: true; readonly explanation: CallExplanation } | { readonly ok: false; readonly problem: string } {
  const parsed = parsePermissionRules({ permission: { bash: rules } }, { source: "flag" });
  if (!parsed.ok) return { ok: false, problem: `${parsed.path} must be ${parsed.expected}` };
  const { cwd, root = cwd, home } = place;
  const context: JudgeContext = { ...contextFor({ cwd, root, home }), rules: [parsed.rules], isTrial: true };
  return { ok: true, explanation: explainCall(callOf("bash", command, cwd), context) };
}

/** Judges a call of a tool as it would be judged in a run. */
export function explainToolCall(tool: string, subject: string, around: PermissionSurroundings): CallExplanation {
  const { rules, mode, kedgeHome, isSandboxed, confinesLooks = false } = around;
  const context = { ...contextFor(around), rules, mode, kedgeHome, isSandboxed, confinesLooks };
  return explainCall(callOf(tool, subject, around.cwd), context);
}

type Place = Pick<PermissionSurroundings, "cwd" | "root" | "home" | "addedDirectories"> &
  Partial<Pick<PermissionSurroundings, "kedgeHome">>;

function contextFor({ cwd, root, home, kedgeHome, addedDirectories = [] }: Place) {
  const lookAtPath = createLookAtPath({
    root,
    added: addedDirectories,
    home,
    ...(kedgeHome !== undefined && { kedgeHome }),
  });
  const isProtected = (path: string) => isProtectedPath(path, { home, root });
  const context: JudgeContext = {
    rules: [],
    grants: [],
    mode: "default",
    lookAtPath,
    root,
    home,
    analyseShell,
    isProtected,
  };
  return { ...context, cwd };
}

const fileTools: ReadonlySet<string> = new Set([
  "read",
  "edit",
  "write",
  "multi_edit",
  "notebook_edit",
  "list",
  "glob",
  "grep",
]);
const writingTools: ReadonlySet<string> = new Set(["edit", "write", "multi_edit", "notebook_edit"]);

function callOf(tool: string, subject: string, cwd: string) {
  const name = tool.toLowerCase();
  return { tool: name, needs: [needOf(name, subject, cwd)], readOnly: !writingTools.has(name) && name !== "bash", cwd };
}

function needOf(tool: string, subject: string, cwd: string): Need {
  const always = [subject];
  if (tool === "bash") return { permission: tool, patterns: [subject], always, access: "execute", paths: [cwd] };
  if (fileTools.has(tool)) {
    const access = writingTools.has(tool) ? "write" : "read";
    return { permission: tool, patterns: [subject], always, access, paths: [resolve(cwd, subject)] };
  }
  if (tool === "webfetch") {
    const host = URL.parse(subject)?.host;
    const patterns = host === undefined ? [subject] : [subject, `domain:${host}`];
    return { permission: tool, patterns, always, access: "network" };
  }
  return { permission: tool, patterns: subject === "" ? [] : [subject], always, access: "execute" };
}
