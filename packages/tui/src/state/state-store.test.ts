/** Proves who is told of a change, how often, and in which order. */
import { expect, test } from "vitest";
import { createStateStore } from "./state-store.ts";

type State = { readonly count: number; readonly words: readonly string[] };

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) frozen(each);
  }
  return value;
}

const initial: State = frozen({ count: 0, words: ["a"] });
const counted = (state: State) => frozen({ ...state, count: state.count + 1 });

test("a listener is told once per change of what it selected, and of nothing else", () => {
  const store = createStateStore(initial);
  const told: unknown[] = [];
  store.subscribe(
    ({ count }) => count,
    (count) => told.push(["count", count]),
  );
  store.subscribe(
    ({ words }) => words,
    (words) => told.push(["words", words]),
  );
  store.update(counted);
  store.update((state) => state);
  store.update((state) => frozen({ ...state }));
  store.update((state) => frozen({ ...state, words: [...state.words, "b"] }));
  expect(told).toEqual([
    ["count", 1],
    ["words", ["a", "b"]],
  ]);
  expect(store.get()).toEqual({ count: 1, words: ["a", "b"] });
  expect(initial).toEqual({ count: 0, words: ["a"] });
});

test("what counts as the same can be said", () => {
  const store = createStateStore(initial);
  const told: unknown[] = [];
  store.subscribe(
    ({ words }) => words,
    (words) => told.push(words),
    (left, right) => left.join() === right.join(),
  );
  store.update((state) => frozen({ ...state, words: ["a"] }));
  store.update((state) => frozen({ ...state, words: ["b"] }));
  expect(told).toEqual([["b"]]);
});

test("a change made by a listener comes after everybody was told of the one before", () => {
  const store = createStateStore(initial);
  const told: string[] = [];
  store.subscribe(
    ({ count }) => count,
    (count) => {
      told.push(`first ${count}`);
      if (count === 1) {
        store.update(counted);
        told.push(`still ${store.get().count}`);
      }
    },
  );
  store.subscribe(
    ({ count }) => count,
    (count) => told.push(`second ${count}`),
  );
  store.update(counted);
  expect(told).toEqual(["first 1", "still 1", "second 1", "first 2", "second 2"]);
});

test("whoever stopped listening is not told any more, even of the change that is being told", () => {
  const store = createStateStore(initial);
  const told: string[] = [];
  const stops: (() => void)[] = [];
  stops.push(
    store.subscribe(
      ({ count }) => count,
      (count) => {
        told.push(`first ${count}`);
        for (const stop of stops) stop();
      },
    ),
    store.subscribe(
      ({ count }) => count,
      (count) => told.push(`second ${count}`),
    ),
  );
  store.update(counted);
  store.update(counted);
  expect(told).toEqual(["first 1"]);
});

test("who begins to listen while others are told hears of the next change", () => {
  const store = createStateStore(initial);
  const told: string[] = [];
  let isListening = false;
  store.subscribe(
    ({ count }) => count,
    () => {
      if (isListening) return;
      isListening = true;
      store.subscribe(
        ({ count }) => count,
        (count) => told.push(`late ${count}`),
      );
    },
  );
  store.update(counted);
  store.update(counted);
  expect(told).toEqual(["late 2"]);
});

test("a listener that throws does not stop later changes", () => {
  const store = createStateStore(initial);
  const told: number[] = [];
  store.subscribe(
    ({ count }) => count,
    (count) => {
      told.push(count);
      if (count === 1) throw new Error("broken");
    },
  );
  expect(() => store.update(counted)).toThrow("broken");
  store.update(counted);
  expect(told).toEqual([1, 2]);
});
