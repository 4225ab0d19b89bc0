/** Which files are kept from commands that run unasked: those that may contain secrets, and those that rules close. */
import type { HiddenFiles, PermissionRule, RuleSet } from "@kedge/protocol";
import { pathSpellings } from "./absolute-path.ts";
import { namesPermission } from "./names.ts";
import { secretFile } from "./path-subjects.ts";
import { isForbiddenFile, isSecretFile } from "./secret-files.ts";
import { decidingRule } from "./sources.ts";
import type { JudgeContext, Subject } from "./subject.ts";

export type HiddenFilesParts = {
  readonly rules: readonly RuleSet[];
  readonly root: string;
  readonly home: string;
  readonly kedgeHome: string;
};

/** Whoever lists files follows links first. */
const plainPath = () => ({ place: "inside", otherNames: [] }) as const;

/** One for a session; what an answer opens is said with each look. */
export function hiddenFilesOf({ rules, root, home, kedgeHome }: HiddenFilesParts): HiddenFiles {
  const closing = rules.flatMap((set) => set.rules).filter(closesFiles);
  const context: JudgeContext = { rules, grants: [], mode: "default", lookAtPath: plainPath, home };

  function isClosedByRule(path: string): boolean {
    if (closing.length === 0) return false;
    const subject: Subject = {
      permission: "read",
      stated: path,
      spellings: pathSpellings(path, root),
      commandTexts: [],
      always: [],
      path,
    };
    const rule = decidingRule(subject, context);
    return rule !== undefined && rule.action !== "allow";
  }

  /** A rule may open all of them, or some. */
  const isSecret = (path: string) => isSecretFile(path) && decidingRule(secretFile(path), context)?.action !== "allow";

  return {
    isHidden: (path) => isSecret(path) || isForbiddenFile(path, kedgeHome) || isClosedByRule(path),
    isClosedByRule,
    places: closing.flatMap(({ pattern }) => placeOf(pattern, home)),
  };
}

function closesFiles({ permission, action }: PermissionRule): boolean {
  return action !== "allow" && namesPermission(permission, "read");
}

/** The file or directory that an absolute pattern names; the files of the workspace are tried one by one anyway. */
function placeOf(pattern: string, home: string): readonly string[] {
  const whole = pattern.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home);
  if (!whole.startsWith("/")) return [];
  const literal = whole.split(/[*?]/, 1)[0] ?? "";
  return [literal.replace(/\/+$/, "") || "/"];
}
