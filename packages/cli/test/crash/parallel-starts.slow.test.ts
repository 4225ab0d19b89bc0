/** Many starts of the real program at once on one home: every one does its work, and nobody hears of locks. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CrashBench, openCrashBench, openStore } from "./crash-bench.ts";

const starts = 20;

let bench: CrashBench;
/** Holds back the answer to a prompt with this word until it is let go. */
let release: () => void;

beforeEach(async () => {
  const held = Promise.withResolvers<void>();
  release = held.resolve;
  bench = await openCrashBench(({ body }) =>
    JSON.stringify(body.messages).includes("hold") ? { text: "Held.", holdUntil: held.promise } : { text: "Hello." },
  );
});
afterEach(() => bench.close());

async function startAll(directory: string): Promise<void> {
  const all = Array.from({ length: starts }, (_, index) => bench.run(directory, ["-p", `prompt ${index}`]));
  const answers = (await Promise.all(all)).map(({ code, stdout, stderr }) => ({ code, stdout, stderr }));
  expect(answers).toEqual(answers.map(() => ({ code: 0, stdout: "Hello.\n", stderr: "" })));
}

test(`${starts} starts at once, on a fresh home and again on the same`, { timeout: 120_000 }, async () => {
  const directory = bench.workspace("shared");
  await startAll(directory);
  await startAll(directory);
  const store = openStore(bench.home);
  const sessions = await store.sessions({ directory, limit: 100 });
  expect(sessions).toHaveLength(2 * starts);
  const titles = sessions.map(({ title }) => title).sort();
  const expected = Array.from({ length: starts }, (_, index) => `prompt ${index}`).flatMap((title) => [title, title]);
  expect(titles).toEqual(expected.sort());
  for (const { sessionId } of sessions) expect(await store.verify(sessionId)).toMatchObject({ valid: true });
  await store.close();
});

test("the second of two processes on one session is told who holds it", async () => {
  const directory = bench.workspace("held");
  expect(await bench.run(directory, ["-p", "begin"])).toMatchObject({ code: 0 });
  const first = bench.run(directory, ["-p", "--continue", "hold"]);
  await expect.poll(() => bench.model.requests.length).toBe(2);
  const second = await bench.run(directory, ["-p", "--continue", "me too"]);
  expect(second).toMatchObject({ code: 1, stdout: "" });
  expect(second.stderr).toMatch(
    /^kedge: Session ses_\w+ is in use by another kedge process \(pid \d+\)\. Close the other one, or continue in a copy with --fork-session\.\n$/,
  );
  release();
  expect(await first).toMatchObject({ code: 0, stdout: "Held.\n" });
});
