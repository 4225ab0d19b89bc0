import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSite, type Site, siteName, type Visit } from "../../test/web-site.ts";
import { type Fetched, fetchPage, type WebParts } from "./fetch-page.ts";
import { bodyBytesMax } from "./http-get.ts";
import { readWebAddress } from "./web-address.ts";

let site: Site;

beforeEach(async () => {
  site = await openSite();
});

afterEach(() => site.close());

async function fetchFrom(url: string, parts: Partial<WebParts> = {}, signal = new AbortController().signal) {
  const all = { ...site.parts, ...parts };
  const address = readWebAddress(url, all.judgeAddress);
  if (!address.ok) throw new Error(address.problem);
  return fetchPage(address.url, all, signal);
}

/** What came, without the port, which differs in every run. */
function brief(fetched: Fetched): string {
  const text =
    fetched.kind === "page"
      ? `page ${fetched.page.url} ${fetched.page.body.toString("latin1")}`
      : fetched.kind === "moved"
        ? `moved ${fetched.to}`
        : fetched.problem;
  return text.replaceAll(`:${site.port}`, "");
}

test("redirections within the host are followed, five at most", async () => {
  for (let step = 1; step <= 6; step += 1) site.redirect(`/${step}`, step % 2 === 0 ? `${step + 1}` : `/${step + 1}`);
  site.page("/7", "text/plain", "arrived");
  expect(brief(await fetchFrom(site.url("/2")))).toBe("page http://site.test/7 arrived");
  expect(brief(await fetchFrom(site.url("/1")))).toBe(
    "http://site.test/1 redirects more than 5 times; its last target was http://site.test/7.",
  );
});

test.each([301, 302, 303, 307, 308])("status %i redirects, in letters of any alphabet", async (status) => {
  site.redirect("/from", Buffer.from("/größe").toString("latin1"), status);
  site.page("/gr%C3%B6%C3%9Fe", "text/plain", "arrived");
  expect(brief(await fetchFrom(site.url("/from")))).toBe("page http://site.test/gr%C3%B6%C3%9Fe arrived");
});

test("a redirection to another host is told and not followed; one to a refused address is refused", async () => {
  site.redirect("/other", site.url("/secret", "other.test"));
  site.redirect("/port", "https://site.test:1/");
  site.redirect("/plain", "http://example.com/x");
  site.redirect("/metadata", "http://169.254.169.254/latest/");
  site.redirect("/file", "file:///etc/passwd");
  site.redirect("/odd", "/\\2130706433/");
  site.redirect("/login", `http://user:password@site.test:${site.port}/`);
  const paths = ["/other", "/port", "/plain", "/metadata", "/file", "/odd", "/login"];
  const results = await Promise.all(paths.map(async (path) => brief(await fetchFrom(site.url(path)))));
  expect(results).toEqual([
    "moved http://other.test/secret",
    "moved https://site.test:1/",
    "moved https://example.com/x",
    expect.stringContaining("169.254.169.254 is reserved for link-local and cloud metadata"),
    expect.stringContaining("only http and https are allowed, not file:"),
    expect.stringContaining("127.0.0.1 is reserved for loopback"),
    expect.stringContaining("it contains a user name or password"),
  ]);
  expect(site.visits.toSorted()).toEqual(paths.map((path) => `${siteName}${path}`).toSorted());
});

test("the connection goes to the address that was judged, with one look-up per station", async () => {
  const answers = [["127.0.0.1"], ["127.0.0.1"], ["169.254.169.254"]];
  const lookUp = async () => answers.shift() ?? [];
  site.redirect("/a", "/b");
  site.page("/b", "text/plain", "arrived");
  expect(brief(await fetchFrom(site.url("/a"), { lookUp }))).toBe("page http://site.test/b arrived");
  expect(brief(await fetchFrom(site.url("/a"), { lookUp }))).toBe(
    "http://site.test/a may not be fetched: site.test resolves to 169.254.169.254, which is reserved for link-local and cloud metadata.",
  );
  expect(brief(await fetchFrom(site.url("/a"), { lookUp }))).toBe(
    "http://site.test/a may not be fetched: site.test has no address.",
  );
  expect(site.visits).toEqual(["site.test/a", "site.test/b"]);
});

test("a name that turns to another address between two stations is refused at the second", async () => {
  const answers = [["127.0.0.1"], ["127.0.0.1", "fe80::1"]];
  site.redirect("/a", "/b");
  expect(brief(await fetchFrom(site.url("/a"), { lookUp: async () => answers.shift() ?? [] }))).toBe(
    "http://site.test/b may not be fetched: site.test resolves to fe80::1, which is reserved for link-local.",
  );
  expect(site.visits).toEqual(["site.test/a"]);
});

test("a public name with one inward address is refused before anything is sent", async () => {
  const lookUp = async () => ["93.184.215.14", "127.0.0.1"];
  expect(brief(await fetchFrom(`https://example.com:${site.port}/`, { lookUp }))).toContain("resolves to 127.0.0.1");
  expect(site.visits).toEqual([]);
});

const plain = "words ".repeat(100);

test.each<[string, Buffer]>([
  ["gzip", gzipSync(plain)],
  ["x-gzip", gzipSync(plain)],
  ["br", brotliCompressSync(plain)],
  ["deflate", deflateSync(plain)],
  ["identity", Buffer.from(plain)],
])("a body compressed with %s is read", async (encoding, body) => {
  site.at("/", (_, response) => response.writeHead(200, { "content-encoding": encoding }).end(body));
  expect(brief(await fetchFrom(site.url("/")))).toBe(`page http://site.test/ ${plain}`);
});

const zeros = Buffer.alloc(bodyBytesMax + 1);
const send =
  (body: Buffer, headers: Record<string, string> = {}): Visit =>
  (_, response) =>
    void response.writeHead(200, headers).end(body);

test.each<[string, string, Visit]>([
  ["a gzip bomb", "it is larger than 5 MB", send(gzipSync(Buffer.alloc(200_000_000)), { "content-encoding": "gzip" })],
  ["a brotli bomb", "it is larger than 5 MB", send(brotliCompressSync(zeros), { "content-encoding": "br" })],
  ["a body that is too long", "it is larger than 5 MB", send(zeros)],
  ["a length that is too long", "it is larger than 5 MB", send(Buffer.alloc(1), { "content-length": "99999999" })],
  ["a broken gzip", "its compressed body is corrupt", send(Buffer.alloc(99, 7), { "content-encoding": "gzip" })],
  [
    "a cut gzip",
    "its compressed body is corrupt",
    send(gzipSync(plain).subarray(0, 30), { "content-encoding": "gzip" }),
  ],
  ["a broken brotli", "its compressed body is corrupt", send(Buffer.alloc(99, 0xff), { "content-encoding": "br" })],
  ["an unknown compression", "its compression is unknown", send(Buffer.alloc(1), { "content-encoding": "zstd, gzip" })],
  ["a huge head", "its response headers are too long", send(Buffer.alloc(1), { "x-long": "a".repeat(20_000) })],
  ["no HTTP", "its answer is not proper HTTP", (_, response) => void response.socket?.end("hello\r\n\r\n")],
  ["a broken connection", "the connection failed (ECONNRESET)", (_, response) => void response.socket?.destroy()],
  [
    "an end before the promised length",
    "the connection failed",
    (_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("x", () => response.socket?.destroy());
    },
  ],
])("%s: %s", async (_, reason, visit) => {
  site.at("/", visit);
  expect(brief(await fetchFrom(site.url("/")))).toContain(`http://site.test/ could not be fetched: ${reason}`);
});

test("a body of exactly the limit is taken", async () => {
  site.at("/", send(gzipSync(zeros.subarray(1)), { "content-encoding": "gzip" }));
  const fetched = await fetchFrom(site.url("/"));
  expect(fetched.kind === "page" && fetched.page.body.length).toBe(bodyBytesMax);
});

test.each<[string, Visit]>([
  ["nothing", () => undefined],
  ["one byte at a time", (_, response) => void response.writeHead(200).write("x")],
])("a server that sends %s is left when the signal comes", async (_, visit) => {
  const controller = new AbortController();
  site.at("/", (request, response) => {
    visit(request, response);
    setImmediate(() => controller.abort());
  });
  expect(brief(await fetchFrom(site.url("/"), {}, controller.signal))).toContain("(ABORT_ERR)");
});

test("a look-up that never ends is left when the signal comes", async () => {
  const controller = new AbortController();
  const lookUp = () => {
    setImmediate(() => controller.abort());
    return new Promise<readonly string[]>(() => undefined);
  };
  expect(brief(await fetchFrom(site.url("/"), { lookUp }, controller.signal))).toContain(
    "could not be looked up in time",
  );
  expect(brief(await fetchFrom(site.url("/"), { lookUp }, AbortSignal.abort()))).toContain("could not be looked up");
});

test.each([
  [401, "; it requires a sign-in or refuses automated access. Try another source."],
  [404, "; there is no such page. Check the address or search for it."],
  [418, "."],
  [503, "; try again later or use another source."],
  [304, "."],
])("status %i is told with what to do next", async (status, advice) => {
  site.at("/", (_, response) => response.writeHead(status).end());
  expect(brief(await fetchFrom(site.url("/")))).toBe(`http://site.test/ answered with status ${status}${advice}`);
});

test("nothing but the address is told to the site", async () => {
  let headers = {};
  site.at("/", (request, response) => {
    headers = request.headers;
    response.end();
  });
  await fetchFrom(site.url("/"));
  expect(headers).toEqual({
    host: `site.test:${site.port}`,
    connection: "close",
    accept: "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/*;q=0.8, */*;q=0.5",
    "accept-encoding": "gzip, br",
    "user-agent": "kedge",
  });
});
