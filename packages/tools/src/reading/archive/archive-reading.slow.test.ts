// Covers archives as targets of `read`: listings, members with selectors, limits, and names that lead out of them.
import { execFileSync } from "node:child_process";
import { truncateSync } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { hashContent } from "../../file-content.ts";
import { createReadTool, type ReadInput } from "../read.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const tool = createReadTool();
const read = (filePath: string, lines: Omit<ReadInput, "filePath"> = {}) =>
  tool.run({ filePath, ...lines }, workshop.newContext());
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
const rows = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}|line ${first + index}\n`).join("");
const tar = (...parameters: readonly string[]) =>
  execFileSync("tar", [...parameters], { cwd: workshop.directory, stdio: "pipe" });
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

type Member = {
  readonly name: string;
  readonly content?: Buffer | string;
  readonly method?: 0 | 8 | 12;
  readonly flags?: number;
  readonly claimedBytes?: number;
  readonly checksum?: number;
  readonly unixKind?: number;
};

/** A zip archive by hand, so that it can also lie. */
function zip(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = "", method = 8, flags = 0, claimedBytes, checksum, unixKind = 0 } of members) {
    const bytes = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(checksum ?? crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedBytes ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE((unixKind << 28) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), packed]);
    parts.push(local);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), fields, place, Buffer.from(name)]));
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

/** A tar archive of empty files by hand. */
function emptyFilesTar(names: readonly string[]): Buffer {
  const headers = names.map((name) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write("0000644\0", 100);
    header.write("00000000000\0", 124);
    header.write("        0", 148);
    header.write("ustar\x0000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return header;
  });
  return Buffer.concat([...headers, Buffer.alloc(1_024)]);
}

test.each(["a.tar", "a.tar.gz", "a.tgz"])(
  "%s made by tar is listed, and its members are read by lines",
  async (name) => {
    const long = `${"deep/".repeat(30)}${"name".repeat(30)}.txt`;
    workshop.put("src/b.txt", lines(30));
    workshop.put(`src/${long}`, "long\n");
    tar(name.endsWith(".tar") ? "-cf" : "-czf", name, "--sort=name", "src/b.txt", `src/${long}`);
    expect(await read(name)).toEqual({
      output: `1|src/b.txt (231 bytes)\n2|src/${long} (5 bytes)\n(entries 1-2 of 2)`,
      title: name,
      metadata: { firstLine: 1, lastLine: 2, totalLines: 2 },
    });
    expect(await read(`${name}:src/b.txt:10-12`)).toEqual({
      output: `${rows(9, 15)}(lines 9-15 of 30; continue with ${name}:src/b.txt:16)`,
      title: `${name}:src/b.txt`,
      metadata: { firstLine: 9, lastLine: 15, totalLines: 30 },
    });
    expect((await read(`${name}:./src/b.txt`, { offset: 29 })).output).toBe(`${rows(29, 30)}(lines 29-30 of 30)`);
    expect((await read(`${name}:src/${long}:raw`)).output).toBe("long\n");
    expect((await read(`${name}:src/b.txt:2-3`, { limit: 1 })).output).toBe(
      "Select lines either in the path or with offset and limit, not both.",
    );
  },
);

test("extended headers of tar give the names, and a directory in an archive is listed", async () => {
  const long = `sub/${"ä".repeat(120)}.txt`;
  workshop.put(`src/${long}`, "umlaut\n");
  workshop.put("src/c.txt", "");
  tar("--format=pax", "--sort=name", "-C", "src", "-cf", "pax.tar", ".");
  expect((await read("pax.tar")).output).toBe(`1|c.txt (0 bytes)\n2|sub/\n3|${long} (7 bytes)\n(entries 1-3 of 3)`);
  expect((await read("pax.tar:sub/")).output).toBe(`1|${long} (7 bytes)\n(entries 1-1 of 1)`);
  expect((await read(`pax.tar:${long}`)).output).toBe("1|umlaut\n(lines 1-1 of 1)");
});

test("of two members with one name the later counts, and links are not followed", async () => {
  workshop.put("a.txt", "old\n");
  tar("-cf", "a.tar", "a.txt");
  workshop.put("a.txt", "new\n");
  execFileSync("ln", ["-s", "/etc/passwd", "link"], { cwd: workshop.directory });
  tar("-rf", "a.tar", "a.txt", "link");
  expect((await read("a.tar:a.txt")).output).toBe("1|new\n(lines 1-1 of 1)");
  expect(await read("a.tar:link")).toEqual({
    output: `link in ${workshop.at("a.tar")} is a link or special file; extract it with bash.`,
    isError: true,
    title: "a.tar",
  });
});

test("links in a zip archive are not followed, and what came from a pipe is a file", async () => {
  workshop.put(
    "a.zip",
    zip([
      { name: "link", content: "/etc/passwd", unixKind: 0xa },
      { name: "-", content: "piped\n", unixKind: 1 },
    ]),
  );
  expect((await read("a.zip")).output).toBe("1|link (link or special file)\n2|- (6 bytes)\n(entries 1-2 of 2)");
  expect((await read("a.zip:link")).isError).toBe(true);
  expect((await read("a.zip:-")).output).toBe("1|piped\n(lines 1-1 of 1)");
});

test("a listing shows 500 entries and says how to go on", async () => {
  workshop.put("many.tar", emptyFilesTar(Array.from({ length: 700 }, (_, index) => `f${index + 1}`)));
  const shown = (await read("many.tar")).output.split("\n");
  expect(shown.slice(-2)).toEqual(["500|f500 (0 bytes)", "(entries 1-500 of 700; continue with offset 501)"]);
  expect(shown).toHaveLength(501);
  expect((await read("many.tar:699-")).output).toBe(
    "698|f698 (0 bytes)\n699|f699 (0 bytes)\n700|f700 (0 bytes)\n(entries 698-700 of 700)",
  );
  expect((await read("many.tar", { offset: 700 })).output).toBe("700|f700 (0 bytes)\n(entries 700-700 of 700)");
});

test("zip members are read packed and plain, text and picture", async () => {
  workshop.put(
    "a.zip",
    zip([
      { name: "in/", method: 0 },
      { name: "in/a.txt", content: lines(9) },
      { name: "in/plain.txt", content: "plain\n", method: 0 },
      { name: "in/p.png", content: pixel },
      { name: "in/odd:5", content: "odd\n" },
    ]),
  );
  expect((await read("a.zip")).output).toBe(
    `1|in/\n2|in/a.txt (63 bytes)\n3|in/plain.txt (6 bytes)\n4|in/p.png (${pixel.length} bytes)\n5|in/odd:5 (4 bytes)\n(entries 1-5 of 5)`,
  );
  expect((await read("a.zip:in/a.txt:8-")).output).toBe(`${rows(7, 9)}(lines 7-9 of 9)`);
  expect((await read("a.zip:in/plain.txt")).output).toBe("1|plain\n(lines 1-1 of 1)");
  expect((await read("a.zip:in/odd:5")).output).toBe("1|odd\n(lines 1-1 of 1)");
  expect((await read("a.zip:in/p.png")).media).toEqual([
    { name: "p.png", mediaType: "image/png", base64: pixel.toString("base64") },
  ]);
  expect((await read("a.zip:in/b.txt")).output).toContain("Similar names: in/a.txt");
});

test("an archive that was looked into is known by its content, one that could not be read is not", async () => {
  const bytes = zip([{ name: "a.txt", content: "x\n" }]);
  for (const name of ["listed.zip", "member.zip", "refused.zip"]) workshop.put(name, bytes);
  await read("listed.zip");
  await read("member.zip:a.txt");
  await read("refused.zip:none");
  const known = (name: string) => workshop.files.known(workshop.at(name));
  expect([known("listed.zip"), known("member.zip"), known("refused.zip")]).toEqual([
    hashContent(bytes),
    hashContent(bytes),
    undefined,
  ]);
});

test("names that lead out of an archive are neither listed nor read", async () => {
  workshop.put("a.zip", zip([{ name: "../up", content: "x" }, { name: "/abs", content: "x" }, { name: "ok" }]));
  workshop.put("a.tar", emptyFilesTar(["../up", "/abs", "a/../../b", "ok"]));
  expect((await read("a.zip")).output).toBe(
    "1|ok (0 bytes)\n(entries 1-1 of 1)\n(2 more under names that point outside the archive)",
  );
  expect((await read("a.tar")).output).toBe(
    "1|ok (0 bytes)\n(entries 1-1 of 1)\n(3 more under names that point outside the archive)",
  );
  workshop.put("ok.txt", "beside the archive");
  for (const name of ["../up", "/abs", "in/../../ok.txt", "in/../ok.txt"])
    expect(await read(`a.zip:${name}`)).toEqual({
      output: `${name} is not a path inside an archive: it must not be absolute or contain "..".`,
      isError: true,
      title: "a.zip",
    });
});

test("what expands more than a hundredfold is stopped, whatever it says of its size", async () => {
  const zeros = Buffer.alloc(8 * 1_024 * 1_024);
  workshop.put("bomb.zip", zip([{ name: "b", content: zeros, claimedBytes: 10 }]));
  workshop.put("src/b", zeros);
  tar("-czf", "real.tgz", "src/b");
  const stopped = "It expands to more than 100 times its size, so reading was stopped.";
  for (const target of ["bomb.zip:b", "real.tgz", "real.tgz:src/b"]) {
    const { output, isError } = await read(target);
    expect({ target, output, isError }).toEqual({
      target,
      output: `${workshop.at(target.split(":")[0] ?? "")} cannot be read: ${stopped}`,
      isError: true,
    });
  }
  // A short text of one word is no bomb.
  workshop.put("small.zip", zip([{ name: "b", content: "word\n".repeat(20_000) }]));
  expect((await read("small.zip:b:20000")).output).toBe("19999|word\n20000|word\n(lines 19999-20000 of 20000)");
});

test("archives and members over the limits are refused", async () => {
  workshop.put("large.zip", zip([{ name: "b", content: "x", claimedBytes: 65 * 1_024 * 1_024 }]));
  expect((await read("large.zip:b")).output).toBe(
    `b in ${workshop.at("large.zip")} has 65.0 MB; at most 64.0 MB can be read, so extract it with bash.`,
  );
  truncateSync(workshop.put("huge.tar", emptyFilesTar(["a"])), 256 * 1_024 * 1_024 + 1);
  expect((await read("huge.tar")).output).toContain("It is larger than 256 MB");
});

test("damaged, encrypted and unknown content is told, and binary members are not shown", async () => {
  const whole = zip([{ name: "b", content: "x" }]);
  workshop.put("cut.zip", whole.subarray(0, whole.length - 10));
  workshop.put("sum.zip", zip([{ name: "b", content: "x", checksum: 1 }]));
  workshop.put("secret.zip", zip([{ name: "b", content: "x", flags: 1 }]));
  workshop.put("odd.zip", zip([{ name: "b", content: "x", method: 12 }]));
  workshop.put("binary.zip", zip([{ name: "b", content: Buffer.from("\x7fELF\0\0") }]));
  workshop.put("src/b", Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7_919) % 251)));
  tar("-czf", "cut.tgz", "src/b");
  truncateSync(workshop.at("cut.tgz"), 100);
  const said = async (target: string) => (await read(target)).output.replace(workshop.directory, "");
  expect(await said("cut.zip")).toBe("/cut.zip cannot be read: It is damaged: its list of entries is missing.");
  expect(await said("sum.zip:b")).toBe("/sum.zip cannot be read: b is damaged.");
  expect(await said("secret.zip:b")).toBe("/secret.zip cannot be read: b is encrypted.");
  expect(await said("odd.zip:b")).toContain("only unzip knows");
  expect(await said("binary.zip:b")).toBe(
    "/binary.zip:b cannot be shown: ELF program or library, 6 bytes. Extract it with bash.",
  );
  expect(await said("cut.tgz")).toBe("/cut.tgz cannot be read: It is damaged (Z_BUF_ERROR).");
});

test("a name alone makes no archive, and a missing one is said to be missing", async () => {
  workshop.put("text.zip", lines(3));
  expect((await read("text.zip:2-2")).output).toBe(`${rows(1, 3)}(lines 1-3 of 3)`);
  expect(await read("text.zip:inner")).toEqual({
    output: `${workshop.at("text.zip")} is not a valid zip archive, despite its name; read it alone.`,
    isError: true,
    title: "text.zip",
  });
  expect((await read("none.zip:inner")).output).toContain(`${workshop.at("none.zip")} does not exist.`);
});

test("an interruption ends the reading", async () => {
  workshop.put("a.tar", emptyFilesTar(["a"]));
  const { output } = await tool.run({ filePath: "a.tar" }, workshop.newContext(AbortSignal.abort()));
  expect(output).toContain("Reading was interrupted.");
});

test("a member needs its archive, and is known by its own name", () => {
  const [need] = tool.needs({ filePath: "a.tar.gz:.env:1-5" }, "/w");
  expect(need?.patterns).toEqual([
    "a.tar.gz:.env:1-5",
    "a.tar.gz:.env",
    "a.tar.gz",
    "a.tar.gz/.env:1-5",
    ".env:1-5",
    "a.tar.gz/.env",
    ".env",
  ]);
});
