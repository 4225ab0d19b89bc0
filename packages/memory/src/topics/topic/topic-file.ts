/** A topic as a file: reads what people and agents wrote, tolerantly, and writes it in one form. */
import { linksIn } from "./links.ts";
import {
  type Topic,
  type TopicOrigin,
  type TopicStatus,
  type TopicType,
  topicCaps,
  topicStatuses,
  topicTypes,
} from "./topic.ts";
import { type Frontmatter, type FrontmatterValue, joinFrontmatter, splitFrontmatter } from "./topic-frontmatter.ts";

/** What is odd about a file that still can be read. */
export type TopicProblem = { readonly kind: "frontmatter" | "type" | "length"; readonly sentence: string };

export type ReadTopic = { readonly topic: Topic; readonly problems: readonly TopicProblem[] };

const knownKeys: ReadonlySet<string> = new Set([
  "name",
  "description",
  "type",
  "created",
  "updated",
  "origin",
  "sources",
  "links",
  "tags",
  "status",
  "superseded_by",
  "disputes",
]);

/** `origin` is what the harness knows, whatever the file claims. */
export function readTopic(slug: string, text: string, origin: TopicOrigin): ReadTopic {
  const frontmatter = splitFrontmatter(text, knownKeys);
  const { values, otherLines, body } = frontmatter;
  const problems: TopicProblem[] = [...frontmatterProblems(frontmatter)];
  const field = (key: string) => textField(values.get(key));
  const type = readType(field("type"), problems);
  const name = field("name") || headingOf(body) || slug;
  const description = field("description") || firstLineOf(body);
  if (name.length > topicCaps.name) problems.push(tooLong("name", topicCaps.name));
  if (description.length > topicCaps.description) problems.push(tooLong("description", topicCaps.description));
  const supersededBy = field("superseded_by");
  const status = statusOf(field("status"), supersededBy);
  return {
    problems,
    topic: {
      ...{ slug, type, origin, status, otherLines },
      name: name.slice(0, topicCaps.name),
      description: description.slice(0, topicCaps.description),
      created: dayOf(field("created")),
      updated: dayOf(field("updated")),
      sources: listField(values.get("sources")),
      tags: listField(values.get("tags")),
      ...(supersededBy !== "" && { supersededBy }),
      disputes: listField(values.get("disputes")),
      body: body.trim(),
    },
  };
}

export function topicText(topic: Topic): string {
  const { name, description, type, created, updated, origin, sources, tags, status, supersededBy, disputes } = topic;
  const links = linksIn(topic.body);
  const values: readonly (readonly [string, FrontmatterValue])[] = [
    ["name", name],
    ["description", description],
    ["type", type],
    ["created", created],
    ["updated", updated],
    ["origin", origin],
    ["status", status],
    ...optional("superseded_by", supersededBy),
    ...optional("disputes", disputes),
    ...optional("sources", sources),
    ...optional("tags", tags),
    ...optional("links", links),
  ];
  return joinFrontmatter(values, topic.otherLines, topic.body);
}

function optional(key: string, value: FrontmatterValue | undefined): readonly (readonly [string, FrontmatterValue])[] {
  return value === undefined || value.length === 0 ? [] : [[key, value]];
}

function frontmatterProblems({ state, values }: Frontmatter): readonly TopicProblem[] {
  if (state === "absent") return [{ kind: "frontmatter", sentence: "it has no frontmatter" }];
  if (state === "open") return [{ kind: "frontmatter", sentence: "its frontmatter does not end" }];
  const missing = ["name", "description", "type"].filter((key) => textField(values.get(key)) === "");
  if (missing.length === 0) return [];
  return [{ kind: "frontmatter", sentence: `its frontmatter has no ${missing.join(", ")}` }];
}

function readType(text: string, problems: TopicProblem[]): TopicType {
  const type = topicTypes.find((known) => known === text);
  if (type === undefined && text !== "") {
    problems.push({ kind: "type", sentence: `type ${JSON.stringify(text.slice(0, 40))} is read as project` });
  }
  return type ?? "project";
}

function statusOf(text: string, supersededBy: string): TopicStatus {
  return topicStatuses.find((known) => known === text) ?? (supersededBy === "" ? "active" : "superseded");
}

function tooLong(key: string, most: number): TopicProblem {
  return { kind: "length", sentence: `${key} is longer than ${most} characters` };
}

function textField(value: FrontmatterValue | undefined): string {
  if (value === undefined) return "";
  return (typeof value === "string" ? value : value.join(", ")).replaceAll(/\s+/g, " ").trim();
}

function listField(value: FrontmatterValue | undefined): readonly string[] {
  const items = typeof value === "string" ? value.split(",") : (value ?? []);
  return items
    .map((item) => item.trim().slice(0, topicCaps.listItem))
    .filter((item) => item !== "")
    .slice(0, topicCaps.listItems);
}

/** The day alone, where a time of day was written as well. */
function dayOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(text)?.[0] ?? "";
}

function headingOf(body: string): string {
  return /^#{1,3}\s+(.+)$/m.exec(body)?.[1]?.trim() ?? "";
}

function firstLineOf(body: string): string {
  const line = body.split("\n").find((each) => each.trim() !== "" && !each.startsWith("#"));
  return (line ?? "").trim().slice(0, topicCaps.description);
}
