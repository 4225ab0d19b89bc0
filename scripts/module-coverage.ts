/** Reads from V8's coverage of a readable bundle which of its modules a run called. */

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number };

/** As V8 writes it. The first range of a function is all of it. */
export type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly Range[] }[];
  }[];
};

type Span = { readonly path: string; readonly start: number };

/** The bundler writes the path of a module before it. */
const moduleMark = /^ *\/\/ ((?:packages|node_modules)\/\S+)$/gm;

export function modulesOf(text: string): readonly string[] {
  return [...new Set(spansOf(text).map(({ path }) => path))];
}

/** Those with a function that was called. What a module does when it is evaluated does not count. */
export function calledModules(file: string, text: string, runs: readonly Coverage[]): ReadonlySet<string> {
  const spans = spansOf(text);
  const called = new Set<string>();
  for (const [whole] of scriptsOf(file, runs).flat()) {
    const isBundle = whole !== undefined && whole.endOffset - whole.startOffset > text.length / 2;
    if (whole === undefined || isBundle || whole.count === 0) continue;
    const span = spans.findLast(({ start }) => start <= whole.startOffset);
    if (span !== undefined) called.add(span.path);
  }
  return called;
}

/** Those that were asked for by their path, in a file that gives them. */
export function givenModules(file: string, text: string, runs: readonly Coverage[]): readonly string[] {
  const scripts = scriptsOf(file, runs);
  const cases = [...text.matchAll(/^ *case "((?:packages|node_modules)\/[^"]+)":\s+return/gm)];
  return cases.flatMap(({ index, 0: words, 1: path = "" }) => {
    const offset = index + words.length;
    return scripts.some((functions) => countAt(functions, offset) > 0) ? [path] : [];
  });
}

/** What V8 counted for the innermost range around a place. */
function countAt(functions: readonly (readonly Range[])[], offset: number): number {
  const around = functions
    .flat()
    .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
    .sort((left, right) => right.endOffset - right.startOffset - (left.endOffset - left.startOffset));
  return around.at(-1)?.count ?? 0;
}

function scriptsOf(file: string, runs: readonly Coverage[]): readonly (readonly (readonly Range[])[])[] {
  const scripts = runs.flatMap(({ result }) => result).filter(({ url }) => url.endsWith(`/${file}`));
  return scripts.map(({ functions }) => functions.map(({ ranges }) => ranges));
}

function spansOf(text: string): readonly Span[] {
  const marks = [...text.matchAll(moduleMark)];
  return marks.map(({ index, 1: path = "" }) => ({ path, start: index }));
}
