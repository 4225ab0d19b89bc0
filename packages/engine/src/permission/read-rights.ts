/** The one answer to whether a file may be read, given to everything that reads: rules, secrets, places, every name. */
import type { OtherName, PermissionMode, PermissionRule, ReadRights, RuleSet, Workspace } from "@kedge/protocol";
import { pathSpellings } from "./absolute-path.ts";
import { judge } from "./judge.ts";
import { namesPermission } from "./names.ts";
import { secretFile } from "./path-subjects.ts";
import { homeOfAllProfiles, isForbiddenFile, isSecretFile } from "./secret-files.ts";
import { decidingRule } from "./sources.ts";
import type { JudgeContext, Subject } from "./subject.ts";

export type ReadRightsParts = {
  readonly workspace: Pick<Workspace, "cwd" | "root" | "home" | "kedgeHome" | "lookAtPath">;
  readonly rules: readonly RuleSet[];
  /** Those of the moment. */
  readonly grants: () => readonly PermissionRule[];
  readonly mode: () => PermissionMode;
};

export function createReadRights(parts: ReadRightsParts): ReadRights {
  const { cwd, root, home, kedgeHome, lookAtPath } = parts.workspace;
  const contextNow = (): JudgeContext => ({
    ...{ lookAtPath, root, home, kedgeHome, rules: parts.rules },
    grants: parts.grants(),
    mode: parts.mode(),
  });
  return {
    of(path) {
      const need = { permission: "read", patterns: [path], always: [], access: "read", paths: [path] } as const;
      const verdict = judge({ tool: "read", needs: [need], readOnly: true, cwd }, contextNow());
      if (verdict.verdict === "allow") return { answer: "allow" };
      return { answer: verdict.verdict, why: verdict.verdict === "ask" ? verdict.reason : verdict.decision.reason };
    },
    below(directory) {
      const names = [[directory], ...lookAtPath(directory).otherNames];
      const tests = names.map((name) => siftBelow(name, contextNow()));
      return (path) => {
        const rest = path.slice(directory.length);
        return tests.every((mayShow) => mayShow(rest));
      };
    },
  };
}

/** What a rule could say of reading; none at all is the usual case, and then only names of secrets are looked for. */
function siftBelow(directory: OtherName, context: JudgeContext): (rest: string) => boolean {
  const reading = aboutReading(context, "read");
  const secrets = aboutReading(context, "secret_file");
  const root = context.root ?? "/";
  const isRuled = [reading.grants, ...reading.rules.map(({ rules }) => rules)]
    .flat()
    .some(({ action }) => action !== "allow");
  const mayBeForbidden = directory.some((path) => isNearForbidden(path, context.kedgeHome));
  // Names of folders above count for every file below, so they are looked at once.
  const isSecretPlace = directory.some((path) => /\/\.|keychains/i.test(path));
  return (rest) => {
    const isSecret = isSecretPlace ? directory.some((path) => isSecretFile(path + rest)) : isSecretFile(rest);
    if (!isRuled && !isSecret && !mayBeForbidden) return true;
    const paths = directory.map((path) => path + rest);
    if (mayBeForbidden && paths.some((path) => isForbiddenFile(path, context.kedgeHome))) return false;
    if (isSecret && !paths.some((path) => decidingRule(secretFile(path), secrets)?.action === "allow")) return false;
    if (!isRuled) return true;
    const action = decidingRule(fileNamed(paths, root), reading)?.action;
    return action === undefined || action === "allow";
  };
}

function aboutReading(context: JudgeContext, permission: string): JudgeContext {
  const kept = (rules: readonly PermissionRule[]) =>
    rules.filter((rule) => namesPermission(rule.permission, permission));
  const rules = context.rules.map((set) => ({ ...set, rules: kept(set.rules) })).filter((set) => set.rules.length > 0);
  return { ...context, rules, grants: kept(context.grants) };
}

function fileNamed(paths: readonly string[], root: string): Subject {
  const spellings = paths.flatMap((path) => pathSpellings(path, root));
  return { permission: "read", stated: paths[0] ?? "", spellings, commandTexts: [], always: [], path: paths[0] ?? "" };
}

/** Whether anything below a directory, or the directory itself, could be closed to every tool. */
function isNearForbidden(directory: string, kedgeHome: string | undefined): boolean {
  const lower = `${directory.toLowerCase().replace(/\/+$/, "")}/`;
  const own = kedgeHome === undefined ? [] : [`${homeOfAllProfiles(kedgeHome)}/`];
  return ["/proc/", "/run/", ...own].some((place) => lower.startsWith(place) || place.startsWith(lower));
}
