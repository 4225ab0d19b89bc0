/** Turns the permission rules of Claude Code into rules of kedge that mean exactly the same, or says why there are none. */

import { canonicalPermission } from "@kedge/engine";
import { isJsonObject, type PermissionAction } from "@kedge/protocol";
import type { Findings, ImportLayer, Origin } from "../findings.ts";
import { nameTable } from "../name-table.ts";
import { exactPathPatterns } from "./path-patterns.ts";
import { headOf } from "./rule-head.ts";

type Converted =
  | { readonly ok: true; readonly permission: string; readonly patterns: readonly string[] }
  | {
      readonly ok: false;
      readonly permission: string;
      readonly head: string;
      readonly why: string /** It decides nothing there either. */;
      readonly isIdle?: true;
    };

/** Tools that kedge has under the same meaning, by what Claude Code calls them. */
const tools = nameTable({
  Bash: "bash",
  Read: "read",
  Edit: "edit",
  Glob: "glob",
  Grep: "grep",
  LS: "list",
  WebFetch: "webfetch",
  WebSearch: "websearch",
  Task: "agent",
  Agent: "agent",
  Skill: "skill",
});

const inexact = "cannot be expressed exactly in kedge";

/** `permissions` of a settings file. */
export function convertClaudeRules(
  permissions: unknown,
  layer: ImportLayer,
  { file }: Origin,
  findings: Findings,
): void {
  if (!isJsonObject(permissions)) {
    findings.notes.push({ file, key: "permissions", kind: "broken", why: "must be an object" });
    return;
  }
  for (const action of ["allow", "ask", "deny"] as const) {
    const texts = permissions[action] ?? [];
    if (!Array.isArray(texts)) {
      findings.notes.push({ file, key: `permissions.${action}`, kind: "broken", why: "must be a list" });
      continue;
    }
    for (const text of texts) addRule(text, { action, layer, file }, findings);
  }
}

type RulePlace = { readonly action: PermissionAction; readonly layer: ImportLayer; readonly file: string };

function addRule(text: unknown, { action, layer, file }: RulePlace, findings: Findings): void {
  const shown = typeof text === "string" ? text : JSON.stringify(text);
  const from = { file, key: `${action} ${shown}` };
  const converted = typeof text === "string" ? convertRule(text.trim(), { action, layer }) : undefined;
  if (converted === undefined) {
    findings.notes.push({ ...from, kind: "broken", why: "is not a rule" });
  } else if (converted.ok) {
    const { permission, patterns } = converted;
    for (const pattern of patterns)
      findings.rules.push({ layer, rule: { permission, pattern, action }, isOrdered: false, from });
  } else {
    findings.notes.push({ ...from, kind: "unsupported", why: converted.why });
    if (action !== "allow" && !converted.isIdle)
      findings.lostRules.push({ layer, permission: converted.permission, head: converted.head });
  }
}

/** Undefined for what is no rule there either. */
export function convertRule(
  text: string,
  place: { readonly action: PermissionAction; readonly layer: ImportLayer },
): Converted | undefined {
  const [, name, specifier] = /^([A-Za-z_*][\w*-]*)(?:\((.*)\))?$/s.exec(text) ?? [];
  if (name === undefined) return undefined;
  if (name.startsWith("mcp__")) return convertServer(name, specifier);
  const permission = tools.get(name);
  if (permission === undefined) return convertOther(name, specifier);
  if (specifier === undefined || specifier === "*") return { ok: true, permission, patterns: ["*"] };
  const lost = (why: string): Converted => ({ ok: false, permission, head: headOf(specifier, permission), why });
  const exactly = (patterns: readonly string[] | undefined): Converted =>
    patterns === undefined ? lost(inexact) : { ok: true, permission, patterns };
  switch (permission) {
    case "bash":
      return exactly(commandPattern(specifier));
    case "read":
    case "edit":
      return exactly(exactPathPatterns(specifier, place));
    case "webfetch":
      return exactly(domainPatterns(specifier, place.action));
    default:
      return lost(`names an argument of ${name}, which kedge's rules do not know`);
  }
}

/** There `:*` at the end is the same as a space and a star, and a question mark is a plain character. */
function commandPattern(specifier: string): readonly string[] | undefined {
  if (/[?\\]/.test(specifier)) return undefined;
  const prefix = /^(.+):\*$/s.exec(specifier)?.[1];
  if (prefix === undefined) return [specifier];
  return prefix.includes("*") ? undefined : [`${prefix} *`];
}

/** kedge's rules name the port as well where an address has one. */
function domainPatterns(specifier: string, action: PermissionAction): readonly string[] | undefined {
  const host = /^domain:([\w.*-]+)$/.exec(specifier)?.[1]?.toLowerCase();
  if (host === undefined || host.slice(1).includes("*")) return undefined;
  const pattern = `domain:${host}`;
  return action === "allow" || host === "*" ? [pattern] : [pattern, `${pattern}:*`];
}

function convertServer(name: string, specifier: string | undefined): Converted {
  const permission = name.toLowerCase();
  if (specifier !== undefined && specifier !== "*") {
    return {
      ok: false,
      permission,
      head: "",
      why: "names an argument of an MCP tool, which kedge's rules do not know",
    };
  }
  // A server without a tool is all of its tools.
  const isServer = !name.slice("mcp__".length).includes("__") && !name.includes("*");
  return { ok: true, permission: isServer ? `${permission}__*` : permission, patterns: ["*"] };
}

/** What kedge cannot tell apart must not become wider: one name of ours covers several tools of theirs. */
function convertOther(name: string, specifier: string | undefined): Converted {
  const permission = canonicalPermission(name);
  const head = specifier === undefined ? "" : headOf(specifier, permission);
  if (permission === "edit" && specifier !== undefined) {
    const why = "has no effect in Claude Code, which looks at paths of Edit rules only";
    return { ok: false, permission, head, why, isIdle: true };
  }
  if (permission === "edit") {
    const why = "is about one of several editing tools, and kedge's rules know only all of them as Edit";
    return { ok: false, permission, head, why };
  }
  return { ok: false, permission, head, why: `names the tool ${name}, which kedge does not have` };
}
