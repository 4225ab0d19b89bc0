/** Opens the memory of a project: the contract on files. */
import { activeTopics } from "./contents/contents.ts";
import { topicPath } from "./directory/store-files.ts";
import type {
  Adopted,
  Changed,
  Consolidated,
  ConsolidateOptions,
  MemoryStore,
  MemoryStoreParts,
  Merge,
  Saved,
  SaveSource,
  SourcedDraft,
  WrittenFile,
} from "./memory-store.ts";
import type { TopicDraft } from "./topic/topic.ts";
import { readTopic } from "./topic/topic-file.ts";
import { planInTurn } from "./writing/applied-plan.ts";
import { createMemoryWriter, type Plan, type Undoable } from "./writing/memory-writer.ts";
import { planAccept, planForget, planPrefer, planRename, planSettle } from "./writing/plan-change.ts";
import { planConsolidation } from "./writing/plan-consolidation.ts";
import { planRepair } from "./writing/plan-repair.ts";
import { planSave } from "./writing/plan-save.ts";
import { planSnapshot, planUndo } from "./writing/plan-undo.ts";
import { cleanText, type Prepared, prepareTopic } from "./writing/prepare-topic.ts";
import { dayText } from "./writing/relative-dates.ts";

export function openMemoryStore(parts: MemoryStoreParts): MemoryStore {
  const { directory, now, newToken, redact, acceptInferred, onEvent = () => {} } = parts;
  const clean = (text: string) => cleanText(text, redact);
  const writer = createMemoryWriter({ directory, now, newToken, clean, redact });

  function tell(saved: Saved, { origin, sessionId }: SaveSource): Saved {
    if (saved.outcome !== "saved") return saved;
    const session = sessionId === undefined ? {} : { sessionId };
    const { path, slug, suspicion, related } = saved;
    const open = related.length === 0 ? {} : { open: { newer: slug, older: related } };
    if (suspicion !== undefined) onEvent({ type: "memory.quarantined", path, why: suspicion, ...session });
    else onEvent({ type: "memory.written", path, origin, ...session, ...open });
    return saved;
  }

  const requestOf = (source: SaveSource) => ({ source, acceptInferred, day: dayText(now()), token: newToken() });

  function prepare(...[draft, tool]: [Parameters<typeof prepareTopic>[0], string | undefined]): Prepared {
    try {
      return prepareTopic(draft, { redact, nowMs: now() }, tool);
    } catch {
      // Whatever went wrong in the redactor: what was not looked at is not kept.
      return { ok: false, problem: "Nothing was saved: the text could not be checked for secrets." };
    }
  }

  async function save(draft: TopicDraft, source: SaveSource): Promise<Saved> {
    const prepared = prepare(draft, source.tool);
    if (!prepared.ok) return { outcome: "refused", problem: prepared.problem };
    const request = { draft: prepared.draft, raw: rawTextOf(draft), ...requestOf(source) };
    return tell(await writer.change(({ contents }) => planSave(contents, request)), source);
  }

  async function saveAll(drafts: readonly SourcedDraft[]): Promise<readonly Saved[]> {
    const saved = await writer.change((found) => {
      const plan = (now: Undoable, { draft, source }: SourcedDraft): Plan<Saved> => {
        const prepared = prepare(draft, source.tool);
        if (!prepared.ok) return nothing({ outcome: "refused", problem: prepared.problem });
        const request = {
          draft: prepared.draft,
          raw: rawTextOf(draft),
          ...requestOf(source),
          dropsKnown: true as const,
        };
        return planSave(now.contents, request);
      };
      const { results, ...drafted } = planInTurn(found, drafts, { plan, clean });
      const paths = results.flatMap((result) => (result.outcome === "saved" ? [result.path] : []));
      const group = drafts[0]?.source.group;
      return {
        ...drafted,
        label: `Save ${paths.join(", ")}`,
        ...(group !== undefined && { group }),
        result: results,
      };
    });
    for (const [index, { source }] of drafts.entries()) {
      const result = saved[index];
      if (result !== undefined) tell(result, source);
    }
    return saved;
  }

  async function consolidate(merges: readonly Merge[], options: ConsolidateOptions): Promise<Consolidated> {
    const plan = (found: Undoable) =>
      planConsolidation(found, merges, {
        ...options,
        clean,
        prepare: (draft: TopicDraft) => prepare(draft, undefined),
        day: dayText(now()),
        at: new Date(now()).toISOString(),
      });
    return options.isTrial ? plan(await writer.read()).result : writer.change(plan);
  }

  async function adopt(slug: string, written: WrittenFile): Promise<Adopted> {
    const adopted = await writer.change<Adopted>(({ contents, texts, records }) => {
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
      const request = { draft: prepared.draft, raw: written.raw ?? text, ...requestOf(written) };
      const plan = planSave(withoutWritten(contents, path), request);
      const before = new Map([[path, written.before ?? null]]);
      if (plan.result.outcome !== "saved" || plan.result.place === "active") return { ...plan, before };
      return { ...plan, before, files: new Map([...plan.files, ...before]) };
    });
    return adopted.outcome === "forgotten" ? adopted : tell(adopted, written);
  }

  const changed = (plan: (found: Undoable) => Plan<Changed>) => writer.change(plan);

  return {
    directory,
    save,
    saveAll,
    consolidate,
    adopt,
    read: async () => (await writer.read()).contents,
    recallable: async () => {
      const { contents } = await writer.read();
      return activeTopics(contents).filter(({ topic }) => topic.status !== "superseded");
    },
    accept: (slug) => changed(({ contents }) => planAccept(contents, slug)),
    forget: (slug, options) => writer.change(({ contents }) => planForget(contents, slug, options)),
    rename: (slug, to) => changed(({ contents }) => planRename(contents, slug, to)),
    prefer: (winner, loser) => changed(({ contents }) => planPrefer(contents, winner, loser)),
    settle: (newer, older, verdict) => changed(({ contents }) => planSettle(contents, newer, older, verdict)),
    snapshot: (group, label) =>
      writer.change((found) => planSnapshot(found, { label, group, at: new Date(now()).toISOString() })),
    undo: (options) => writer.change((found) => planUndo(found, options)),
    repair: () => writer.change(({ contents }) => planRepair(contents, { clean, day: dayText(now()) })),
    reindex: () => writer.reindex(),
  };
}

function rawTextOf({ name, description, body }: TopicDraft): string {
  return [name, description, body].join("\n");
}

function nothing<Result extends Adopted>(result: Result): Plan<Result> {
  return { files: new Map(), entries: new Map(), label: "", result };
}

function withoutWritten(contents: Undoable["contents"], path: string): Undoable["contents"] {
  return { ...contents, topics: contents.topics.filter((stored) => stored.path !== path) };
}

function frontmatterHelp(problem: string): string {
  return `The topic was not saved: ${problem}. Begin the file with ---, name, description and type (user, feedback, project or reference), ---.`;
}
