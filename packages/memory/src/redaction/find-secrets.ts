/** Finds the secrets of a text: values that are known, and what has the form of one. */
import { createMarkIndex, type Mark, type MarkIndex } from "./mark-index.ts";
import { isOpenKeyBlock } from "./private-key-block.ts";
import { type SecretKind, type Span, secretKinds } from "./secret-kinds.ts";

/** In the order of the text; they do not overlap. */
export type Spans = readonly Span[];

export type SecretFinder = {
  find(text: string): Spans;
  /** For a text that may go on: from `settled` on, what follows could show another secret. */
  findOpen(text: string): { readonly spans: Spans; readonly settled: number };
};

export type Wanted = {
  /** The longest first. */
  readonly values: readonly string[];
  /** Whether forms of secrets are looked for too. */
  readonly formats: boolean;
};

const knownValueKind = "credential";

export function createSecretFinder({ values, formats }: Wanted): SecretFinder {
  const marks = [...values.filter(isIndexed).map(knownMark), ...kindMarks(formats)];
  const index: MarkIndex<SecretKind> = createMarkIndex(marks);
  const others = values.filter((value) => !isIndexed(value));

  function search(text: string, onHit?: (at: number, kind: SecretKind) => void): Spans {
    const found: Span[] = others.flatMap((value) => occurrences(text, value));
    let covered = 0;
    index.find(text, (at, kind) => {
      onHit?.(at, kind);
      // What only the surroundings tell needs no second look inside of a secret; a flood of names would take long.
      if (kind.isContext && at < covered) return;
      const span = kind.find(text, at);
      if (span === undefined) return;
      found.push(span);
      covered = Math.max(covered, span.end);
    });
    return found.length < 2 ? found : merged(found);
  }

  return {
    find: (text) => search(text),
    findOpen(text) {
      let settled = unfinishedWord(text, values);
      const lastLine = text.lastIndexOf("\n") + 1;
      const spans = search(text, (at, kind) => {
        if (isUnfinished(text, at, kind, lastLine)) settled = Math.min(settled, at);
      });
      const around = spans.find(({ start, end }) => start < settled && settled < end);
      return { spans, settled: around?.start ?? settled };
    },
  };
}

/** The index knows places by two characters of ASCII. */
function isIndexed(value: string): boolean {
  return value.charCodeAt(0) < 128 && value.charCodeAt(1) < 128;
}

function occurrences(text: string, value: string): Spans {
  const spans: Span[] = [];
  for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + value.length)) {
    spans.push({ start, end: start + value.length, kind: knownValueKind });
  }
  return spans;
}

function kindMarks(formats: boolean): readonly Mark<SecretKind>[] {
  const wanted = secretKinds().filter(({ isOwn }) => formats || isOwn);
  return wanted.flatMap((kind) => kind.marks.map((mark) => ({ mark, ignoreCase: kind.ignoreCase, value: kind })));
}

function knownMark(mark: string): Mark<SecretKind> {
  const find = (_: string, start: number) => ({ start, end: start + mark.length, kind: knownValueKind });
  const value = {
    kind: knownValueKind,
    marks: [mark],
    ignoreCase: false,
    isContext: false,
    isOwn: true,
    reach: 0,
    line: "",
  };
  return { mark, ignoreCase: false, value: { ...value, find } };
}

/** Whether what begins here may go on in text that has yet to come. */
function isUnfinished(text: string, at: number, kind: SecretKind, lastLine: number): boolean {
  if (kind.reach === 0 || at >= lastLine) return at >= lastLine;
  if (text.length - at >= kind.reach) return false;
  return kind.kind === "private-key" ? isOpenKeyBlock(text, at) : true;
}

/** A word without its end may be the beginning of anything, and a known value may have blanks in it. */
function unfinishedWord(text: string, values: readonly string[]): number {
  let start = text.length;
  while (start > 0 && !isBlank(text.charCodeAt(start - 1))) start -= 1;
  // Dots and bars of progress begin no secret, only dashes may be those of a key.
  const word = text.slice(start);
  if (!/[A-Za-z0-9]/.test(word)) start = text.length - (/-{1,5}$/.exec(word)?.[0].length ?? 0);
  for (const value of values) {
    if (!/\s/.test(value)) continue;
    for (let length = Math.min(value.length - 1, text.length); length > text.length - start; length--) {
      if (text.endsWith(value.slice(0, length))) start = text.length - length;
    }
  }
  return start;
}

const space = 32;

function isBlank(code: number): boolean {
  return code <= space;
}

/** One that holds others stands for all of them; of equal ones that which knows the form. */
function merged(found: Spans): Spans {
  const sorted = found.toSorted((left, right) => left.start - right.start || right.end - left.end);
  const spans: Span[] = [];
  for (const span of sorted) {
    const last = spans.at(-1);
    if (last === undefined || span.start >= last.end) spans.push(span);
    else if (span.end > last.end) spans[spans.length - 1] = { ...last, end: span.end };
    else if (span.start === last.start && span.end === last.end && isContextKind(last.kind)) {
      spans[spans.length - 1] = span;
    }
  }
  return spans;
}

function isContextKind(name: string): boolean {
  return secretKinds().some(({ kind, isContext }) => kind === name && isContext);
}
