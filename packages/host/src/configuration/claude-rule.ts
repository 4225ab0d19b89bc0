/** One permission rule of Claude Code as rules of kedge that mean exactly the same, or why there are none. */
import { canonicalPermission } from "@kedge/engine";
import type { PermissionAction } from "@kedge/protocol";
import { exactPathPatterns, type PatternPlace } from "./path-patterns.ts";
import { headOf } from "./rule-head.ts";

export type ConvertedRule =
  | { readonly ok: true; readonly permission: string; readonly patterns: readonly string[] }
  | {
      readonly ok: false;
      readonly permission: string;
      readonly head: string;
      readonly why: string;
      /** It decides nothing there either. */
      readonly isIdle?: true;
      /** It is about a tool that kedge does not have. */
      readonly isOfAbsentTool?: true;
    };

/** Tools that kedge has under the same meaning, by what Claude Code calls them. */
const tools: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
);

const inexact = "has no exact equivalent in kedge";

/** Undefined for what is no rule there either. */
export function convertClaudeRule(text: string, place: PatternPlace): ConvertedRule | undefined {
  const [, name, specifier] = /^([A-Za-z_*][\w*-]*)(?:\((.*)\))?$/s.exec(text) ?? [];
  if (name === undefined) return undefined;
  if (name.startsWith("mcp__")) return convertServer(name, specifier);
  const permission = tools.get(name);
  if (permission === undefined) return convertOther(name, specifier);
  if (specifier === undefined || specifier === "*") return { ok: true, permission, patterns: ["*"] };
  const lost = (why: string): ConvertedRule => ({ ok: false, permission, head: headOf(specifier, permission), why });
  const exactly = (patterns: readonly string[] | undefined): ConvertedRule =>
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
      return lost(`matches an argument of ${name}, which kedge rules do not support`);
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

function convertServer(name: string, specifier: string | undefined): ConvertedRule {
  const permission = name.toLowerCase();
  if (specifier !== undefined && specifier !== "*") {
    return {
      ok: false,
      permission,
      head: "",
      why: "matches an argument of an MCP tool, which kedge rules do not support",
    };
  }
  // A server without a tool is all of its tools.
  const isServer = !name.slice("mcp__".length).includes("__") && !name.includes("*");
  return { ok: true, permission: isServer ? `${permission}__*` : permission, patterns: ["*"] };
}

/** What kedge cannot tell apart must not become wider: one name of ours covers several tools of theirs. */
function convertOther(name: string, specifier: string | undefined): ConvertedRule {
  const permission = canonicalPermission(name);
  const head = specifier === undefined ? "" : headOf(specifier, permission);
  if (permission === "edit" && specifier !== undefined) {
    const why = "has no effect in Claude Code, which only checks paths in Edit rules";
    return { ok: false, permission, head, why, isIdle: true };
  }
  if (permission === "edit") {
    const why = "is about one of several editing tools; kedge has one rule for all of them, Edit";
    return { ok: false, permission, head, why };
  }
  const why = `names the tool ${name}, which does not exist in kedge`;
  return { ok: false, permission, head, why, isOfAbsentTool: true };
}
