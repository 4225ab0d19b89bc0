/** How a permission question reads on every screen: what is asked, and why. */
import type { PermissionRequest } from "./permission.ts";

/** A name that cannot be mistaken for words of ours. */
const plainName = /^[\p{L}\p{N}_@%+=:,./~#&-]{1,80}$/u;

type Wording = {
  /** One plainly named thing. */
  readonly one: (name: string) => string;
  /** Several, or one whose name is only shown below. */
  readonly other: (count: number) => string;
};

const wordings: { readonly [permission: string]: Wording } = {
  bash: { one: () => "Run this command?", other: () => "Run this command?" },
  edit: {
    one: (name) => `Edit ${name}?`,
    other: (count) => (count === 1 ? "Edit this file?" : `Edit ${count} files?`),
  },
  read: {
    one: (name) => `Read ${name}?`,
    other: (count) => (count === 1 ? "Read this file?" : `Read ${count} files?`),
  },
  grep: { one: (name) => `Search ${name}?`, other: () => "Search these files?" },
  glob: { one: (name) => `List ${name}?`, other: () => "List these files?" },
  secret_file: {
    one: (name) => `Open ${name}, which may contain secrets?`,
    other: () => "Open a file that may contain secrets?",
  },
  webfetch: { one: (name) => `Fetch ${name}?`, other: () => "Fetch this URL?" },
  websearch: { one: () => "Search the web?", other: () => "Search the web?" },
  skill: { one: (name) => `Load the skill ${name}?`, other: () => "Load this skill?" },
  sandbox_network: {
    one: (name) => `Let the sandboxed command connect to ${name}?`,
    other: () => "Let the sandboxed command connect to this host?",
  },
  doom_loop: { one: () => "Repeat the same call again?", other: () => "Repeat the same call again?" },
};

const outside: { readonly [tool: string]: string } = {
  bash: "Run a command outside the project?",
  edit: "Edit a file outside the project?",
  write: "Write a file outside the project?",
  read: "Read a file outside the project?",
  grep: "Search outside the project?",
  glob: "Search outside the project?",
};

export type AskedAbout = Pick<PermissionRequest, "tool" | "permission" | "patterns">;

/** Such as "Edit src/cart.ts?" or "Run this command?". A name that is not plain is left to the lines below. */
export function permissionQuestion({ tool, permission, patterns }: AskedAbout): string {
  if (permission === "external_directory") return outside[tool] ?? "Allow access outside the project?";
  // A file that is written as a whole is not edited.
  const wording = permission === "edit" && tool === "write" ? writing : wordings[permission];
  if (wording === undefined) return plainName.test(tool) ? `Use ${tool}?` : "Use this tool?";
  const name = namedInQuestion({ tool, permission, patterns });
  return name === undefined ? wording.other(patterns.length) : wording.one(name);
}

const writing: Wording = {
  one: (name) => `Write ${name}?`,
  other: (count) => (count === 1 ? "Write this file?" : `Write ${count} files?`),
};

/** The one pattern that the question spells out, so that it need not be shown again. */
export function namedInQuestion({ permission, patterns }: AskedAbout): string | undefined {
  const [name] = patterns;
  if (patterns.length !== 1 || name === undefined || !plainName.test(name)) return undefined;
  const isNamed = ["edit", "read", "grep", "glob", "secret_file", "webfetch", "skill", "sandbox_network"].includes(
    permission,
  );
  return isNamed ? name : undefined;
}

/** A reason is recorded as the end of "because"; alone it begins like a sentence, unless it begins with a name. */
export function reasonSentence(reason: string): string {
  return /^(?:no rule|the|plan mode|by now|what|it|your) /.test(reason)
    ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
    : reason;
}
