/** Hooks that only want to know: what facts tell becomes their events, and nobody waits for them. */
import { basename, isAbsolute, sep } from "node:path";
import type { ContextSource, Event, Fact, JsonObject } from "@kedge/protocol";
import type { HookEvent } from "./hook-events.ts";
import type { HookParts } from "./hook-parts.ts";
import type { EventView, HookSet } from "./hook-set.ts";
import type { SessionNotes } from "./session-notes.ts";

export type HookObserver = {
  hear(sessionId: string, event: Event): void;
  /** The same source; the first time a session reads a file of it, hooks are told. */
  watchSource(source: ContextSource): ContextSource;
};

type Told = { readonly name: HookEvent; readonly fields: JsonObject; readonly views?: readonly EventView[] };

const fileEvents = { added: "add", modified: "change", deleted: "unlink" } as const;

/** Sources whose blocks are instruction files, and why they are read. */
const loadReasons: { readonly [source: string]: string } = {
  instructions: "session_start",
  "nearby instructions": "nested_traversal",
};

export function createHookObserver(
  set: HookSet,
  notes: SessionNotes,
  { cwd, root }: Pick<HookParts, "cwd" | "root">,
): HookObserver {
  const tell = (sessionId: string, { name, fields, views }: Told) => {
    const event = { name, sessionId, cwd, fields: { ...notes.fieldsOf({ sessionId, cwd }), ...fields } };
    const whole = views?.map((view) => ({ ...view, fields: { ...event.fields, ...view.fields } }));
    set.tell(event, whole === undefined ? {} : { viewsFor: () => whole });
  };
  const wanted = (name: HookEvent) => set.has(name);

  function watchSource(source: ContextSource): ContextSource {
    const reason = loadReasons[source.name];
    if (reason === undefined || !wanted("InstructionsLoaded")) return source;
    const seen = new Set<string>();
    return {
      ...source,
      read(session) {
        const blocks = source.read(session);
        for (const { origin } of blocks) {
          // What kedge says around the files comes from none.
          if (!isAbsolute(origin) || seen.has(origin)) continue;
          seen.add(origin);
          const fields = { file_path: origin, memory_type: memoryTypeOf(origin, root), load_reason: reason };
          tell(session.state.sessionId, { name: "InstructionsLoaded", fields });
        }
        return blocks;
      },
    };
  }

  return {
    hear(sessionId, event) {
      notes.hear(sessionId, event);
      if (event.kind !== "fact") return;
      for (const told of toldBy(event.record.fact)) if (wanted(told.name)) tell(sessionId, told);
    },
    watchSource,
  };
}

/** In the words of Claude Code. */
function memoryTypeOf(path: string, root: string): string {
  if (!path.startsWith(root + sep)) return "User";
  return /\.local\.mdc?$/.test(path) ? "Local" : "Project";
}

function toldBy(fact: Fact): readonly Told[] {
  switch (fact.type) {
    case "permission.asked":
      return [notification("permission_prompt", `kedge needs permission to use ${fact.tool}: ${fact.reason}`)];
    case "question.asked":
      return [notification("elicitation_dialog", fact.questions.map(({ question }) => question).join("\n"))];
    case "run.ended":
      if (fact.failure === undefined) return [];
      return [{ name: "StopFailure", fields: { error: fact.failure.code, error_details: fact.failure.message } }];
    case "context.compacted": {
      const trigger = fact.trigger === "manual" ? "manual" : "auto";
      const { strategy, summary, compactionId, tokensBefore, tokensAfter } = fact;
      const { by } = fact.boundary;
      const fields = {
        ...{ trigger, compact_summary: summary, strategy, reason: fact.trigger, compaction_id: compactionId },
        ...{ tokens_before: tokensBefore, tokens_after: tokensAfter },
        // Who wrote it in the place of a model.
        ...(typeof by === "string" && { made_by: by }),
      };
      return [{ name: "PostCompact", fields }];
    }
    case "files.changed":
      return fact.files.map(({ path, status }) => ({
        name: "FileChanged",
        fields: {},
        views: [{ fields: { file_path: path, event: fileEvents[status] }, matched: basename(path) }],
      }));
    case "step.ended": {
      const text = fact.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      if (fact.outcome !== "answered" || text === "") return [];
      const fields = { turn_id: fact.stepId, message_id: fact.stepId, index: 0, final: true, delta: text };
      return [{ name: "MessageDisplay", fields }];
    }
    default:
      return [];
  }
}

function notification(type: string, message: string): Told {
  return { name: "Notification", fields: { message, title: "kedge", notification_type: type } };
}
