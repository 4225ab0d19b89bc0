/** Proves that plugins may come as zip archives, from an address or from a file, and that no entry leads elsewhere. */
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPluginBed, type PluginBed } from "./plugin-bed.ts";

let bed: PluginBed;
beforeEach(() => {
  bed = openPluginBed();
});
afterEach(() => bed.close());

type Entry = { readonly name: string; readonly text: string; readonly mode?: number };

/** Unpacked, as the format allows; `mode` is that of Unix. */
function zipOf(entries: readonly Entry[]): Buffer {
  const bodies: Buffer[] = [];
  const rows: Buffer[] = [];
  let offset = 0;
  for (const { name, text, mode = 0o100644 } of entries) {
    const [title, content] = [Buffer.from(name), Buffer.from(text)];
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    for (const [at, value] of [
      [14, crc32(content)],
      [18, content.length],
      [22, content.length],
    ] as const)
      local.writeUInt32LE(value, at);
    local.writeUInt16LE(title.length, 26);
    const row = Buffer.alloc(46);
    row.writeUInt32LE(0x02014b50, 0);
    for (const [at, value] of [
      [16, crc32(content)],
      [20, content.length],
      [24, content.length],
      [38, (mode << 16) >>> 0],
      [42, offset],
    ] as const)
      row.writeUInt32LE(value, at);
    row.writeUInt16LE(title.length, 28);
    bodies.push(local, title, content);
    rows.push(row, title);
    offset += local.length + title.length + content.length;
  }
  const directory = Buffer.concat(rows);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, directory, end]);
}

const honest: readonly Entry[] = [
  { name: "tea/.claude-plugin/plugin.json", text: '{"name":"tea"}' },
  { name: "tea/skills/brew/SKILL.md", text: "---\nname: brew\ndescription: Brew.\n---\nBrew.\n" },
  { name: "tea/bin/kettle", text: "#!/bin/sh\necho hot\n", mode: 0o100755 },
];

test("a zip archive on disk is installed, and programs stay executable", async () => {
  writeFileSync(join(bed.directory, "tea.zip"), zipOf(honest));
  const answer = await bed.run(`add ${join(bed.directory, "tea.zip")}`);
  expect([answer.end, bed.lock().plugins[0]?.name]).toEqual(["done", "tea"]);
  const { hash = "" } = bed.lock().plugins[0] ?? {};
  const root = join(bed.home, "plugins/store", hash);
  expect(statSync(join(root, "bin/kettle")).mode & 0o100).toBe(0o100);
  expect(statSync(join(root, "skills/brew/SKILL.md")).mode & 0o111).toBe(0);
});

test.each([
  ["a path upwards", [{ name: "../canary", text: "x" }], /points outside/],
  ["an absolute path", [{ name: "/tmp/kedge-canary", text: "x" }], /points outside/],
  ["a link", [{ name: "tea/out", text: "/etc", mode: 0o120777 }], /is a link/],
  ["the same file twice", [{ name: "tea/skills/brew/SKILL.md", text: "x" }], /cannot be unpacked/],
] as const)("a zip archive with %s is refused", async (_, entries, why) => {
  writeFileSync(join(bed.directory, "tea.zip"), zipOf([...honest, ...entries]));
  const answer = await bed.run(`add ${join(bed.directory, "tea.zip")}`);
  expect([answer.end, answer.text]).toEqual(["failed", expect.stringMatching(why)]);
  expect([existsSync(join(bed.directory, "canary")), existsSync("/tmp/kedge-canary")]).toEqual([false, false]);
});

test("what only looks like an archive is refused in a sentence", async () => {
  writeFileSync(join(bed.directory, "tea.zip"), "PK but nothing else");
  expect((await bed.run(`add ${join(bed.directory, "tea.zip")}`)).text).toMatch(/cannot be unpacked \(It is damaged/);
  writeFileSync(join(bed.directory, "tea.txt"), "hello");
  expect((await bed.run(`add ${join(bed.directory, "tea.txt")}`)).text).toMatch(/cannot be unpacked/);
});
