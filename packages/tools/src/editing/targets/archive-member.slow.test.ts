// Covers writes to members of archives; what comes out is checked by the programs that people use for it.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { hashContent } from "../../file-content.ts";
import { createWriteTool } from "../write.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

/** 14 February 2031, 12:34:56 UTC. */
const now = Date.UTC(2031, 1, 14, 12, 34, 56);
const tool = createWriteTool({ wallClockMs: () => now });
const write = (filePath: string, content: string) => tool.run({ filePath, content }, workshop.newContext());
const validate = (filePath: string, content = "x") => tool.validate?.({ filePath, content }, workshop.newContext());
const shell = (program: string, ...parameters: readonly string[]) =>
  execFileSync(program, parameters, { cwd: workshop.directory, stdio: "pipe", env: { ...process.env, TZ: "UTC" } });
const bytes = (name: string) => readFileSync(workshop.at(name));
/** As a read leaves it. */
const know = (name: string) => workshop.files.remember(workshop.at(name), hashContent(bytes(name)));
const python = (code: string) => JSON.parse(shell("python3", "-c", code).toString());

/** Name, mode, time, comment and text of all members, by Python. */
const zipMembers = (name: string) =>
  python(`
import json, zipfile
with zipfile.ZipFile("${name}") as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, oct(i.external_attr >> 16), list(i.date_time), i.comment.decode(), z.read(i).decode("latin1")] for i in z.infolist()]))`);
const tarMembers = (name: string) =>
  python(`
import json, tarfile
with tarfile.open("${name}") as t:
    print(json.dumps([[m.name, m.type.decode(), oct(m.mode), m.mtime, m.uname, t.extractfile(m).read().decode("latin1") if m.isfile() else m.linkname] for m in t.getmembers()]))`);

const makeZip = () =>
  python(`
import json, zipfile
with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.comment = b"the archive"
    for name, mode, text in [("bin/", 0o40755, ""), ("bin/run.sh", 0o100755, "#!/bin/sh\\n"), ("b.txt", 0o100640, "old\\r\\nlines\\r\\n" * 50), ("c.bin", 0o100644, "\\0\\1" * 999)]:
        info = zipfile.ZipInfo(name, (2001, 2, 3, 4, 5, 6))
        info.external_attr = mode << 16
        info.create_system = 3
        info.comment = name.encode()
        info.compress_type = zipfile.ZIP_DEFLATED
        z.writestr(info, text)
print("0")`);

test.each(["a.zip", "deep/er/a.tar", "a.tar.gz", "a.tgz"])("%s is rebuilt, with its directories", async (name) => {
  const result = await write(`${name}:./in//plain.txt`, "one\ntwo\n");
  expect(result).toEqual({
    output: `Created ${name}:in/plain.txt (+2 -0 lines).`,
    title: `${name}:in/plain.txt`,
    metadata: {
      diff: `--- /dev/null\n+++ b/${name}:in/plain.txt\n@@ -0,0 +1,2 @@\n+one\n+two`,
      additions: 2,
      deletions: 0,
      op: "create",
      firstChangedLine: 1,
    },
  });
  // Its own writes count as known.
  expect((await write(`${name}:go`, "#!/bin/sh\necho ä\n")).output).toBe(
    `Created ${name}:go (+2 -0 lines). It starts with #!, so it was made executable.`,
  );
  expect((await write(`${name}:empty`, "")).isError).toBeUndefined();
  mkdirSync(workshop.at("out"));
  if (name.endsWith(".zip")) shell("unzip", "-q", name, "-d", "out");
  else shell("tar", "-xf", name, "-C", "out");
  expect(["in/plain.txt", "go", "empty"].map((member) => workshop.text(`out/${member}`))).toEqual([
    "one\ntwo\n",
    "#!/bin/sh\necho ä\n",
    "",
  ]);
  const stats = ["in/plain.txt", "go"].map((member) => statSync(workshop.at(`out/${member}`)));
  expect(stats.map(({ mode, mtimeMs }) => [mode & 0o111, mtimeMs])).toEqual([
    [0, now],
    [0o111, now],
  ]);
});

test("a member of a zip archive is replaced, and the bytes of all others stay", async () => {
  makeZip();
  chmodSync(workshop.at("a.zip"), 0o640);
  const before = zipMembers("a.zip");
  const old = bytes("a.zip");
  know("a.zip");
  const result = await write("a.zip:b.txt", "new\nä\n");
  expect(result.output).toBe("Changed a.zip:b.txt (+2 -100 lines).");
  const text = Buffer.from("new\r\nä\r\n").toString("latin1");
  expect(zipMembers("a.zip")).toEqual([
    ...before.slice(0, 2),
    ["b.txt", "0o100640", [2031, 2, 14, 12, 34, 56], "b.txt", text],
    before[3],
  ]);
  expect(bytes("a.zip").toString("latin1").endsWith("the archive")).toBe(true);
  const packed = old.subarray(old.indexOf("c.bin"), old.indexOf(Buffer.from("PK\x01\x02")));
  expect(bytes("a.zip").includes(packed)).toBe(true);
  expect(statSync(workshop.at("a.zip")).mode & 0o777).toBe(0o640);
  expect(shell("unzip", "-t", "a.zip").toString()).toContain("No errors detected");

  expect((await write("a.zip:new/ü.txt", "x".repeat(5_000))).isError).toBeUndefined();
  expect(zipMembers("a.zip").map(([name]: readonly string[]) => name)).toEqual([
    "bin/",
    "bin/run.sh",
    "b.txt",
    "c.bin",
    "new/ü.txt",
  ]);
});

test.each(["gnu", "pax", "ustar"])("a member of a tar archive in the %s format is replaced", async (format) => {
  const long = `${"deep/".repeat(10)}${"n".repeat(90)}.txt`;
  workshop.put("b.txt", "old\n");
  workshop.put(long, "long\n");
  workshop.put("c.bin", Buffer.from([0, 1, 2, 3]));
  symlinkSync("b.txt", workshop.at("link"));
  chmodSync(workshop.at("b.txt"), 0o751);
  shell("tar", `--format=${format}`, "--mtime=2001-02-03", "-cf", "a.tar", long, "b.txt", "link", "c.bin");
  const before = tarMembers("a.tar");
  know("a.tar");
  await write("a.tar:b.txt", "new\n".repeat(200));
  await write(`a.tar:${long}`, "longer\n");
  const seconds = now / 1_000;
  expect(tarMembers("a.tar")).toEqual([
    [long, "0", before[0][2], seconds, before[0][4], "longer\n"],
    ["b.txt", "0", "0o751", seconds, before[1][4], "new\n".repeat(200)],
    before[2],
    before[3],
  ]);
  expect(bytes("a.tar").length % 10_240).toBe(0);
  expect(shell("tar", "-tf", "a.tar").toString().split("\n")).toEqual([long, "b.txt", "link", "c.bin", ""]);
});

test("names that no header holds are written in full", async () => {
  const names = [`${"p".repeat(150)}/${"n".repeat(99)}`, "x".repeat(180), `${"ä".repeat(120)}/${"ö".repeat(60)}.txt`];
  for (const name of names) expect((await write(`a.tar.gz:${name}`, "text\n")).isError).toBeUndefined();
  expect(tarMembers("a.tar.gz").map(([name]: readonly string[]) => name)).toEqual(names);
  const list = shell("tar", "--quoting-style=literal", "-tzf", "a.tar.gz").toString();
  expect(list).toBe(`${names.join("\n")}\n`);
  await write(`a.tar.gz:${names[1]}`, "again\n");
  expect(tarMembers("a.tar.gz").map((member: readonly string[]) => member[5])).toEqual(["text\n", "again\n", "text\n"]);
});

test("of two members with one name the later is replaced", async () => {
  workshop.put("b.txt", "first\n");
  shell("tar", "-cf", "a.tar", "b.txt");
  workshop.put("b.txt", "second\n");
  shell("tar", "-rf", "a.tar", "b.txt");
  know("a.tar");
  await write("a.tar:b.txt", "third\n");
  expect(tarMembers("a.tar").map((member: readonly string[]) => member[5])).toEqual(["first\n", "third\n"]);
});

test("what stands behind the end of a tar archive stays there", async () => {
  workshop.put("b.txt", "b\n");
  shell("tar", "-cf", "one.tar", "b.txt");
  workshop.put("a.tar", Buffer.concat([bytes("one.tar"), Buffer.from("more")]));
  know("a.tar");
  await write("a.tar:c.txt", "c\n");
  expect(bytes("a.tar").toString("latin1").endsWith("\0more")).toBe(true);
  expect(shell("tar", "-tf", "a.tar").toString()).toBe("b.txt\nc.txt\n");
});

test("an archive that was not read, or changed since, is not touched", async () => {
  makeZip();
  expect(await validate("a.zip:b.txt")).toBe("a.zip exists but has not been read in this session; read it first.");
  know("a.zip");
  expect(await validate("a.zip:b.txt")).toBeUndefined();
  shell("zip", "-q", "-d", "a.zip", "c.bin");
  const present = bytes("a.zip");
  expect(await write("a.zip:b.txt", "x")).toEqual({
    output: "a.zip has changed since it was last read; read it again first.",
    isError: true,
    title: "a.zip:b.txt",
  });
  expect(bytes("a.zip").equals(present)).toBe(true);
});

test("two writes at once both arrive", async () => {
  await write("a.zip:a", "a\n");
  const results = await Promise.all([write("a.zip:b", "b\n"), write("a.zip:c", "c\n"), write("a.zip:a", "A\n")]);
  expect(results.map(({ isError }) => isError)).toEqual([undefined, undefined, undefined]);
  expect(zipMembers("a.zip").map((member: readonly unknown[]) => [member[0], member[4]])).toEqual([
    ["a", "A\n"],
    ["b", "b\n"],
    ["c", "c\n"],
  ]);
});

test.each([
  ["a.zip:../up", 'is not a path inside an archive: it must not be empty, absolute or contain "..".'],
  ["a.zip:in/../../up", 'is not a path inside an archive: it must not be empty, absolute or contain "..".'],
  ["a.zip:/abs", 'is not a path inside an archive: it must not be empty, absolute or contain "..".'],
  ["a.zip:", 'is not a path inside an archive: it must not be empty, absolute or contain "..".'],
  ["a.zip:dir/", "dir/ names a directory; write to a file in it."],
  ["a.zip:bin", "a.zip cannot be changed: bin is a directory in it; choose another name."],
  ["a.zip:b.txt/more", "a.zip cannot be changed: b.txt is not a directory in it; choose another name."],
  ["a.zip:c.bin", "a.zip cannot be changed: c.bin in it is not UTF-8 text; use bash."],
  ["text.zip:a", "text.zip is not a valid zip archive, despite its name."],
  ["dir.tar:a", "dir.tar is a directory."],
])("%s is refused", async (filePath, problem) => {
  makeZip();
  know("a.zip");
  workshop.put("text.zip", "text");
  mkdirSync(workshop.at("dir.tar"));
  const present = bytes("a.zip");
  expect(await validate(filePath)).toContain(problem);
  expect((await write(filePath, "x")).isError).toBe(true);
  expect(bytes("a.zip").equals(present)).toBe(true);
});

test("damage, encryption, size and links out of the workspace are refused", async () => {
  makeZip();
  const whole = bytes("a.zip");
  workshop.put("half.zip", whole.subarray(0, whole.length / 2));
  know("half.zip");
  expect(await validate("half.zip:b.txt")).toBe(
    "half.zip cannot be changed: It is damaged: its list of entries is missing.",
  );
  workshop.put("behind.zip", Buffer.concat([Buffer.from(whole), Buffer.from("tail")]));
  know("behind.zip");
  expect((await write("behind.zip:b.txt", "x")).isError).toBe(true);
  shell("zip", "-q", "-P", "word", "secret.zip", "a.zip");
  know("secret.zip");
  expect(await validate("secret.zip:a.zip")).toBe("secret.zip cannot be changed: a.zip is encrypted.");
  expect(await validate("new.zip:a", "x".repeat(5 * 1_024 * 1_024 + 1))).toContain("The content is larger than");
  symlinkSync("/tmp", workshop.at("away"));
  expect(await validate("away/a.zip:a")).toContain("leads through a symbolic link out of the working directory");
  workshop.put("broken.tgz", Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from("nonsense")]));
  know("broken.tgz");
  expect(await validate("broken.tgz:a")).toContain("It is damaged (Z_");
});

test("an archive of more than 256 MB is left alone", async () => {
  makeZip();
  truncateSync(workshop.at("a.zip"), 256 * 1_024 * 1_024 + 1);
  expect(await validate("a.zip:b.txt")).toBe("a.zip cannot be changed: It is larger than 256 MB; use bash.");
});

test("a zip archive that was written to a pipe, and one in another order than its list, stay whole", async () => {
  makeZip();
  for (const name of ["one", "two", "three"]) workshop.put(name, `${name}\n`.repeat(99));
  shell("bash", "-c", "zip -q - one two three | cat > piped.zip");
  know("piped.zip");
  await write("piped.zip:two", "2\n");
  const contents = (name: string) => zipMembers(name).map((member: readonly unknown[]) => [member[0], member[4]]);
  expect(contents("piped.zip")).toEqual([
    ["one", "one\n".repeat(99)],
    ["two", "2\n"],
    ["three", "three\n".repeat(99)],
  ]);
  python(`
import json, zipfile
with zipfile.ZipFile("order.zip", "w") as z:
    for name in ["one", "two", "three"]: z.write(name)
    z.filelist.reverse()
print("0")`);
  know("order.zip");
  await write("order.zip:one", "1\n");
  expect(contents("order.zip")).toEqual([
    ["three", "three\n".repeat(99)],
    ["two", "two\n".repeat(99)],
    ["one", "1\n"],
  ]);
});

test("a person sees the change of the member, and rules for the archive hold for it", async () => {
  makeZip();
  know("a.zip");
  await write("a.zip:d.txt", "one\ntwo\n");
  expect(await tool.preview?.({ filePath: "a.zip:d.txt", content: "one\nthree\n" }, workshop.newContext())).toBe(
    "--- a/a.zip:d.txt\n+++ b/a.zip:d.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three",
  );
  expect(tool.needs({ filePath: "a.zip:in/.env", content: "x" }, "/w")).toEqual([
    {
      permission: "edit",
      patterns: ["a.zip:in/.env", "a.zip"],
      always: ["a.zip:in/.env", "a.zip"],
      access: "write",
      paths: ["/w/a.zip:in/.env", "/w/a.zip", "/w/a.zip/in/.env"],
    },
  ]);
});

test("an interrupted write leaves the archive as it is", async () => {
  await write("a.tgz:a", "a\n");
  const present = bytes("a.tgz");
  const context = workshop.newContext(AbortSignal.abort());
  expect((await tool.run({ filePath: "a.tgz:a", content: "b\n" }, context)).output).toBe(
    "Interrupted before anything was written.",
  );
  expect(gunzipSync(bytes("a.tgz")).equals(gunzipSync(present))).toBe(true);
});
