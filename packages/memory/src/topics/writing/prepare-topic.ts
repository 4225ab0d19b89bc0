/** What a text passes before it is remembered: cleaned, redacted, held to the form of a topic. Nothing is cut before. */
import { neutraliseText } from "../../fence/neutralise-text.ts";
import { isSlug, slugOf, type TopicDraft, topicCaps, topicTypes } from "../topic/topic.ts";
import { withAbsoluteDates } from "./relative-dates.ts";

export type PrepareParts = {
  /** Takes out secrets. Where it fails, nothing is written. */
  readonly redact: (text: string) => string;
  readonly nowMs: number;
};

export type PreparedDraft = TopicDraft & { readonly otherLines: readonly string[] };

export type Prepared =
  | { readonly ok: true; readonly draft: PreparedDraft }
  /** A sentence that tells the writer what to do instead. */
  | { readonly ok: false; readonly problem: string };

/** Tools whose lists belong to one session. */
const sessionTools: ReadonlySet<string> = new Set([
  "plan",
  "plan_enter",
  "plan_exit",
  "todo",
  "todowrite",
  "todo_write",
  "task",
]);

export function prepareTopic(
  draft: TopicDraft & { readonly otherLines?: readonly string[] },
  parts: PrepareParts,
  tool?: string,
): Prepared {
  if (tool !== undefined && sessionTools.has(tool))
    return refused("Plans and task lists belong to a session; they are not memory.");
  const clean = (text: string) => cleanText(text, parts.redact);
  const cleanLine = (text: string) => clean(text).replaceAll(/\s+/g, " ").trim();
  const cleanList = (items: readonly string[]) => items.map(cleanLine).filter((item) => item !== "");
  const body = withAbsoluteDates(clean(draft.body), parts.nowMs).trim();
  const prepared: PreparedDraft = {
    name: cleanLine(draft.name),
    description: withAbsoluteDates(cleanLine(draft.description), parts.nowMs),
    type: draft.type,
    body,
    ...(draft.slug !== undefined && { slug: draft.slug }),
    sources: cleanList(draft.sources ?? []),
    tags: cleanList(draft.tags ?? []),
    otherLines: (draft.otherLines ?? []).map(clean),
  };
  const problem = problemOf(prepared);
  return problem === undefined ? { ok: true, draft: prepared } : refused(problem);
}

/**
 * Cleaned first, because a secret can be taken apart by characters that nobody sees; and cleaned again, because what
 * stands around a removed secret could close up to a mark.
 */
export function cleanText(text: string, redact: (text: string) => string): string {
  const plain = neutraliseText(text, "memory");
  const redacted = redact(plain);
  return redacted === plain ? plain : neutraliseText(redacted, "memory");
}

function refused(problem: string): Prepared {
  return { ok: false, problem };
}

function problemOf({
  name,
  description,
  type,
  body,
  slug,
  sources = [],
  tags = [],
}: PreparedDraft): string | undefined {
  if (slug !== undefined && !isSlug(slug)) {
    return `${JSON.stringify(slug)} cannot be the name of a topic file. Use lower-case words with hyphens, such as test-runner.md.`;
  }
  if (name === "") return "The topic has no name. Begin the file with frontmatter: name, description and type.";
  if (name.length > topicCaps.name) return `The name is longer than ${topicCaps.name} characters. Shorten it.`;
  if (description === "") return "The topic has no description. Say in one line what it is about.";
  if (description.length > topicCaps.description) {
    return `The description is longer than ${topicCaps.description} characters. Shorten it; details belong in the body.`;
  }
  if (!topicTypes.includes(type)) return `The type must be one of ${topicTypes.join(", ")}.`;
  if (body === "") return "The topic has no text. Write the fact first, then a Why line, then an Apply line.";
  if (body.length > topicCaps.body) {
    return `The text is longer than ${topicCaps.body.toLocaleString("en-US")} characters. Remember one fact per topic.`;
  }
  const list = [...sources, ...tags];
  if (sources.length > topicCaps.listItems || tags.length > topicCaps.listItems) return "Too many sources or tags.";
  if (list.some((item) => item.length > topicCaps.listItem)) return "A source or tag is too long.";
  return derivableProblem(body);
}

const mostly = 0.8;

/** What the checkable part of the save rules forbids. */
function derivableProblem(body: string): string | undefined {
  const lines = body.split("\n").filter((line) => line.trim() !== "");
  const share = (count: number) => count / lines.length;
  const tasks = lines.filter((line) => /^\s*[-*] \[[ xX~]\]/.test(line)).length;
  if (lines.length > 1 && share(tasks) > mostly) return "Task lists belong to a session; they are not memory.";
  const fenced =
    body
      .match(/^```[\s\S]*?^```/gm)
      ?.join("\n")
      .split("\n").length ?? 0;
  if (lines.length > 5 && share(fenced) > mostly) {
    return "Code can be read from the repository. Remember why it is so, and where it is.";
  }
  const paths = lines.filter((line) => /^\s*(?:[├└│─\s]|[-*]\s)*[\w.@-]+(?:\/[\w.@-]*)+\s*$/.test(line)).length;
  if (lines.length > 5 && share(paths) > mostly) return "The layout of files can be read from the repository.";
  return undefined;
}

/** A draft from a sentence that a person typed: its beginning is the name. Redacted before anything is cut. */
export function draftFromText(text: string, redact: (text: string) => string): TopicDraft {
  const clean = cleanText(text, redact).trim();
  const line = (clean.split("\n", 1)[0] ?? "").replace(/^#+\s*/, "").trim();
  const cut = (length: number) => (line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`);
  const name = cut(topicCaps.name);
  return {
    name: slugOf(name) === "" ? "Note" : name,
    description: cut(topicCaps.description),
    type: typeOf(clean),
    body: clean,
  };
}

/** A guess for what the user typed without saying; it only decides under which heading it stands. */
function typeOf(text: string): TopicDraft["type"] {
  if (/^(?:i am|i'm|my name|i work|i live)\b/i.test(text)) return "user";
  if (/^(?:always|never|prefer|do not|don't|please|use|avoid)\b/i.test(text)) return "feedback";
  return /https?:\/\//.test(text) ? "reference" : "project";
}
