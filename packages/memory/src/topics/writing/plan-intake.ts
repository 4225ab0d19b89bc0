/** Decides what texts of a model do to the files: drafts that are saved together, and a file that a tool has written. */
import type { Contents } from "../contents/contents.ts";
import { topicPath } from "../directory/store-files.ts";
import type { Adopted, Saved, SaveSource, SourcedDraft, WrittenFile } from "../memory-store.ts";
import type { TopicDraft } from "../topic/topic.ts";
import { readTopic } from "../topic/topic-file.ts";
import { planInTurn } from "./applied-plan.ts";
import type { Plan, Undoable } from "./memory-writer.ts";
import { planForget } from "./plan-change.ts";
import { planSave, type SaveRequest } from "./plan-save.ts";
import type { Prepared } from "./prepare-topic.ts";

export type Intake = {
  readonly clean: (text: string) => string;
  readonly prepare: (draft: TopicDraft, tool: string | undefined) => Prepared;
  readonly requestOf: (source: SaveSource) => Omit<SaveRequest, "draft" | "raw">;
};

/** One change for all of them; each meets what those before it leave. */
export function planSaveAll(
  found: Undoable,
  drafts: readonly SourcedDraft[],
  { clean, prepare, requestOf }: Intake,
): Plan<readonly Saved[]> {
  const plan = ({ contents }: Undoable, { draft, source }: SourcedDraft): Plan<Saved> => {
    const prepared = prepare(draft, source.tool);
    if (!prepared.ok) return nothing({ outcome: "refused", problem: prepared.problem });
    return planSave(contents, {
      ...requestOf(source),
      ...{ draft: prepared.draft, raw: rawTextOf(draft), dropsKnown: true },
    });
  };
  const { results, ...drafted } = planInTurn(found, drafts, { plan, clean });
  const paths = results.flatMap((result) => (result.outcome === "saved" ? [result.path] : []));
  const group = drafts[0]?.source.group;
  return { ...drafted, label: `Save ${paths.join(", ")}`, ...(group !== undefined && { group }), result: results };
}

export function planAdopt(
  { contents, texts, records }: Undoable,
  slug: string,
  written: WrittenFile,
  { clean, prepare, requestOf }: Intake,
): Plan<Adopted> {
  const path = topicPath("active", slug);
  const text = texts.get(path);
  if (text === undefined) return nothing({ outcome: "refused", problem: `${path} cannot be read.` });
  if (text.trim() === "" && written.before !== undefined) {
    const { group } = written;
    const before = new Map([[path, written.before]]);
    const plan = planForget(contents, slug, { place: "active" });
    return { ...plan, before, ...(group !== undefined && { group }), result: { outcome: "forgotten", path } };
  }
  const { topic, problems } = readTopic(slug, clean(text), written.origin);
  const [odd] = problems;
  const prepared = prepare({ ...topic, slug }, written.tool);
  const problem = odd === undefined ? (prepared.ok ? undefined : prepared.problem) : frontmatterHelp(odd.sentence);
  if (problem !== undefined || !prepared.ok) {
    const result = { outcome: "refused", problem: problem ?? "" } as const;
    // As if the tool had not written.
    return { ...nothing(result), files: new Map([[path, written.before ?? null]]), undo: records };
  }
  // What was there before the tool wrote is what the newcomer is compared with.
  const plan = planSave(withoutWritten(contents, path), {
    ...requestOf(written),
    ...{ draft: prepared.draft, raw: written.raw ?? text },
  });
  const before = new Map([[path, written.before ?? null]]);
  if (plan.result.outcome !== "saved" || plan.result.place === "active") return { ...plan, before };
  return { ...plan, before, files: new Map([...plan.files, ...before]) };
}

/** As it was given, before it was cleaned. */
export function rawTextOf({ name, description, body }: TopicDraft): string {
  return [name, description, body].join("\n");
}

function nothing<Result extends Adopted>(result: Result): Plan<Result> {
  return { files: new Map(), entries: new Map(), label: "", result };
}

function withoutWritten(contents: Contents, path: string): Contents {
  return { ...contents, topics: contents.topics.filter((stored) => stored.path !== path) };
}

function frontmatterHelp(problem: string): string {
  return `The topic was not saved: ${problem}. Begin the file with ---, name, description and type (user, feedback, project or reference), ---.`;
}
