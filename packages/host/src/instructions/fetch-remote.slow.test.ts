/** Texts from the network: narrow limits, public addresses alone, and nothing counts but what was approved. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeUrl } from "@kedge/sandbox";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { approveInstruction } from "./approve-instruction.ts";
import { createFetchRemote } from "./fetch-remote.ts";
import { readInstructionRecord } from "./instruction-record.ts";
import { pinnedEntries } from "./pinned-entries.ts";
import { remoteNotes } from "./remote-notes.ts";

type Page = { readonly status?: number; readonly type?: string; readonly body?: string; readonly location?: string };

let directory = "";
let server: Server;
let port = 0;
let pages: { [path: string]: Page } = {};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "kedge-remote-"));
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject], {
    stdio: "ignore",
  });
  server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    const { status = 200, type = "text/markdown", body = "", location } = pages[request.url ?? ""] ?? { status: 404 };
    response.writeHead(status, { "content-type": type, ...(location !== undefined && { location }) }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  pages = {};
});

const address = (path: string) => `https://127.0.0.1:${port}${path}`;

/** This machine is private, so the tests name it; everything else is judged as ever. */
function fetcher() {
  const policy = { allowHosts: [`127.0.0.1:${port}`] };
  return createFetchRemote({
    now: () => 0,
    ca: readFileSync(join(directory, "cert.pem"), "utf8"),
    judgeAddress: (url, addresses) => judgeUrl({ url, policy, ...(addresses !== undefined && { addresses }) }),
  });
}

test.each<readonly [string, Page, RegExp]>([
  ["another type", { type: "application/json", body: "{}" }, /its type is application\/json, not text/],
  ["too much", { body: "x".repeat(256 * 1024 + 1) }, /larger than 256 KB/],
  ["no text", { body: "a\0b" }, /not a text/],
  ["a private address", { status: 302, location: "https://169.254.169.254/latest" }, /169\.254\.169\.254/],
  ["another scheme", { status: 302, location: "http://example.com/" }, /./],
  ["nothing", { status: 404 }, /404/],
])("%s is refused", async (_, page, why) => {
  pages = { "/a": page };
  const fetched = await fetcher()(address("/a"));
  expect(fetched).toEqual({ ok: false, why: expect.stringMatching(why) });
});

test("without the address being named, this machine is not asked", async () => {
  expect(await createFetchRemote({ now: () => 0 })(address("/a"))).toMatchObject({ ok: false });
});

test("a text counts as it was approved, until a change is approved", async () => {
  const home = mkdtempSync(join(directory, "home-"));
  const url = address("/rules.md");
  const parts = { home, root: "/p", urls: [url], fetchRemote: fetcher(), now: () => 0 };
  const shown: (readonly [string, string | undefined])[] = [];
  const confirm = (answer: boolean) => async (text: string, before: string | undefined) => {
    shown.push([text, before]);
    return answer;
  };
  const textNow = () =>
    pinnedEntries([url], readInstructionRecord(home).urls, (text) => text).map(({ text, why }) => text || why);
  pages = { "/rules.md": { body: "First." } };
  expect(textNow()).toEqual([`not approved; run kedge instructions approve ${url}`]);
  expect(await approveInstruction(url, { ...parts, confirm: confirm(false) })).toMatchObject({ ok: false });
  expect(textNow()).toEqual([expect.stringMatching(/^not approved/)]);
  expect(await approveInstruction(url, { ...parts, confirm: confirm(true) })).toMatchObject({ ok: true });
  expect(textNow()).toEqual(["First."]);
  pages = { "/rules.md": { body: "Second." } };
  expect([...(await remoteNotes([url], home, fetcher())).values()]).toEqual([
    expect.stringMatching(/^changed since 1970-01-01/),
  ]);
  expect(textNow()).toEqual(["First."]);
  pages = {};
  expect([...(await remoteNotes([url], home, fetcher())).values()]).toEqual([
    expect.stringMatching(/^not reachable .*using the copy from 1970-01-01/),
  ]);
  pages = { "/rules.md": { body: "Second." } };
  await approveInstruction(url, { ...parts, confirm: confirm(true) });
  expect(textNow()).toEqual(["Second."]);
  expect(shown.at(-1)).toEqual(["Second.", "First."]);
  expect(await approveInstruction(address("/else"), { ...parts, confirm: confirm(true) })).toMatchObject({ ok: false });
});
