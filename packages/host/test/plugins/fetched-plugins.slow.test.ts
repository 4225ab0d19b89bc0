/** Proves that packages and archives are taken from a server as they were pinned, and that nothing in them leads elsewhere. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { create, Header } from "tar";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPluginBed, type PluginBed, pluginAt } from "./plugin-bed.ts";

let bed: PluginBed;
let server: Server;
let address = "";
/** What the server answers, by path. */
const answers = new Map<string, Buffer | string | { readonly location: string }>();

beforeEach(async () => {
  bed = openPluginBed();
  answers.clear();
  server = createServer((request, response) => {
    const answer = answers.get(decodeURIComponent(request.url ?? ""));
    if (answer === undefined) response.writeHead(404).end("{}");
    else if (typeof answer === "object" && "location" in answer) response.writeHead(302, answer).end();
    else response.end(answer);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  bed.close();
  await new Promise((done) => server.close(done));
});

/** `folder` lies in the directory of the bed and holds what is packed. */
async function pack(folder: string, names: readonly string[]): Promise<Buffer> {
  const file = join(bed.directory, "packed.tgz");
  await create({ file, gzip: true, cwd: join(bed.directory, folder) }, [...names]);
  return readFileSync(file);
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** A tarball of entries that no honest program writes. */
function tarOf(
  entries: readonly {
    readonly path: string;
    readonly type?: "File" | "SymbolicLink" | "Link";
    readonly linkpath?: string;
    readonly text?: string;
  }[],
): Buffer {
  const blocks = entries.flatMap(({ path, type = "File", linkpath, text = "" }) => {
    const content = Buffer.from(text);
    const header = new Header({
      path,
      type,
      mode: 0o644,
      size: content.length,
      ...(linkpath !== undefined && { linkpath }),
    });
    header.encode();
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    return [header.block ?? Buffer.alloc(0), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

test("an archive is taken only with its hash", async () => {
  bed.put(pluginAt("box/tea", "tea"));
  const bytes = await pack("box", ["tea"]);
  answers.set("/tea.tgz", bytes);
  answers.set("/moved.tgz", { location: "/tea.tgz" });
  expect((await bed.run(`add ${address}/tea.tgz`)).text).toBe(
    "an archive needs its SHA-256, as 64 hexadecimal digits.",
  );
  const wrong = await bed.run(`add ${address}/tea.tgz#sha256=${"0".repeat(64)}`);
  expect(wrong.text).toContain(`its SHA-256 is ${sha256(bytes)}, not 000`);
  expect((await bed.run(`add ${address}/moved.tgz#sha256=${sha256(bytes)}`)).end).toBe("done");
  expect(bed.lock().plugins[0]).toMatchObject({ name: "tea", source: { kind: "archive", sha256: sha256(bytes) } });
});

test.each([
  ["a path upwards", [{ path: "tea/../../canary", text: "x" }], /points outside/],
  ["an absolute path", [{ path: "/tmp/kedge-canary", text: "x" }], /points outside/],
  ["a hard link", [{ path: "tea/x", type: "Link", linkpath: "/etc/hosts" }], /unsupported type Link/],
  [
    "a file written through a link",
    [
      { path: "tea/out", type: "SymbolicLink", linkpath: "../../.." },
      { path: "tea/out/canary", text: "x" },
    ],
    /cannot be unpacked|points outside/,
  ],
  [
    "a link that leads out",
    [{ path: "tea/out.md", type: "SymbolicLink", linkpath: "/etc/hosts" }],
    /cannot be unpacked|points outside/,
  ],
] as const)("an archive with %s is refused", async (_, entries, why) => {
  const manifest = { path: "tea/.claude-plugin/plugin.json", text: '{"name":"tea"}' };
  const bytes = tarOf([manifest, { path: "tea/skills/a/SKILL.md", text: "A." }, ...entries]);
  answers.set("/tea.tar", bytes);
  const answer = await bed.run(`add ${address}/tea.tar#sha256=${sha256(bytes)}`);
  expect([answer.end, answer.text]).toEqual(["failed", expect.stringMatching(why)]);
  expect([existsSync(join(bed.home, "canary")), existsSync("/tmp/kedge-canary")]).toEqual([false, false]);
  expect(existsSync(join(bed.home, "plugins/canary"))).toBe(false);
});

test("only an address of this machine leads to this machine, and none is asked without https", async () => {
  expect((await bed.run(`add http://elsewhere.invalid/x.tgz#sha256=${"0".repeat(64)}`)).text).toMatch(
    /is not an https URL/,
  );
  const metadata = await bed.run(`add https://169.254.169.254/x.tgz#sha256=${"0".repeat(64)}`);
  expect(metadata.text).toMatch(/is not allowed/);
  answers.set("/away.tgz", { location: "http://169.254.169.254/x" });
  expect((await bed.run(`add ${address}/away.tgz#sha256=${"0".repeat(64)}`)).text).toMatch(/is not allowed/);
});

test("a package comes from the registry of npm's configuration, compared with what it states", async () => {
  bed.put({
    ...pluginAt("box/package", "tea"),
    "box/package/package.json": {
      name: "@team/tea",
      version: "1.2.0",
      scripts: { postinstall: "touch canary", prepack: "touch canary" },
    },
  });
  const bytes = await pack("box", ["package"]);
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const listing = (stated: string) =>
    JSON.stringify({
      name: "@team/tea",
      "dist-tags": { latest: "1.2.0" },
      versions: {
        "1.2.0": { name: "@team/tea", version: "1.2.0", dist: { tarball: `${address}/tea.tgz`, integrity: stated } },
      },
    });
  answers.set("/tea.tgz", bytes);
  answers.set("/@team/tea", listing(`sha512-${Buffer.alloc(64).toString("base64")}`));
  bed.put({ ".npmrc": `registry=${address}/\nfetch-retries=0\n` });
  const damaged = await bed.run("add npm:@team/tea");
  expect([damaged.end, damaged.text]).toEqual(["failed", expect.stringMatching(/integrity|EINTEGRITY/i)]);
  answers.set("/@team/tea", listing(integrity));
  const answer = await bed.run("add npm:@team/tea@^1.0.0");
  expect([answer.text, answer.end]).toEqual(["Installed tea 1.0.0. It takes effect in new sessions.", "done"]);
  expect(bed.lock().plugins[0]).toMatchObject({
    name: "tea",
    integrity,
    source: { kind: "npm", package: "@team/tea", version: "^1.0.0" },
  });
  expect(existsSync(join(bed.directory, "canary"))).toBe(false);
});

test.each([
  "npm:../tea",
  "npm:tea@file:./x",
  "npm:--global",
  "ext::sh -c x",
  "git://host/x",
  "https://host/x#--upload-pack=x",
  "-x/y",
])("%s is not a source", async (text) => {
  // Nothing listens there, should it be asked all the same.
  bed.put({ ".npmrc": "registry=http://127.0.0.1:9/\nfetch-retries=0\n" });
  const answer = await bed.run(`add ${text.replaceAll(" ", "%20")}`);
  expect(answer.end).toBe("failed");
  expect(bed.lock().plugins).toEqual([]);
});
