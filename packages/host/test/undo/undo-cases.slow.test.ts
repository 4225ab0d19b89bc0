/** Undo where somebody or something else is at work: users, other sessions, jobs, crashes. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Snapshots } from "@kedge/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { linesOf, readTree } from "./file-tree.ts";
import { bash, edit, write } from "./scenario-calls.ts";
import { failedCalls, openSite, runAsUser, type UndoSite, UndoSites } from "./undo-site.ts";

const sites = new UndoSites();
afterAll(() => sites.close());

async function undo(site: UndoSite, sessionId: string, options: { readonly evenIfChanged?: boolean } = {}) {
  return site.engine.send({ type: "session.undo", sessionId, ...options });
}

async function waitUntil(isTrue: () => boolean): Promise<void> {
  await expect.poll(isTrue).toBe(true);
}

const sameFiles = [
  ["a file", "src/a.txt", bash("printf agent > src/a.txt")],
  ["an ignored file", ".env", bash("printf agent > .env")],
  ["an ignored file that the agent made", "build/made.js", write("build/made.js", "agent")],
] as const;

describe("others", () => {
  test.each(sameFiles)("%s that the user changed since is refused, then forced", async (_, path, step) => {
    const place = sites.newPlace("git");
    const site = await openSite({ place, kind: "git" });
    const sessionId = await site.open();
    const before = readTree(site.root);
    await site.prompt(sessionId, [step]);
    writeFileSync(join(site.root, path), "user");
    const changed = readTree(site.root);
    const refused = await undo(site, sessionId);
    expect(refused).toMatchObject({ ok: false, failure: { code: "changed_since" } });
    expect(refused.ok ? "" : refused.failure.message).toContain(`: ${path}.`);
    expect(linesOf(readTree(site.root))).toEqual(linesOf(changed));
    expect(await undo(site, sessionId, { evenIfChanged: true })).toMatchObject({ ok: true });
    expect(linesOf(readTree(site.root))).toEqual(linesOf(before));
    expect(await site.engine.send({ type: "session.redo", sessionId })).toMatchObject({ ok: true });
    expect(linesOf(readTree(site.root))).toEqual(linesOf(changed));
  });

  test("an ignored file that the user changed between two prompts is refused as well", async () => {
    const place = sites.newPlace("git");
    const site = await openSite({ place, kind: "git" });
    const sessionId = await site.open();
    await site.prompt(sessionId, [bash("printf 1 > .env")]);
    runAsUser(site.root, "printf mine > .env");
    const [admitted] = await site.prompt(sessionId, [bash("printf 2 > .env")]);
    expect(await undo(site, sessionId)).toMatchObject({ ok: true });
    expect(readFileSync(join(site.root, ".env"), "utf8")).toBe("mine");
    expect(await undo(site, sessionId)).toMatchObject({ ok: false, failure: { code: "changed_since" } });
    expect(admitted?.type).toBe("prompt.admitted");
  });

  test("two sessions in one workspace undo their own work", async () => {
    const place = sites.newPlace("git");
    const one = await openSite({ place, kind: "git" });
    const two = await openSite({ place, kind: "git", boot: "boot-2" });
    const [first, second] = [await one.open(), await two.open()];
    const before = readTree(one.root);
    await one.prompt(first, [bash("printf one > .env; printf one > src/a.txt")]);
    const between = readTree(one.root);
    await two.prompt(second, [bash("printf two > app.log; printf two > docs/guide.md")]);
    const after = readTree(one.root);
    expect(await undo(two, second)).toMatchObject({ ok: true, value: { uncovered: [] } });
    expect(linesOf(readTree(one.root))).toEqual(linesOf(between));
    await two.engine.send({ type: "session.redo", sessionId: second });
    expect(linesOf(readTree(one.root))).toEqual(linesOf(after));
    expect(await undo(one, first)).toMatchObject({ ok: true });
    expect(await undo(two, second)).toMatchObject({ ok: true });
    expect(linesOf(readTree(one.root))).toEqual(linesOf(before));
  });

  test("what a background job writes between and after steps is undone too", async () => {
    const place = sites.newPlace("git");
    const site = await openSite({ place, kind: "git" });
    const sessionId = await site.open();
    const before = readTree(site.root);
    const wait = "for n in $(seq 400); do test -e go && break; sleep 0.02; done";
    const command = `${wait}; printf late > job.txt; printf late > .env; rm go`;
    const start = [{ tool: "bash", input: { command, description: "for the test", background: true } }];
    const facts = await site.prompt(sessionId, [start, write("other.txt", "1")]);
    expect(failedCalls(facts)).toEqual([]);
    runAsUser(site.root, "touch go");
    await waitUntil(() => existsSync(join(site.root, "job.txt")) && !existsSync(join(site.root, "go")));
    const after = readTree(site.root);
    expect(await undo(site, sessionId)).toMatchObject({ ok: true });
    expect(linesOf(readTree(site.root))).toEqual(linesOf(before));
    await site.engine.send({ type: "session.redo", sessionId });
    expect(linesOf(readTree(site.root))).toEqual(linesOf(after));
    await site.engine.close();
  });

  test("an ignored folder that was empty stays when files come and go deep below it", async () => {
    const site = await openSite({ place: sites.newPlace("git"), kind: "git" });
    const sessionId = await site.open();
    await site.prompt(sessionId, [bash("find build -type f -delete")]);
    const before = readTree(site.root);
    await site.prompt(sessionId, [bash("mkdir -p build/deep/below; printf 1 > build/deep/below/file")]);
    expect(await undo(site, sessionId)).toMatchObject({ ok: true });
    expect(linesOf(readTree(site.root))).toEqual(linesOf(before));
    await site.engine.close();
  });

  /** Dies after some of the files are back. */
  const dyingRestore = (snapshots: Snapshots): Snapshots => ({
    ...snapshots,
    restore: async (tree, paths) => {
      await snapshots.restore(tree, paths.slice(0, 2));
      throw new Error("killed");
    },
  });

  test("an undo that a crash cut short is finished when the session is opened again", async () => {
    const place = sites.newPlace("git");
    const site = await openSite({ place, kind: "git", change: dyingRestore });
    const sessionId = await site.open();
    const before = readTree(site.root);
    await site.prompt(sessionId, [
      bash("rm -r docs; printf f > docs; printf 2 > .env; mv src/a.txt src/b.txt; chmod +x src/crlf.txt"),
    ]);
    await expect(undo(site, sessionId)).rejects.toThrow("killed");
    expect(linesOf(readTree(site.root))).not.toEqual(linesOf(before));
    const next = await openSite({ place, kind: "git", store: site.store, boot: "boot-2" });
    await next.resume(sessionId);
    expect(linesOf(readTree(site.root))).toEqual(linesOf(before));
    expect(await next.engine.send({ type: "session.redo", sessionId })).toMatchObject({ ok: true });
  });

  test("a call that a crash cut short is undone with its ignored files, also as a later call of its step", async () => {
    const place = sites.newPlace("git");
    const died = Promise.withResolvers<never>();
    died.promise.catch(() => undefined);
    let trees = 0;
    // The third tree would be the one after the last call: the process is as if dead from there.
    const site = await openSite({
      place,
      kind: "git",
      change: (snapshots) => ({
        ...snapshots,
        track: (signal, options) => {
          trees += 1;
          return trees === 3 ? died.promise : snapshots.track(signal, options);
        },
      }),
    });
    const sessionId = await site.open();
    const before = readTree(site.root);
    void site.prompt(sessionId, [[...write("first.txt", "1"), ...bash("printf 2 > .env; rm -r build docs")]]);
    await waitUntil(() => trees === 3);
    const next = await openSite({ place, kind: "git", store: site.store, boot: "boot-2" });
    await next.resume(sessionId);
    expect(await undo(next, sessionId)).toMatchObject({ ok: true });
    expect(linesOf(readTree(site.root))).toEqual(linesOf(before));
  });

  test("a call that finished leaves nothing that could be taken for the work of a crash", async () => {
    const place = sites.newPlace("git");
    const site = await openSite({ place, kind: "git" });
    const sessionId = await site.open();
    await site.prompt(sessionId, [bash("true"), edit("src/a.txt", "alpha", "1")]);
    await site.prompt(sessionId, [bash("true")]);
    await site.engine.close();
    runAsUser(site.root, "printf mine > docs/guide.md");
    const next = await openSite({ place, kind: "git", store: site.store, boot: "boot-2" });
    await next.resume(sessionId);
    await undo(next, sessionId);
    await undo(next, sessionId);
    expect(readFileSync(join(site.root, "docs/guide.md"), "utf8")).toBe("mine");
    expect(readFileSync(join(site.root, "src/a.txt"), "utf8")).toBe("alpha\nbeta\ngamma\n");
  });

  /** Counts the processes of git while a prompt runs. */
  async function cost(steps: Parameters<UndoSite["prompt"]>[1]): Promise<number> {
    const place = sites.newPlace("git");
    const counter = join(place, "count");
    const gitPath = join(place, "git.sh");
    writeFileSync(gitPath, `#!/bin/sh\necho x >> ${counter}\nexec git "$@"\n`, { mode: 0o755 });
    const site = await openSite({ place, kind: "git", gitPath });
    const sessionId = await site.open();
    await site.prompt(sessionId, [bash("true")]);
    writeFileSync(counter, "");
    await site.prompt(sessionId, steps);
    await site.engine.close();
    return readFileSync(counter, "utf8").length / 2;
  }

  /** The last one is the price of a file that git ignores; the others pay nothing for it. */
  test.each([
    ["a command that changes nothing", bash("true"), 2],
    ["a new file", bash("printf 1 > new.txt"), 5],
    ["an edit", edit("src/a.txt", "alpha", "1"), 5],
    ["a copy into a folder", bash("cp notes.txt docs/"), 5],
    ["an ignored file", bash("printf 1 > .env"), 17],
  ] as const)("the most processes of git that %s costs", async (_, step, count) => {
    expect(await cost([step])).toBeLessThanOrEqual(count);
  });
});
