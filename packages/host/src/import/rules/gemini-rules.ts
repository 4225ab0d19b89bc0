/** Turns the tool lists and policies of Gemini CLI into rules of kedge that mean exactly the same, or says why there are none. */

import { isJsonObject, type PermissionAction } from "@kedge/protocol";
import { headOf } from "../../configuration/rule-head.ts";
import type { Findings, FoundRule, ImportLayer, Origin } from "../findings.ts";
import { nameTable } from "../name-table.ts";

/** Tools that kedge has under the same meaning. */
const tools = nameTable({
  run_shell_command: "bash",
  ShellTool: "bash",
  read_file: "read",
  list_directory: "list",
  glob: "glob",
  search_file_content: "grep",
  grep_search: "grep",
  web_fetch: "webfetch",
  google_web_search: "websearch",
  "*": "*",
});

/** Two tools there, one permission here. */
const editingTools = ["write_file", "replace"] as const;

const decisions: { readonly [theirs: string]: PermissionAction } = { allow: "allow", ask_user: "ask", deny: "deny" };

type Named = { readonly permission: string; readonly pattern: string };

/** `tools.allowed` and `tools.exclude`: names of tools, some with the beginning of a command. */
export function convertToolList(
  list: unknown,
  action: PermissionAction,
  place: { readonly layer: ImportLayer; readonly from: Origin },
  findings: Findings,
): void {
  const { layer, from } = place;
  if (!Array.isArray(list)) {
    findings.notes.push({ ...from, kind: "broken", why: "must be a list" });
    return;
  }
  for (const text of withEditing(list)) {
    const [, name = "", prefix] = /^([\w*-]+)(?:\((.*)\))?$/s.exec(String(text)) ?? [];
    const origin = { ...from, key: `${from.key} ${String(text)}` };
    add(namesOf(name, prefix, action), action, { layer, from: origin, isOrdered: false }, findings);
  }
}

type Policy = {
  readonly table: { readonly [name: string]: unknown };
  readonly from: Origin;
  readonly priority: number;
};

/** The rule with the highest priority wins, of equal ones the strictest. */
export function convertPolicies(policies: readonly Policy[], layer: ImportLayer, findings: Findings): void {
  const strictness: readonly unknown[] = ["allow", "ask_user", "deny"];
  const ordered = policies.toSorted(
    (left, right) =>
      left.priority - right.priority ||
      strictness.indexOf(left.table["decision"]) - strictness.indexOf(right.table["decision"]),
  );
  for (const { table, from } of ordered) {
    const { decision } = table;
    const action = typeof decision === "string" && Object.hasOwn(decisions, decision) ? decisions[decision] : undefined;
    add(namedBy(table, action), action, { layer, from, isOrdered: true }, findings);
  }
}

/** The rules of one policy file. */
export function policiesOf(table: unknown, { file }: Origin): readonly Policy[] {
  const rules = isJsonObject(table) && Array.isArray(table["rule"]) ? table["rule"] : [];
  return rules.map((rule, index) => {
    const fields = isJsonObject(rule) ? rule : {};
    const { priority } = fields;
    return {
      table: fields,
      from: { file, key: `rule ${index + 1}` },
      priority: typeof priority === "number" ? priority : 0,
    };
  });
}

const understood: ReadonlySet<string> = new Set(["toolName", "commandPrefix", "decision", "priority", "denyMessage"]);

function namedBy(table: Policy["table"], action: PermissionAction | undefined): readonly Named[] | string {
  if (action === undefined) return "has an unknown decision";
  const strange = Object.keys(table).find((key) => !understood.has(key));
  if (strange !== undefined) return `has ${strange}, which kedge's rules cannot express`;
  const { toolName = "run_shell_command", commandPrefix } = table;
  const names = withEditing([toolName].flat());
  const prefixes = commandPrefix === undefined ? [undefined] : [commandPrefix].flat();
  const all: Named[] = [];
  for (const name of names) {
    for (const prefix of prefixes) {
      const named = namesOf(String(name), prefix === undefined ? undefined : String(prefix), action);
      if (typeof named === "string") return named;
      all.push(...named);
    }
  }
  return all;
}

function namesOf(name: string, prefix: string | undefined, action: PermissionAction): readonly Named[] | string {
  if (name === editing) return [{ permission: "edit", pattern: "*" }];
  const permission = tools.get(name);
  if (editingTools.some((tool) => tool === name)) {
    return "is about one of two editing tools; kedge has one rule for both, Edit";
  }
  if (permission === undefined) return `names the tool ${name}, which does not exist in kedge`;
  if (prefix === undefined) return [{ permission, pattern: "*" }];
  if (permission !== "bash" || /[*?]/.test(prefix) || prefix.trim() === "") return "has no exact equivalent in kedge";
  // It is told to mean every command that begins so, and does mean whole words: each side gets its narrow reading.
  const isWord = action === "allow" || prefix.endsWith(" ");
  return [{ permission, pattern: isWord ? `${prefix.trim()} *` : `${prefix.trim()}*` }];
}

const editing = "write_file-and-replace";

/** A list that names both tools that edit means all editing. */
function withEditing(names: readonly unknown[]): readonly unknown[] {
  if (!editingTools.every((tool) => names.includes(tool))) return names;
  return [...names.filter((name) => !editingTools.some((tool) => tool === name)), editing];
}

function add(
  named: readonly Named[] | string,
  action: PermissionAction | undefined,
  place: Pick<FoundRule, "layer" | "from" | "isOrdered">,
  findings: Findings,
): void {
  const { layer, from } = place;
  if (typeof named !== "string" && action !== undefined) {
    for (const rule of named) findings.rules.push({ ...place, rule: { ...rule, action } });
    return;
  }
  findings.notes.push({ ...from, kind: "unsupported", why: String(named) });
  if (action === "allow") return;
  const command = /\((.*)\)$/s.exec(from.key ?? "")?.[1];
  // A policy that cannot be read may be about anything.
  findings.lostRules.push(
    command === undefined
      ? { layer, permission: "*", head: "" }
      : { layer, permission: "bash", head: headOf(command, "bash") },
  );
}
