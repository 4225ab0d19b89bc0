import { expect, test } from "vitest";
import { cacheAgeMsMax, cacheBytesMax, cacheEntriesMax, createPageCache } from "./page-cache.ts";

test("the oldest leave when there are too many or too large ones", () => {
  const cache = createPageCache<string>(() => 0);
  for (let index = 0; index <= cacheEntriesMax; index += 1) cache.put(`${index}`, `page ${index}`, 1);
  expect([cache.get("0"), cache.get("1")]).toEqual([undefined, "page 1"]);
  cache.put("large", "large page", cacheBytesMax - 1);
  expect([cache.get("19"), cache.get("20"), cache.get("large")]).toEqual([undefined, "page 20", "large page"]);
  cache.put("larger", "not kept", cacheBytesMax + 1);
  expect([cache.get("larger"), cache.get("large")]).toEqual([undefined, undefined]);
});

test("putting again renews a page and counts it once", () => {
  let nowMs = 0;
  const cache = createPageCache<string>(() => nowMs);
  cache.put("other", "other", cacheBytesMax / 2);
  cache.put("a", "old", cacheBytesMax / 2);
  nowMs = cacheAgeMsMax - 1;
  cache.put("a", "new", cacheBytesMax / 2);
  expect([cache.get("other"), cache.get("a")]).toEqual(["other", "new"]);
  nowMs = cacheAgeMsMax;
  expect([cache.get("other"), cache.get("a")]).toEqual([undefined, "new"]);
});
