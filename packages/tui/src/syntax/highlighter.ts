/** Colours of code: grammars are loaded when a language is first met, and until then code comes back plain. */
import type { Emitter, HLJSApi } from "highlight.js";
import type { ForegroundToken, Theme } from "../theme/theme.ts";
import { grammars, knownLanguage } from "./languages.ts";
import { scopeColor } from "./scope-colors.ts";
import { type Line, paintLine, plainStyle, type Span, type TextStyle } from "./styled-text.ts";

export interface Highlighter {
  /** True when nothing better will come: the grammar is there, or there is none for this language. */
  ready(language: string): boolean;
  /** Never fails; a grammar that cannot be loaded leaves its language plain. */
  load(language: string): Promise<void>;
  /** One line of spans for each line of the code, which must be clean. `isKept: false` for text that still changes. */
  spans(code: string, language: string, options?: { readonly isKept?: boolean }): readonly Line[];
  /** The same, painted. The same array for the same code and theme while it is remembered. */
  highlight(code: string, language: string, theme: Theme): readonly string[];
}

const lineLengthMax = 2000;
const linesMax = 3000;
const entriesMax = 300;
const rememberedCharactersMax = 2_000_000;

type Entry = {
  readonly lines: readonly Line[];
  painted?: { readonly theme: Theme; readonly lines: readonly string[] };
};

export function createHighlighter({ onReady }: { readonly onReady?: (language: string) => void } = {}): Highlighter {
  let core: HLJSApi | undefined;
  const loaded = new Set<string>();
  const loading = new Map<string, Promise<void>>();
  const entries = new Map<string, Entry>();
  let rememberedCharacters = 0;

  const register = async (language: string): Promise<void> => {
    const grammar = grammars[language];
    if (grammar === undefined) return;
    const { default: shared } = await import("highlight.js/lib/core");
    const { default: define } = await grammar.load();
    core ??= withSpans(shared.newInstance());
    core.registerLanguage(language, define);
    for (const inner of grammar.inside ?? []) {
      if (core.getLanguage(inner) !== undefined) continue;
      const innerGrammar = await grammars[inner]?.load();
      if (innerGrammar !== undefined) core.registerLanguage(inner, innerGrammar.default);
    }
  };

  const load = (label: string): Promise<void> => {
    const language = knownLanguage(label);
    if (language === undefined || loaded.has(language)) return Promise.resolve();
    const running = loading.get(language);
    if (running !== undefined) return running;
    const settle = () => {
      loading.delete(language);
      loaded.add(language);
      onReady?.(language);
    };
    // A grammar that is missing or broken costs colours only, and asking again would not fix it.
    const started = register(language).then(settle, settle);
    loading.set(language, started);
    return started;
  };

  const ready = (label: string): boolean => {
    const language = knownLanguage(label);
    return language === undefined || loaded.has(language);
  };

  const coloured = (code: string, language: string): readonly Line[] => {
    const plain = plainLines(code);
    if (core?.getLanguage(language) === undefined) return plain;
    if (plain.length > linesMax || plain.some(([first]) => (first?.text.length ?? 0) > lineLengthMax)) return plain;
    // The library catches what goes wrong inside a grammar and says so in its result, which then holds a part only.
    const { _emitter: emitter, errorRaised } = core.highlight(code, { language, ignoreIllegals: true });
    return errorRaised === undefined && emitter instanceof SpanEmitter ? emitter.lines : plain;
  };

  const entryOf = (code: string, label: string, isKept: boolean): Entry => {
    const language = knownLanguage(label);
    if (language === undefined) return { lines: plainLines(code) };
    if (!loaded.has(language)) {
      void load(language);
      return { lines: plainLines(code) };
    }
    const key = `${language}\n${code}`;
    const known = entries.get(key);
    if (known !== undefined) {
      // Moved to the end, so that what is not asked for is forgotten first.
      entries.delete(key);
      entries.set(key, known);
      return known;
    }
    const entry: Entry = { lines: coloured(code, language) };
    if (!isKept || key.length > rememberedCharactersMax) return entry;
    entries.set(key, entry);
    rememberedCharacters += key.length;
    for (const oldest of entries.keys()) {
      if (entries.size <= entriesMax && rememberedCharacters <= rememberedCharactersMax) break;
      entries.delete(oldest);
      rememberedCharacters -= oldest.length;
    }
    return entry;
  };

  return {
    ready,
    load,
    spans: (code, language, { isKept = true } = {}) => entryOf(code, language, isKept).lines,
    highlight(code, language, theme) {
      const entry = entryOf(code, language, true);
      if (entry.painted?.theme !== theme) {
        entry.painted = { theme, lines: entry.lines.map((line) => paintLine(line, theme)) };
      }
      return entry.painted.lines;
    },
  };
}

function plainLines(code: string): readonly Line[] {
  return code.split("\n").map((text) => (text === "" ? [] : [{ text, style: plainStyle }]));
}

function withSpans(core: HLJSApi): HLJSApi {
  core.configure({ __emitter: SpanEmitter });
  return core;
}

/** Takes what a grammar finds and keeps it as lines of spans, so that no HTML is ever made. The library wants a class. */
class SpanEmitter implements Emitter {
  readonly lines: Span[][] = [[]];
  readonly #colors: (ForegroundToken | undefined)[] = [];

  addText(text: string): void {
    const color = this.#colors.at(-1);
    const style = color === undefined ? plainStyle : styleOf(color);
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) this.lines.push([]);
      this.#add(part, style);
    }
  }

  #add(text: string, style: TextStyle): void {
    const line = this.lines.at(-1);
    if (text === "" || line === undefined) return;
    const last = line.at(-1);
    if (last?.style.color === style.color && last !== undefined)
      line[line.length - 1] = { text: last.text + text, style };
    else line.push({ text, style });
  }

  startScope(scope: string): void {
    this.#colors.push(scopeColor(scope, this.#colors.at(-1)));
  }

  endScope(): void {
    this.#colors.pop();
  }

  /** The library uses both pairs of names; only the first is in its types. */
  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(inner: Emitter): void {
    if (!(inner instanceof SpanEmitter)) return;
    for (const [index, line] of inner.lines.entries()) {
      if (index > 0) this.lines.push([]);
      for (const { text, style } of line) this.#add(text, style);
    }
  }

  finalize(): void {}

  toHTML(): string {
    return "";
  }
}

function styleOf(color: ForegroundToken): TextStyle {
  return { color };
}
