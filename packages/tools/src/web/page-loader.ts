/** Loads pages of the web, each at most once in a while, for every tool of a session that shows them. */
import { fetchPage, type WebPage, type WebParts } from "./fetch-page.ts";
import { createPageCache } from "./page-cache.ts";
import { readWebAddress } from "./web-address.ts";

export type LoadedPage =
  | { readonly kind: "page"; readonly page: WebPage }
  /** Another host was named, and is not followed. */
  | { readonly kind: "moved"; readonly from: string; readonly to: string }
  | { readonly kind: "failed"; readonly url: string; readonly problem: string };

export type PageLoader = {
  load(url: string, how: { readonly signal: AbortSignal; readonly timeoutSeconds?: number }): Promise<LoadedPage>;
};

const pageTimeoutMaxSeconds = 30;

export function createPageLoader(parts: WebParts): PageLoader {
  const cache = createPageCache<WebPage>(parts.now);
  return {
    async load(address, { signal, timeoutSeconds = pageTimeoutMaxSeconds }) {
      const read = readWebAddress(address, parts.judgeAddress);
      if (!read.ok) return { kind: "failed", url: address, problem: read.problem };
      const { url } = read;
      const kept = cache.get(url.href);
      if (kept !== undefined) return { kind: "page", page: kept };
      const seconds = Math.min(timeoutSeconds, pageTimeoutMaxSeconds);
      const timeout = AbortSignal.timeout(seconds * 1_000);
      const fetched = await fetchPage(url, parts, AbortSignal.any([signal, timeout]));
      switch (fetched.kind) {
        case "page":
          cache.put(url.href, fetched.page, fetched.page.body.length);
          return fetched;
        case "moved":
          return { kind: "moved", from: url.href, to: fetched.to };
        case "failed": {
          const failed = { kind: "failed", url: url.href } as const;
          if (signal.aborted) return { ...failed, problem: "Fetching was interrupted." };
          const late = `${url.href} did not answer completely within ${seconds} seconds. Try again or use another source.`;
          return { ...failed, problem: timeout.aborted ? late : fetched.problem };
        }
      }
    },
  };
}

/** For the model: the next step is its own decision. */
export function describeMove({ from, to }: Extract<LoadedPage, { kind: "moved" }>): string {
  return `${from} redirects to another host: ${to}\nIt was not followed. Fetch that address if you trust it.`;
}
