import { Hono } from "hono";
import { expect, test } from "vitest";
import { createIdempotency, keyLifeMs, keysMax } from "./idempotency.ts";
import type { ServerEnvironment } from "./server-environment.ts";

/** Counts how often it carries something out; waits for `held` where a test gives it. */
function createSite(held: () => Promise<void> = async () => undefined) {
  let clock = 0;
  let carriedOut = 0;
  const app = new Hono<ServerEnvironment>();
  app.use(async (context, next) => {
    context.set("bodyText", await context.req.text());
    await next();
  });
  app.use(createIdempotency(() => clock));
  app.post("/", async (context) => {
    carriedOut += 1;
    const count = carriedOut;
    await held();
    return context.text(String(count));
  });
  return {
    advance: (ms: number) => {
      clock += ms;
    },
    async post(key: string, caller = "one") {
      const headers = { "idempotency-key": key };
      const env = { caller: { scope: "admin", by: "token", name: caller } };
      return (await app.request("/", { method: "POST", headers, body: "{}" }, env)).text();
    },
  };
}

test("an answer is kept for its time, and for the caller who got it", async () => {
  const { post, advance } = createSite();
  expect([await post("a"), await post("a"), await post("a", "two"), await post("b")]).toEqual(["1", "1", "2", "3"]);
  advance(keyLifeMs - 1);
  expect(await post("a")).toBe("1");
  advance(1);
  expect(await post("a")).toBe("4");
});

test("what is still carried out is not begun again, however long it takes", async () => {
  const held = Promise.withResolvers<void>();
  const { post, advance } = createSite(() => held.promise);
  const first = post("a");
  advance(10 * keyLifeMs);
  const second = post("a");
  held.resolve();
  expect(await Promise.all([first, second])).toEqual(["1", "1"]);
});

test("only so many are kept, the newest of them", async () => {
  const { post } = createSite();
  for (let index = 1; index <= keysMax + 1; index++) await post(String(index));
  expect([await post(String(keysMax + 1)), await post("1")]).toEqual([String(keysMax + 1), String(keysMax + 2)]);
});
