/** What we use of highlight.js. Its own types bring those of browsers with them, for every file of the program. */

export type LanguageFn = (api: HLJSApi) => object;

export interface Emitter {
  startScope(name: string): void;
  endScope(name?: string): void;
  addText(text: string): void;
  toHTML(): string;
  finalize(): void;
  __addSublanguage(emitter: Emitter, subLanguageName: string): void;
}

export type HighlightResult = { readonly value: string; readonly _emitter: Emitter; readonly errorRaised?: Error };

export interface HLJSApi {
  newInstance(): HLJSApi;
  configure(options: object): void;
  registerLanguage(name: string, language: LanguageFn): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { readonly language: string; readonly ignoreIllegals?: boolean }): HighlightResult;
}

declare const core: HLJSApi;
export default core;
