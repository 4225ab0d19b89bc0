/** Makes what the model sees besides the conversation from its sources: ordered, fenced, within budgets, each version once. */
import type {
  ContextBlock,
  ContextEntry,
  ContextSession,
  ContextSource,
  LoadedBlock,
  Model,
  SentBlock,
  TextChannel,
} from "@kedge/protocol";
import type { Journal } from "../journal.ts";
import { reminderText } from "../prompt-texts.ts";
import { estimateTokens } from "../window/estimate-tokens.ts";
import { renderBlock, shownText, withinBudget } from "./render-block.ts";
import { createShownBlocks } from "./shown-blocks.ts";
import { createSourceReader } from "./source-reader.ts";

/** What every session shares, and what holds for this one and follows it. */
export type SystemTexts = { readonly system: string; readonly systemTail?: string };

/** What a step has to say: whether it is data, and which version of a named block it is. */
export type DueText = { readonly text: string; readonly isData: boolean; readonly sent?: SentBlock };

/** What the next step tells, and which instructions are new with it. */
export type DueContext = { readonly texts: readonly DueText[]; readonly loaded: readonly LoadedBlock[] };

/** One per session. */
export interface ContextBuilder {
  /** The same bytes for as long as the session is open. */
  system(model: Model, options: { readonly isStructured: boolean }): SystemTexts;
  /** The first message, if there is one; rebuilt when the session is opened and after a summary. */
  opening(): string | undefined;
  /** For the next step: what the sources of the run, then those of the session have to say. */
  due(model: Model, runSources: readonly ContextSource[]): DueContext;
  /** Every block that the model sees, in order. */
  entries(model: Model): readonly ContextEntry[];
}

export type ContextBuilderParts = {
  readonly sources: readonly ContextSource[];
  readonly journal: Pick<Journal, "state" | "signal">;
  readonly redact: (text: string) => string;
  /** Makes a text harmless that nobody vouches for. */
  readonly neutralise: (text: string, channel: TextChannel) => string;
  /** Of this session, for the fence around data; without it the fence has none. */
  readonly nonce?: () => string;
};

type Written = { readonly source: ContextSource; readonly block: ContextBlock; readonly text: string };

type Collected = { readonly texts: DueText[]; readonly loaded: LoadedBlock[] };

type BuiltSystem = { readonly texts: SystemTexts; readonly written: readonly Written[] };

/** A source, and what it is given to look at: made once, because all of them are asked at every step. */
type Asked = { readonly source: ContextSource; readonly session: ContextSession };

type AskedList = Frame & {
  readonly runSources: readonly ContextSource[];
  readonly settledCount: number;
  readonly all: readonly Asked[];
};

/** The versions of what stands before the conversation, by source and origin. */
type FixedVersions = {
  readonly system: BuiltSystem | undefined;
  readonly opening: Opening | undefined;
  readonly bySource: ReadonlyMap<ContextSource, ReadonlyMap<string, string | undefined>>;
};

type Opening = { readonly boundary: string; readonly written: readonly Written[]; readonly text: string | undefined };

type Frame = Pick<ContextSession, "model" | "isStructured">;

const noTexts: readonly DueText[] = [];
const nothingLoaded: readonly LoadedBlock[] = [];
const nothingDue: DueContext = { texts: noTexts, loaded: nothingLoaded };

export function createContextBuilder(parts: ContextBuilderParts): ContextBuilder {
  const { sources, journal, redact, neutralise, nonce } = parts;
  const cleaning = { neutralise, ...(nonce !== undefined && { nonce }) };
  const { state } = journal;
  const conversation = createShownBlocks();
  const systems = new Map<string, BuiltSystem>();
  const read = createSourceReader({ sources, journal, redact });
  /** These have said all that they ever say. */
  const settled = new Set<ContextSource>();
  const openers = sources.filter(({ place, kind }) => place === "head" && kind !== "policy");
  let opened: Opening | undefined;
  /** Of the opening, until a step tells it. */
  let untold = nothingLoaded;
  let latest: Frame | undefined;
  let system: BuiltSystem | undefined;
  let fixed: FixedVersions | undefined;
  let asked: AskedList | undefined;

  function shown(source: ContextSource, origin: string): string | undefined {
    return conversation.of(source.name, state)?.get(origin)?.hash ?? fixedVersions().get(source)?.get(origin);
  }

  /** Another model may have been given another version. */
  function fixedVersions(): FixedVersions["bySource"] {
    if (fixed === undefined || fixed.system !== system || fixed.opening !== opened) {
      fixed = { system, opening: opened, bySource: versionsBySource(opened, system) };
    }
    return fixed.bySource;
  }

  /** Before the conversation, as if nothing had been said yet. */
  function write(source: ContextSource, role: "system" | "user", frame: Frame): readonly Written[] {
    const blocks = read(source, { state, ...frame, shown: () => undefined });
    if (blocks.length > 0 && blocks.every(({ hash }) => hash === undefined)) settled.add(source);
    return withinBudget(blocks, source.tokensMax).map((block) => ({
      source,
      block,
      text: renderBlock(source, block, { role, ...cleaning }),
    }));
  }

  /** What a source has to say at the start stands in one reminder. */
  function openingText(source: ContextSource, written: readonly Written[]): readonly string[] {
    if (written.length < 2 || source.kind === "data") return written.map(({ text }) => text);
    return [reminderText(written.map(({ block }) => shownText(source, block, neutralise)).join("\n\n"))];
  }

  function builtSystem(model: Model, isStructured: boolean) {
    latest = { model, isStructured };
    const frame = latest;
    system = systems.get(keyOf(frame));
    if (system !== undefined) return system;
    const isTail = ({ place, kind }: ContextSource) => place === "head" && kind === "policy";
    const prefix = sources.filter(({ place }) => place === "prefix").flatMap((from) => write(from, "system", frame));
    const tail = sources.filter(isTail).flatMap((from) => write(from, "system", frame));
    const systemTail = joined(tail);
    const texts = { system: joined(prefix) ?? "", ...(systemTail !== undefined && { systemTail }) };
    system = { texts, written: [...prefix, ...tail] };
    systems.set(keyOf(frame), system);
    return system;
  }

  function currentOpening(): Opening | undefined {
    const frame = latest;
    if (openers.length === 0 || frame === undefined) return undefined;
    const first = state.items[0];
    const boundary = first?.type === "compaction" ? first.id : "";
    if (opened?.boundary === boundary) return opened;
    const bySource = openers.map((source) => ({ source, written: write(source, "user", frame) }));
    const texts = bySource.flatMap(({ source, written }) => openingText(source, written));
    const written = bySource.flatMap((each) => each.written);
    opened = { boundary, written, text: texts.length === 0 ? undefined : texts.join("\n\n") };
    untold = written.flatMap(({ source, block, text }) => loadedBlock(source, block, text));
    return opened;
  }

  /** Those that may still have something to say, the same list from step to step. */
  function askedAt(model: Model, runSources: readonly ContextSource[]): readonly Asked[] {
    const isStructured = latest?.isStructured ?? false;
    const isSame =
      asked?.model === model &&
      asked.isStructured === isStructured &&
      asked.runSources === runSources &&
      asked.settledCount === settled.size;
    if (asked !== undefined && isSame) return asked.all;
    const ask = (source: ContextSource): Asked => ({
      source,
      session: { state, model, isStructured, shown: (origin) => shown(source, origin) },
    });
    const unsettled = sources.filter((source) => !settled.has(source));
    const all = [...runSources, ...unsettled].map(ask);
    asked = { model, isStructured, runSources, settledCount: settled.size, all };
    return all;
  }

  function collect(
    source: ContextSource,
    blocks: readonly ContextBlock[],
    into: Collected | undefined,
  ): Collected | undefined {
    const isDue = ({ origin, hash }: ContextBlock) =>
      hash === undefined ? source.place === "turn" : shown(source, origin) !== hash;
    if (!blocks.some(isDue)) return into;
    const due = into ?? { texts: [], loaded: [...untold] };
    const isData = source.kind === "data";
    for (const block of withinBudget(blocks, source.tokensMax).filter(isDue)) {
      const { origin, hash } = block;
      const text = renderBlock(source, block, { role: "user", ...cleaning });
      due.texts.push({ text, isData, ...(hash !== undefined && { sent: { source: source.name, origin, hash } }) });
      if (shown(source, origin) === undefined) due.loaded.push(...loadedBlock(source, block, text));
    }
    return due;
  }

  function saidBy({ name, kind }: ContextSource): readonly ContextEntry[] {
    return [...(conversation.of(name, state) ?? [])].map(([origin, { hash, characters }]) => {
      return { name, kind, place: "turn", origin, tokens: estimateTokens(characters), hash };
    });
  }

  return {
    system: (model, { isStructured }) => builtSystem(model, isStructured).texts,
    opening: () => currentOpening()?.text,
    due(model, runSources) {
      currentOpening();
      let due: Collected | undefined;
      for (const { source, session } of askedAt(model, runSources)) {
        const blocks = read(source, session);
        if (blocks.length > 0) due = collect(source, blocks, due);
      }
      const opening = untold;
      untold = nothingLoaded;
      return due ?? (opening === nothingLoaded ? nothingDue : { texts: noTexts, loaded: opening });
    },
    entries(model) {
      const before = [...builtSystem(model, false).written, ...(currentOpening()?.written ?? [])];
      return [...before.map(entryOf), ...sources.flatMap(saidBy)];
    },
  };
}

function versionsBySource(opening: Opening | undefined, system: BuiltSystem | undefined): FixedVersions["bySource"] {
  const bySource = new Map<ContextSource, Map<string, string | undefined>>();
  // Of a block that stands in both, the one of the system prompt counts.
  for (const { source, block } of [...(opening?.written ?? []), ...(system?.written ?? [])]) {
    const versions = bySource.get(source) ?? new Map<string, string | undefined>();
    bySource.set(source, versions.set(block.origin, block.hash));
  }
  return bySource;
}

function keyOf({ model, isStructured }: Frame): string {
  return `${model.ref} ${isStructured}`;
}

/** A text without a version is the same in every session, and no news. */
function loadedBlock({ name, kind }: ContextSource, { origin, hash }: ContextBlock, text: string): LoadedBlock[] {
  if (kind !== "instruction" || hash === undefined) return [];
  return [{ source: name, origin, hash, tokens: estimateTokens(text.length) }];
}

function joined(written: readonly Written[]): string | undefined {
  return written.length === 0 ? undefined : written.map(({ text }) => text).join("\n\n");
}

function entryOf({ source: { name, kind, place }, block: { origin, hash, note }, text }: Written): ContextEntry {
  const size = { name, kind, place, origin, tokens: estimateTokens(text.length) };
  return { ...size, ...(hash !== undefined && { hash }), ...(note !== undefined && { note }) };
}
