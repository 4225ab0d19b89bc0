/** Breaks settings files of every layer in every way: what is denied stays denied, nothing is allowed, and one sentence names the file. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { openWorkbench } from "../workbench.ts";

const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const kinds: { readonly [kind: string]: (path: string) => void } = {
  "no JSON": (path) => writeFileSync(path, "{ this is no JSON"),
  "cut off": (path) => writeFileSync(path, '{"permission":{"bash":{"npm test":"allow","rm *":"de'),
  empty: (path) => writeFileSync(path, ""),
  "a list": (path) => writeFileSync(path, "[]"),
  "a number": (path) => writeFileSync(path, "17"),
  null: (path) => writeFileSync(path, "null"),
  "wrong type": (path) => writeFileSync(path, '{"permission":{"bash":{"rm *":17}},"permissions":{"deny":{"a":1}}}'),
  "unknown action": (path) =>
    writeFileSync(path, '{"permission":{"bash":{"rm *":"denyy"}},"permissions":{"deny":"Bash(rm *)"}}'),
  "UTF-16": (path) => writeFileSync(path, Buffer.from('\ufeff{"permission":{"bash":{"rm *":"deny"}}}', "utf16le")),
  "not UTF-8": (path) => writeFileSync(path, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  "NUL bytes": (path) => writeFileSync(path, "\0".repeat(300)),
  "200 MB": (path) => {
    writeFileSync(path, "{");
    truncateSync(path, 200_000_000);
  },
  deep: (path) => writeFileSync(path, deep(100_000)),
  "deep permission": (path) => writeFileSync(path, `{"permission":${deep(5_000)}}`),
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
  "a directory": (path) => mkdirSync(path),
  "a loop of links": (path) => symlinkSync(path, path),
  "a dead link": (path) => symlinkSync("/nowhere/at/all", path),
  "a device": (path) => symlinkSync("/dev/zero", path),
  "a terminal": (path) => symlinkSync("/dev/tty", path),
  "a random device": (path) => symlinkSync("/dev/urandom", path),
  proc: (path) => symlinkSync("/proc/self/mem", path),
  "duplicate keys": (path) => writeFileSync(path, '{"permission":{"bash":{"rm *":"deny"}},"permission":17}'),
};

type Layer = {
  readonly path: string;
  readonly own: boolean;
  readonly argv?: readonly string[];
  readonly environment?: string;
};
const layers: readonly Layer[] = [
  { path: "home/config.json", own: true },
  { path: "home/config.yml", own: true },
  { path: "extra.json", own: true, argv: ["--settings", "../extra.json"] },
  { path: "variable.json", own: true, environment: "../variable.json" },
  { path: "project/kedge.json", own: false },
  { path: "project/kedge.yaml", own: false },
  { path: "project/.kedge/config.json", own: false },
  { path: "project/.kedge/config.local.json", own: false },
  { path: "project/.claude/settings.json", own: false },
  { path: "project/.claude/settings.local.json", own: false },
  { path: "project/opencode.json", own: false },
  { path: "project/.opencode/opencode.json", own: false },
  { path: ".claude/settings.json", own: false },
  { path: ".config/opencode/opencode.json", own: false },
];

/** Each start of the program takes its time, so a usual run breaks each layer in every fourth way, the next one in the ways after. */
const shareOfKinds = rounds({ usual: 4, long: 1 });

for (const [place, layer] of layers.entries())
  test(`a broken ${layer.path} loses no denial and allows nothing`, async () => {
    const bench = await openWorkbench([]);
    const wrong: string[] = [];
    try {
      const path = join(bench.directory, layer.path);
      mkdirSync(dirname(path), { recursive: true });
      const first = layer.path.startsWith("home/");
      const ways = Object.entries(kinds).filter((_, index) => (index + place) % shareOfKinds === 0);
      for (const [kind, make] of ways) {
        if (layer.path.endsWith("ml") && ["empty", "null", "duplicate keys"].includes(kind)) continue;
        rmSync(path, { recursive: true, force: true });
        if (layer.path === "home/config.yml") rmSync(join(bench.home, "config.json"), { force: true });
        try {
          make(path);
        } catch (error) {
          wrong.push(`${kind}: not made: ${String(error)}`);
          continue;
        }
        const argv = ["explain", "permission", "bash", "make thing", "--allow", "bash(make thing)"];
        const options = { environment: layer.environment === undefined ? {} : { KEDGE_CONFIG: layer.environment } };
        const extra = layer.argv ?? [];
        const asked =
          layer.argv === undefined ? await bench.run(argv, options) : await bench.run(["-p", "go", ...extra], options);
        const text = `${asked.stdout}\n${asked.stderr}`;
        const name = layer.path.split("/").at(-1) ?? "";
        const lines = asked.stderr.trim().split("\n").length;
        const harmless = ["empty", "null", "duplicate keys"].includes(kind);
        if (layer.own || first) {
          if (asked.code === 0 && !harmless) wrong.push(`${kind}: went on: ${text.slice(0, 200)}`);
          else if (asked.code !== 0 && (!text.includes(name) || lines > 3))
            wrong.push(`${kind}: told as ${text.slice(0, 300)}`);
        } else {
          if (asked.stdout.startsWith("allow") && !harmless) wrong.push(`${kind}: allowed: ${text.slice(0, 300)}`);
          if (!harmless && !text.includes(name)) wrong.push(`${kind}: not named: ${text.slice(0, 300)}`);
        }
      }
      expect(wrong).toEqual([]);
    } finally {
      await bench.close();
    }
  }, 120_000);

test("a byte order mark is no harm, and a socket is refused", async () => {
  const bench = await openWorkbench([]);
  const path = join(bench.project, "kedge.json");
  try {
    writeFileSync(path, '\ufeff{"permission":{"bash":{"make thing":"deny"}}}');
    const marked = await bench.run(["explain", "permission", "bash", "make thing", "--allow", "bash(make thing)"]);
    expect(marked.stdout, marked.stderr).toMatch(/^deny/);
    rmSync(path);
    const server = createServer().listen(path);
    await new Promise((resolve) => server.on("listening", resolve));
    const socket = await bench.run(["explain", "permission", "bash", "make thing", "--allow", "bash(make thing)"]);
    server.close();
    expect(socket.stdout, socket.stderr).not.toMatch(/^allow/);
  } finally {
    await bench.close();
  }
});

test("a broken file that was set aside is back when it changes", async () => {
  const bench = await openWorkbench([]);
  const ask = async () =>
    (await bench.run(["explain", "permission", "bash", "make thing", "--allow", "bash(make thing)"])).stdout.split(
      ":",
    )[0];
  try {
    const path = join(bench.project, "kedge.json");
    writeFileSync(path, "{ broken");
    expect(await ask()).not.toBe("allow");
    const aside = await bench.run(["config", "set-aside", "kedge.json"]);
    expect(aside.code, aside.stderr).toBe(0);
    expect(await ask()).toBe("allow");
    writeFileSync(path, "{ broken again");
    expect(await ask()).not.toBe("allow");
    const own = join(bench.home, "config.json");
    writeFileSync(own, "{ broken");
    expect((await bench.run(["explain", "permission", "bash", "ls"])).code).not.toBe(0);
    expect((await bench.run(["config", "set-aside", own])).code).toBe(0);
    expect((await bench.run(["explain", "permission", "bash", "ls"])).code).toBe(0);
  } finally {
    await bench.close();
  }
});

test("a denial is not lost to a second block of the same name, nor to a link out of the project", async () => {
  const bench = await openWorkbench([]);
  const ask = async () => {
    const { stdout } = await bench.run(["explain", "permission", "bash", "make thing", "--allow", "bash(make thing)"]);
    return stdout.split(":")[0];
  };
  try {
    const path = join(bench.project, "kedge.json");
    writeFileSync(path, '{"permission":{"bash":{"make thing":"deny"}},"permission":{"bash":{"ls":"ask"}}}');
    const twice = await ask();
    rmSync(path);
    writeFileSync(join(bench.directory, "outer.json"), '{"permission":{"bash":{"make thing":"deny"}}}');
    symlinkSync("../outer.json", path);
    const linked = await ask();
    expect({ twice, linked }).toEqual({
      twice: expect.not.stringContaining("allow"),
      linked: expect.not.stringContaining("allow"),
    });
  } finally {
    await bench.close();
  }
});
