/** What rules close to reading reaches nobody who may not approve: neither its content nor its name. */
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { at, openSite, type ServerSite } from "./server-site.ts";

const canary = "canary7q";
const read = { "secret/**": "deny", "*.key": "deny", "drafts/*": "ask", "*.png": "deny", "linked/**": "deny" };
const closed = ["secret/plan.txt", "app.key", "deep/er/inner.key", "drafts/post.md", "pixel.png", "moved.key"];

let site: ServerSite;

beforeAll(async () => {
  site = await openSite({ settings: { permission: { read } } });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(site.project, path)), { recursive: true });
    writeFileSync(join(site.project, path), text);
  };
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { cwd: site.project });
  const lines = Array.from({ length: 20 }, (_, line) => `${line} ${canary}\n`).join("");
  for (const path of closed) put(path, lines);
  put("open.txt", "an open file\n");
  put("other/open.md", `${canary.toUpperCase()}\n`);
  git("add", "-A");
  git("commit", "-qm", "first");
  for (const path of closed.slice(0, 3)) put(path, `changed ${canary}\n`);
  put("open.txt", "an open file, changed\n");
  put("secret/new.txt", `${canary}\n`);
  renameSync(join(site.project, "moved.key"), join(site.project, "moved.txt"));
  put("moved.txt", lines.replace(`3 ${canary}`, "3").replaceAll(canary, canary.toUpperCase()));
  git("add", "-N", "moved.txt");
  symlinkSync("app.key", join(site.project, "link.txt"));
  symlinkSync("other", join(site.project, "linked"));
  linkSync(join(site.project, "app.key"), join(site.project, "hard.txt"));
});

afterAll(async () => {
  await site.close();
  expect(site.bugs).toEqual([]);
});

test("a token that may read gets neither content nor names of closed files", async () => {
  const token = site.tokenOf("read");
  const names = [
    ...closed,
    "link.txt",
    "hard.txt",
    "secret/../app.key",
    "linked/open.md",
    join(site.project, "app.key"),
  ];
  const paths = names.map((path) => encodeURIComponent(path));
  for (const path of paths)
    expect([path, (await site.call("GET", `/file?path=${path}`, { token })).status]).toEqual([
      path,
      path === "moved.key" ? 404 : 403,
    ]);
  const requests = [
    ...paths.map((path) => `/find?pattern=canary&path=${path}`),
    "/find?pattern=canary",
    "/find?pattern=canary&path=linked",
    "/vcs/diff",
  ];
  for (const request of requests) {
    const { text } = await site.call("GET", request, { token });
    expect([request, text.includes(canary)]).toEqual([request, false]);
  }
  for (const request of ["/find/file?text=", "/vcs", "/file/status", "/file/list?path=secret", "/file/list?path=."]) {
    const { text, status } = await site.call("GET", request, { token });
    expect([request, status, closed.filter((path) => text.includes(path))]).toEqual([request, 200, []]);
  }
});

test("open files are shown as ever, and closed ones to who may approve", async () => {
  const token = site.tokenOf("read");
  expect(at((await site.call("GET", "/file?path=open.txt", { token })).json, "content")).toContain("an open file");
  expect((await site.call("GET", "/find?pattern=open", { token })).text).toContain("open.txt");
  expect((await site.call("GET", "/find/file?text=open", { token })).text).toContain("other/open.md");
  expect((await site.call("GET", "/vcs", { token })).text).toContain("open.txt");
  expect((await site.call("GET", "/vcs/diff", { token })).text).toContain("open file, changed");
  expect((await site.call("GET", "/file/list?path=.", { token })).text).toContain("open.txt");
  const approver = site.tokenOf("approve");
  expect(at((await site.call("GET", "/file?path=app.key", { token: approver })).json, "content")).toContain(canary);
});
