import { expect, test } from "vitest";
import { splitSelector, withContext } from "./selector.ts";

const end = Number.POSITIVE_INFINITY;
const ranges = (...pairs: readonly (readonly [number, number])[]) => pairs.map(([first, last]) => ({ first, last }));
const chosen = (selector: string) => {
  const [split, ...others] = splitSelector(`dir/a.ts:${selector}`);
  expect([split?.path, others]).toEqual(["dir/a.ts", []]);
  return split?.selector;
};

test.each([
  ["5", ranges([5, end])],
  ["5-", ranges([5, end])],
  ["5-9", ranges([5, 9])],
  ["5..9", ranges([5, 9])],
  ["L5-L9", ranges([5, 9])],
  ["5+3", ranges([5, 7])],
  ["7-7", ranges([7, 7])],
  ["20-30,1-5", ranges([1, 5], [20, 30])],
  ["1-5, 4-9", ranges([1, 9])],
  ["1-5,6-9", ranges([1, 9])],
  ["3,8,12-", ranges([3, 3], [8, 8], [12, end])],
])("understands :%s", (text, expected) => {
  expect(chosen(text)).toEqual({ ok: true, value: { kind: "lines", ranges: expected, isRaw: false } });
});

test("raw stands alone or with a range, in either order, and a shorter reading comes first", () => {
  expect(chosen("raw")).toEqual({ ok: true, value: { kind: "lines", isRaw: true } });
  const both = { ok: true, value: { kind: "lines", ranges: ranges([2, 4]), isRaw: true } };
  expect(splitSelector("a:raw:2-4")).toEqual([
    { path: "a:raw", selector: { ok: true, value: { kind: "lines", ranges: ranges([2, 4]), isRaw: false } } },
    { path: "a", selector: both },
  ]);
  expect(splitSelector("a:2-4:raw")).toEqual([
    { path: "a:2-4", selector: { ok: true, value: { kind: "lines", isRaw: true } } },
    { path: "a", selector: both },
  ]);
  expect(splitSelector("a:1-2:3-4").map(({ path }) => path)).toEqual(["a:1-2"]);
});

test("conflicts stand alone", () => {
  expect(chosen("conflicts")).toEqual({ ok: true, value: { kind: "conflicts" } });
  for (const [target, path] of [
    ["a:raw:conflicts", "a:raw"],
    ["a:1-2:conflicts", "a:1-2"],
  ] as const)
    expect(splitSelector(target)).toEqual([{ path, selector: { ok: true, value: { kind: "conflicts" } } }]);
  expect(splitSelector("a:conflicts:1-2").map(({ path }) => path)).toEqual(["a:conflicts"]);
});

test.each(["0", "0-3", "3+0", "9-5", "1-3,8-7"])("refuses :%s in words", (text) => {
  expect(chosen(text)).toMatchObject({ ok: false, problem: expect.stringContaining("is not a range of lines") });
});

test("refuses more ranges than anyone needs", () => {
  const list = Array.from({ length: 21 }, (_, index) => `${index * 10 + 1}-${index * 10 + 2}`).join(",");
  expect(chosen(list)).toMatchObject({ ok: false, problem: expect.stringContaining("more than 20 ranges") });
});

test.each(["a.ts", "a:b", "a:", "a:5x", "a:1,", "a:1-2,b", "a:3..", "a:5+", ":5", "http://host/a", "a:12345678901"])(
  "%s has no selector",
  (target) => {
    expect(splitSelector(target)).toEqual([]);
  },
);

test("a range gets one line before and three after, and what then touches is one", () => {
  const selector = (...pairs: readonly (readonly [number, number])[]) =>
    ({ kind: "lines", ranges: ranges(...pairs), isRaw: false }) as const;
  expect(withContext(selector([10, 20]))).toEqual(ranges([9, 23]));
  expect(withContext(selector([1, 2], [8, end]))).toEqual(ranges([1, 5], [7, end]));
  expect(withContext(selector([1, 2], [7, 8]))).toEqual(ranges([1, 11]));
  expect(withContext({ kind: "lines", ranges: ranges([10, 20]), isRaw: true })).toEqual(ranges([10, 20]));
  expect(withContext({ kind: "lines", isRaw: true })).toEqual(ranges([1, end]));
});
