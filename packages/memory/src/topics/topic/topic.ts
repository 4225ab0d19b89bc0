/** A topic: one fact that kedge remembers, in a Markdown file of its own. */

export const topicTypes = ["user", "feedback", "project", "reference"] as const;

/** `user` is about the person and always private; `feedback` is a correction or a confirmation with its reason. */
export type TopicType = (typeof topicTypes)[number];

export const topicOrigins = ["user-stated", "agent-inferred", "tool-derived", "plugin", "team"] as const;

/** Who said it. Set by the harness alone: what a file says about itself is a text like any other. */
export type TopicOrigin = (typeof topicOrigins)[number];

export const topicStatuses = ["active", "superseded", "disputed"] as const;

export type TopicStatus = (typeof topicStatuses)[number];

export type Topic = {
  /** The file without `.md`. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly type: TopicType;
  /** Days, such as 2026-03-01; empty in a file that somebody wrote by hand. */
  readonly created: string;
  readonly updated: string;
  readonly origin: TopicOrigin;
  /** Paths, addresses or sessions that it was taken from. */
  readonly sources: readonly string[];
  readonly tags: readonly string[];
  readonly status: TopicStatus;
  /** The slug of the one that took its place. */
  readonly supersededBy?: string;
  /** Slugs of those that say otherwise. */
  readonly disputes: readonly string[];
  /** Lines of the frontmatter that kedge does not know, kept as they are. */
  readonly otherLines: readonly string[];
  /** Fact, then a `Why:` line, then an `Apply:` line. */
  readonly body: string;
};

/** What somebody wants to remember; the store adds the rest. */
export type TopicDraft = Pick<Topic, "name" | "description" | "type" | "body"> & {
  /** Made from the name without it. An existing one is replaced. */
  readonly slug?: string;
  readonly sources?: readonly string[];
  readonly tags?: readonly string[];
};

export const topicCaps = { name: 80, description: 200, body: 20_000, listItems: 20, listItem: 200 } as const;

const slugCharactersMax = 60;

/** Lower-case words with hyphens; empty when nothing of the name can be written so. */
export function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, slugCharactersMax);
  return words.replaceAll(/^-+|-+$/g, "");
}

/** Names that a topic cannot have: kedge writes these files itself, or other agents read them as instructions. */
const takenSlugs: ReadonlySet<string> = new Set([
  "memory",
  "index-full",
  "kedge",
  "agents",
  "claude",
  "gemini",
  "readme",
  "context",
  "rules",
  "system",
  "skill",
]);

export function isSlug(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/.test(text) && !takenSlugs.has(text);
}

/** Whether the name is that of a topic file. Upper case and underscores are met in files that people wrote. */
export function slugOfFile(name: string): string | undefined {
  if (!name.endsWith(".md") || name === "MEMORY.md" || name === "INDEX.full.md") return undefined;
  const slug = name.slice(0, -".md".length);
  return /^[\w][\w.-]{0,100}$/.test(slug) && !takenSlugs.has(slug.toLowerCase()) ? slug : undefined;
}
