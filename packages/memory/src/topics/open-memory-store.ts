/** Opens the memory of a project: the contract on files. */
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
import { createMemoryWriter, type Plan, type Undoable } from "./writing/memory-writer.ts";
import { planAccept, planForget, planPrefer, planRename, planSettle } from "./writing/plan-change.ts";
import { planConsolidation } from "./writing/plan-consolidation.ts";
import { type Intake, planAdopt, planSaveAll, rawTextOf } from "./writing/plan-intake.ts";
import { planRepair } from "./writing/plan-repair.ts";
import { planSave } from "./writing/plan-save.ts";
import { planSnapshot, planUndo } from "./writing/plan-undo.ts";
import { cleanText, prepareTopic } from "./writing/prepare-topic.ts";
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

  const intake: Intake = {
    clean,
    prepare(draft, tool) {
      try {
        return prepareTopic(draft, { redact, nowMs: now() }, tool);
      } catch {
        // Whatever went wrong in the redactor: what was not looked at is not kept.
        return { ok: false, problem: "Nothing was saved: the text could not be checked for secrets." };
      }
    },
    requestOf: (source) => ({ source, acceptInferred, day: dayText(now()), token: newToken() }),
  };
  const { prepare } = intake;

  async function save(draft: TopicDraft, source: SaveSource): Promise<Saved> {
    const prepared = prepare(draft, source.tool);
    if (!prepared.ok) return { outcome: "refused", problem: prepared.problem };
    const request = { draft: prepared.draft, raw: rawTextOf(draft), ...intake.requestOf(source) };
    return tell(await writer.change(({ contents }) => planSave(contents, request)), source);
  }

  async function saveAll(drafts: readonly SourcedDraft[]): Promise<readonly Saved[]> {
    const saved = await writer.change((found) => planSaveAll(found, drafts, intake));
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
    const adopted = await writer.change((found) => planAdopt(found, slug, written, intake));
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
