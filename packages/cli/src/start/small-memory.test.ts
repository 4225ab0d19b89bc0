import { Script } from "node:vm";
import { expect, test } from "vitest";
import { keepRunSmall, underStartFlags } from "./small-memory.ts";

let made = 0;

/** Another text each time, because V8 remembers what it compiled; of one length, which is what a cache is compared with. */
function newSource(): string {
  made += 1;
  return `(function () { return ${1_000 + made}; })`;
}

test("a code cache of the start fits again while it is read, and not under the flags of a long run", () => {
  const cachedData = new Script(newSource()).createCachedData();
  const isRejected = () => new Script(newSource(), { cachedData }).cachedDataRejected;
  expect(isRejected()).toBe(false);
  keepRunSmall();
  expect(isRejected()).toBe(true);
  expect(underStartFlags(isRejected)).toBe(false);
  expect(isRejected()).toBe(true);
});

test("a code cache that is written in a long run fits the next start", () => {
  keepRunSmall();
  const cachedData = underStartFlags(() => new Script(newSource()).createCachedData());
  expect(underStartFlags(() => new Script(newSource(), { cachedData }).cachedDataRejected)).toBe(false);
});
