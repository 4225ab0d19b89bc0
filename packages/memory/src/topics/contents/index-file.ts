/** The two tables of contents: `MEMORY.md`, a line per topic, and `INDEX.full.md`, everything for search. */
import { linksIn } from "../topic/links.ts";
import { type TopicType, topicTypes } from "../topic/topic.ts";
import type { StoredTopic } from "./contents.ts";

/** What a line of the index should not exceed; lint warns above `lineCharactersMax`. */
const lineCharactersTarget = 150;
export const lineCharactersMax = 200;

const headings: { readonly [Type in TopicType]: string } = {
  user: "About the user",
  feedback: "Feedback",
  project: "Project",
  reference: "References",
};

const title = "# Memory";
const keptHeading = "## Kept by hand";
const emptyNote = "No topics yet.";
/** A line that kedge makes: the link leads to a file beside the index. */
const madeLine = /^- \[[^\]]*\]\(([\w][\w.-]*)\.md\)/;
const madeHeading = new RegExp(`^## (?:${Object.values(headings).join("|")}) \\(\\d`);

/** The newest first. Superseded topics have no line: they are never recalled. */
export function indexText(topics: readonly StoredTopic[], keptLines: readonly string[]): string {
  const current = topics.filter(({ topic }) => topic.status !== "superseded");
  const sections = topicTypes.flatMap((type) => sectionOf(type, current, indexLine));
  const kept = keptLines.length === 0 ? [] : [keptHeading, ...keptLines, ""];
  const lines = [title, "", ...kept, ...(sections.length === 0 ? [emptyNote] : sections)];
  return `${lines.join("\n").trimEnd()}\n`;
}

export function fullIndexText(topics: readonly StoredTopic[]): string {
  const sections = topicTypes.flatMap((type) => sectionOf(type, topics, fullLines));
  return `${[title, "", ...(sections.length === 0 ? [emptyNote] : sections)].join("\n").trimEnd()}\n`;
}

/** Lines of an index that kedge did not make. A line for a topic is always rebuilt. */
export function keptLinesOf(index: string | undefined, isTopic: (slug: string) => boolean): readonly string[] {
  if (index === undefined) return [];
  const isKept = (line: string) => {
    if (line.trim() === "" || line === title || line === keptHeading || line === emptyNote) return false;
    const slug = madeLine.exec(line)?.[1];
    return slug === undefined ? !madeHeading.test(line) : !isTopic(slug);
  };
  return index.split(/\r?\n/).filter(isKept);
}

/** Nothing but headings. */
export function isEmptyIndex(index: string): boolean {
  return index.split("\n").every((line) => line.trim() === "" || line.startsWith("#") || line === emptyNote);
}

/** Slugs that the lines of an index lead to. */
export function indexedSlugs(index: string): readonly string[] {
  return index.split("\n").flatMap((line) => madeLine.exec(line)?.[1] ?? []);
}

function sectionOf(
  type: TopicType,
  topics: readonly StoredTopic[],
  linesOf: (topic: StoredTopic) => readonly string[],
): readonly string[] {
  const ofType = topics.filter(({ topic }) => topic.type === type).sort(newestFirst);
  const [newest] = ofType;
  if (newest === undefined) return [];
  const updated = newest.topic.updated === "" ? "" : `, updated ${newest.topic.updated}`;
  return [`## ${headings[type]} (${ofType.length}${updated})`, ...ofType.flatMap(linesOf), ""];
}

function newestFirst({ topic: one }: StoredTopic, { topic: other }: StoredTopic): number {
  if (one.updated !== other.updated) return one.updated < other.updated ? 1 : -1;
  return one.slug < other.slug ? -1 : 1;
}

function indexLine({ topic }: StoredTopic): readonly string[] {
  const { slug, name, description, status, disputes } = topic;
  const note = status === "disputed" ? ` (disputed by ${disputes.join(", ")})` : "";
  const start = `- [${inBrackets(name)}](${slug}.md)${note}: `;
  return [start + shortened(description, Math.max(0, lineCharactersTarget - start.length))];
}

function fullLines({ topic, sessionId }: StoredTopic): readonly string[] {
  const { slug, name, description, status, origin, created, updated, supersededBy, disputes } = topic;
  const links = linksIn(topic.body);
  const facts = [
    `${origin}, ${status}`,
    ...(supersededBy === undefined ? [] : [`superseded by ${supersededBy}`]),
    ...(disputes.length === 0 ? [] : [`disputed by ${disputes.join(", ")}`]),
    ...(created === "" ? [] : [`created ${created}`]),
    ...(updated === "" ? [] : [`updated ${updated}`]),
    ...(links.length === 0 ? [] : [`links to ${links.join(", ")}`]),
    ...(sessionId === undefined ? [] : [`session ${sessionId}`]),
  ];
  return [`- [${inBrackets(name)}](${slug}.md): ${description.replaceAll(/\s+/g, " ")} (${facts.join("; ")})`];
}

function inBrackets(text: string): string {
  return text.replaceAll(/[[\]\s]+/g, " ").trim();
}

function shortened(text: string, charactersMax: number): string {
  const line = text.replaceAll(/\s+/g, " ");
  if (line.length <= charactersMax) return line;
  return `${line
    .slice(0, Math.max(0, charactersMax - 1))
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}
