/** One grammar of highlight.js. */
import type { LanguageFn } from "./highlight-js.d.ts";

declare const language: LanguageFn;
export default language;
