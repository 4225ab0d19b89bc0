/** Scripts of sed and awk that are judged free neither run nor write anything in the real programs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { isFree } from "./is-free.ts";

const scriptsCount = rounds({ usual: 1_000, long: 60_000 });
const testTimeoutMs = 600_000;

const run = 'system("touch canary")';
const pieces: Readonly<Record<"sed" | "awk", readonly string[]>> = {
  sed: [
    ..."p d ; { } s/a/b/ s,a,b, s/a/b/g s/x/y/e 1 $ /a/ /[/]/ \\,a, b bx :x a\\ y/abc/xyz/ # n N q = ! l x h g v z F".split(
      " ",
    ),
    ..."s/[/]/e/e s/a/\\/e/ s/\\//e/ s/a/b/I s/a/b/2p 1,3 0~2 s/[^/]/b/e M I".split(" "),
    ..." |\n|w canary|W canary|e touch canary|1e touch canary|s/a/touch canary/e|t x;|a text|i\\\n|c x|r list".split(
      "|",
    ),
    ..."# e touch canary|s/a/b/w canary|}e touch canary|D;e touch canary|:a;e touch canary|q5;e touch canary".split(
      "|",
    ),
    ..."ba;e touch canary|y/e/w/;w canary|a foo;e touch canary|r x;e touch canary|:x e touch canary".split("|"),
  ],
  awk: [
    ...'{print} /a/ /"/ BEGIN{ } END{ if(1) ; x=1 ( ) / " # a/b (a)/b /[/]/ /\\// $1/2 print while(0) return in , x 1'.split(
      " ",
    ),
    ...'> | ! ~ ?: // \\ /\\"/ length x++/2/ a[1]/"/ $NF/"/ 1/"/; getline/"/ -/"/ !/"/ next'.split(" "),
    ...'\n,{print $1},else ,do ,func f(a){,exit /"/;,delete a;,print /"/,x++ /"/'.split(","),
    run,
    'print > "canary"',
    'print | "touch canary"',
    '"touch canary" | getline',
    'printf "%s",$1',
    'getline x < "list"',
    `getline /"/;${run};/"/`,
    `x/"/;${run};/"/`,
  ],
};
const deeds: typeof pieces = {
  sed: ["e touch canary", ";e touch canary", "\ne touch canary"],
  awk: [run, `;${run}`, `\n${run}`, `BEGIN{${run}}`, `}BEGIN{${run}}/"/{`],
};

/** Some scripts never end and are stopped after two seconds: the others do not wait for them. */
const lanesCount = 8;

test.each(["sed", "awk"] as const)(
  "no free script of %s acts",
  async (program) => {
    const random = createSeededRandom();
    // The index is always within the list.
    const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
    const drawn = Array.from({ length: scriptsCount }, () => {
      const script = Array.from({ length: 1 + random.below(5) }, () => pick(pieces[program])).join("");
      return script.includes("canary") ? script : script + pick(deeds[program]);
    });
    const free = drawn.filter((script) => isFree(`${program} '${script.replaceAll("'", "'\\''")}' list`));
    const found: string[] = [];
    const lane = async () => {
      const directory = mkdtempSync(join(tmpdir(), "kedge-scripts-"));
      for (let script = free.pop(); script !== undefined; script = free.pop()) {
        if (await acts(program, script, directory)) found.push(script);
      }
      rmSync(directory, { recursive: true, force: true });
    };
    expect(free.length).toBeGreaterThan(scriptsCount / 100);
    await Promise.all(Array.from({ length: lanesCount }, lane));
    expect(found, `seed ${random.seed}`).toEqual([]);
  },
  testTimeoutMs,
);

async function acts(program: string, script: string, directory: string): Promise<boolean> {
  writeFileSync(join(directory, "list"), "a foo\ntouch canary\nx\n");
  const child = spawn("timeout", ["2", program, script, "list"], { cwd: directory, stdio: "ignore" });
  await once(child, "close");
  const made = readdirSync(directory).filter((name) => name !== "list");
  for (const name of made) rmSync(join(directory, name));
  return made.length > 0;
}
