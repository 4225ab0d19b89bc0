/** Places for agents: so many at once for each session, in the order of coming, and nobody waits for one that gave up. */
import { expect, test } from "vitest";
import { createPlaces } from "../src/runs/places.ts";

test("whoever comes later waits, in order, and each session has places of its own", async () => {
  const places = createPlaces(2);
  const { signal } = new AbortController();
  const leave = await Promise.all([places.take("a", signal), places.take("a", signal)]);
  const order: string[] = [];
  const third = places.take("a", signal).then((done) => order.push("third") && done);
  const fourth = places.take("a", signal).then((done) => order.push("fourth") && done);
  expect(await places.take("b", signal)).toBeDefined();
  leave[0]?.();
  leave[0]?.();
  await third;
  expect(order).toEqual(["third"]);
  leave[1]?.();
  await fourth;
  expect(order).toEqual(["third", "fourth"]);
});

test("one that is cancelled while it waits takes no place", async () => {
  const places = createPlaces(1);
  const { signal } = new AbortController();
  const first = await places.take("a", signal);
  const gone = new AbortController();
  const second = places.take("a", gone.signal);
  const third = places.take("a", signal);
  gone.abort();
  expect(await second).toBeUndefined();
  first?.();
  expect(await third).toBeDefined();
  expect(await places.take("b", AbortSignal.abort())).toBeUndefined();
});
