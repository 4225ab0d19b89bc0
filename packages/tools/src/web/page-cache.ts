/** Keeps what was fetched lately, so that the same page is not asked for again: few, small and for a short time. */

export type PageCache<Page> = {
  get(url: string): Page | undefined;
  put(url: string, page: Page, bytes: number): void;
};

export const cacheAgeMsMax = 15 * 60 * 1_000;
export const cacheEntriesMax = 20;
export const cacheBytesMax = 20 * 1_024 * 1_024;

/** `now` gives the milliseconds of any steady clock. The entry that was put first leaves first. */
export function createPageCache<Page>(now: () => number): PageCache<Page> {
  const entries = new Map<string, { readonly page: Page; readonly bytes: number; readonly putAtMs: number }>();
  let bytesKept = 0;

  function remove(url: string): void {
    bytesKept -= entries.get(url)?.bytes ?? 0;
    entries.delete(url);
  }

  return {
    get(url) {
      const entry = entries.get(url);
      if (entry !== undefined && now() - entry.putAtMs >= cacheAgeMsMax) remove(url);
      return entries.get(url)?.page;
    },
    put(url, page, bytes) {
      remove(url);
      entries.set(url, { page, bytes, putAtMs: now() });
      bytesKept += bytes;
      for (const oldest of entries.keys()) {
        if (entries.size <= cacheEntriesMax && bytesKept <= cacheBytesMax) break;
        remove(oldest);
      }
    },
  };
}
