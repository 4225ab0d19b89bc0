import { expect, test } from "vitest";
import { createWordSplitter, wordsOfQuery } from "./words.ts";

test.each([
  ["parseHttpRequest", ["parse", "http", "request", "parsehttprequest"]],
  ["HTTPServer", ["http", "server", "httpserver"]],
  ["MAX_RETRY_COUNT", ["max", "retry", "count", "max_retry_count"]],
  ["__private_name", ["private", "name", "private_name"]],
  ["sha256Hash utf8", ["sha256", "hash", "sha256hash", "utf8"]],
  ["i = x + 1; total", ["total"]],
  ["größeBerechnen", ["größe", "berechnen", "größeberechnen"]],
  ["ОбновитьСессию", ["обновить", "сессию", "обновитьсессию"]],
  ["セッション", ["セッション", "セッ", "ッシ", "ショ", "ョン"]],
  ["計算する", ["計算する", "計算", "算す", "する"]],
  ["Ａｂｃ", ["abc"]],
  [`key = "${"a1B2".repeat(20)}"`, ["key"]],
])("the words of %s", (text, words) => {
  expect(createWordSplitter()(text)).toEqual(words);
});

test("a composed and a decomposed letter make the same word", () => {
  expect(createWordSplitter()("gro\u0308ße")).toEqual(createWordSplitter()("größe"));
});

test("an identifier that was seen before is split the same way", () => {
  const split = createWordSplitter();
  expect(split("readFile readFile")).toEqual(["read", "file", "readfile", "read", "file", "readfile"]);
});

test.each([
  ["Where is the session compacted?", ["session", "compacted"]],
  ["session SESSION Session", ["session"]],
  ["how does this use the function", ["how", "does", "this", "use", "the", "function"]],
  ["=> {}", []],
])("the words that count in the question %s", (query, words) => {
  expect(wordsOfQuery(query)).toEqual(words);
});
