/**
 * Parts as rows that do not store a text twice: a long string that also stands in a fact is kept as a reference to it.
 *
 * Measured with a session of 10,000 messages, 36,000 facts and 49 MB of them: rows with references take 6.6 MB and a
 * page of 50 messages 1.6 ms; rows with copies take 32.9 MB and a page 0.8 ms. Making them costs the same.
 */
import type { FactRecord, PartView } from "@kedge/protocol";

type Path = readonly (string | number)[];

/** Where a string stands: the number of the fact and the way to it inside. */
type FactPlace = { readonly seq: number; readonly path: Path };

/** The place in the part, the number of the fact, and the place in the fact. */
type Reference = readonly [Path, number, Path];

export type PackedPart = { readonly data: string; readonly refs: string | null };

/** A reference takes about forty characters itself. */
const referredFrom = 120;

/** The inputs of calls that are still running. */
const stringsKept = 64;

/** Long strings of recent facts, by their value. */
export type KnownStrings = {
  learn(record: FactRecord): void;
  find(text: string): FactPlace | undefined;
  /** Forgets all but those that the next facts are likely to need. */
  trim(): void;
};

export function createKnownStrings(): KnownStrings {
  const places = new Map<string, FactPlace>();
  function learnFrom(value: object, seq: number, path: Path): void {
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "string") {
        if (inner.length >= referredFrom) places.set(inner, { seq, path: [...path, name] });
      } else if (typeof inner === "object" && inner !== null) learnFrom(inner, seq, [...path, name]);
    }
  }
  return {
    learn: ({ seq, fact }) => learnFrom(fact, seq, []),
    find: (text) => places.get(text),
    trim() {
      for (const text of places.keys()) {
        if (places.size <= stringsKept) return;
        places.delete(text);
      }
    },
  };
}

export function packPart(part: PartView, strings: KnownStrings): PackedPart {
  const references: Reference[] = [];
  const { id: _, messageId: __, time: ___, ...body } = part;
  const data = JSON.stringify(hollow(body, []));
  return { data, refs: references.length === 0 ? null : JSON.stringify(references) };

  function hollow(value: unknown, path: Path): unknown {
    if (typeof value === "string") {
      const place = value.length < referredFrom ? undefined : strings.find(value);
      if (place === undefined) return value;
      references.push([path, place.seq, place.path]);
      return "";
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((inner, index) => hollow(inner, [...path, index]));
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hollow(inner, [...path, name])]));
  }
}

/** The numbers of the facts that `unpackPart` will ask for. */
export function factsReferredTo({ refs }: PackedPart): readonly number[] {
  const references: readonly Reference[] = refs === null ? [] : JSON.parse(refs);
  return references.map(([, seq]) => seq);
}

export type PartPlace = { readonly id: string; readonly messageId: string; readonly time: number };

/** `factAt` reads the fact with a number; it is asked only for those that the part refers to. */
export function unpackPart(packed: PackedPart, place: PartPlace, factAt: (seq: number) => unknown): PartView {
  // Rows are written by packPart alone, from parts; verify tells when somebody else did.
  const body = JSON.parse(packed.data) as PartView;
  const references: readonly Reference[] = packed.refs === null ? [] : JSON.parse(packed.refs);
  for (const [path, seq, factPath] of references) {
    const text = valueAt(factAt(seq), factPath);
    const holder = valueAt(body, path.slice(0, -1));
    const name = path.at(-1);
    if (typeof text === "string" && isHolder(holder) && name !== undefined) holder[name] = text;
  }
  return { ...body, ...place };
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((inner, name) => (isHolder(inner) ? inner[name] : undefined), value);
}

function isHolder(value: unknown): value is Record<string | number, unknown> {
  return typeof value === "object" && value !== null;
}
