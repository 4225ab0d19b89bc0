/** Web pages as texts for `read`: fetched with the permission of `webfetch`, rendered once, paged by lines. */
import type { Tool } from "@kedge/protocol";
import type { PageSource, PageText } from "../reading/read-parts.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { createPageCache } from "./page-cache.ts";
import { readContent } from "./page-content.ts";
import { describeMove, type PageLoader } from "./page-loader.ts";
import { foldLongLines } from "./untrusted-text.ts";
import type { WebfetchInput } from "./webfetch.ts";

export type PageSourceParts = {
  readonly loader: PageLoader;
  readonly webfetch: Tool<WebfetchInput>;
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
};

export function createPageSource({ loader, webfetch, now }: PageSourceParts): PageSource {
  // Rendering a page costs more than showing some lines of it.
  const rendered = createPageCache<PageText>(now);
  return {
    needs: (url) => webfetch.needs({ url }, ""),
    async fetch(url, { signal }) {
      const kept = rendered.get(url);
      if (kept !== undefined) return kept;
      const loaded = await loader.load(url, { signal });
      if (loaded.kind === "moved") return { ok: false, problem: describeMove(loaded) };
      if (loaded.kind === "failed") return { ok: false, problem: loaded.problem };
      const content = readContent(loaded.page);
      if (content.kind === "refused") return { ok: false, problem: content.problem };
      if (content.kind === "image") return { ok: false, problem: `${url} is a picture; look at it with webfetch.` };
      const { title, text } =
        content.kind === "html"
          ? await htmlToMarkdown(content.text, loaded.page.url)
          : { title: "", text: content.text };
      const page: PageText = { ok: true, text: foldLongLines(text), title };
      rendered.put(url, page, page.text.length);
      return page;
    },
  };
}
