/** What a definition is: one skill, command, agent or output style that somebody wrote as a Markdown file. */

export type DefinitionKind = "skill" | "command" | "agent" | "style";

/** Whose it is. On an equal name the first of these wins. */
export const tiers = ["managed", "project", "user", "plugin", "bundled"] as const;

export type Tier = (typeof tiers)[number];

/** A nested value, such as `hooks`, stays text until somebody needs it. */
export type FieldValue = string | readonly string[] | { readonly yaml: string };

/** By name, in lower case with hyphens, however the author wrote them. */
export type Fields = ReadonlyMap<string, FieldValue>;

/** Something the author should know; the definition loads all the same. */
export type DefinitionNote = { readonly line: number; readonly text: string };

export type Definition = {
  readonly kind: DefinitionKind;
  /** What it is called by: letters, digits, `_`, `-`, `.` and `:`. */
  readonly name: string;
  readonly description: string;
  readonly fields: Fields;
  /** Without the frontmatter. */
  readonly body: string;
  /** Where it was found; `file` is absolute, or `skill://name` for one that is bundled. */
  readonly place: DefinitionPlace;
  readonly file: string;
  /** Links followed. */
  readonly directory: string;
  readonly notes: readonly DefinitionNote[];
};

export type DefinitionPlace = {
  /** The agent whose folder it is, such as `native` or `claude`. */
  readonly source: string;
  readonly tier: Tier;
  /** The folder that was searched. */
  readonly folder: string;
  /** The plugin that brought it: definitions are called `name:…`, and may name its directories by variables. */
  readonly plugin?: { readonly name: string; readonly root: string; readonly data: string };
};

/** A file that was found and cannot be used. */
export type RefusedDefinition = {
  readonly kind: DefinitionKind;
  readonly file: string;
  readonly place: DefinitionPlace;
  readonly line: number;
  readonly why: string;
  readonly remedy: string;
};

/** One that is not used because another one has its name. */
export type HiddenDefinition = { readonly definition: Definition; readonly by: Definition; readonly why: string };
