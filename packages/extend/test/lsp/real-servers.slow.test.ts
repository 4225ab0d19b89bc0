/** Proves with real servers: an error is told with the text that has it, and with no other, over many edits. */
import { spawnSync } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { openServerBed, type ServerBed } from "./server-bed.ts";

let bed: ServerBed | undefined;
afterEach(async () => {
  await bed?.close();
  bed = undefined;
});

type Sample = {
  readonly name: string;
  readonly file: string;
  readonly broken: string;
  readonly sound: string;
  readonly error: RegExp;
  readonly beside?: { readonly [name: string]: string };
  /** A program without which the server finds nothing. */
  readonly needs?: string;
  readonly edits: number;
};

const samples: readonly Sample[] = [
  {
    name: "TypeScript",
    file: "a.ts",
    broken: "export const count: number = 'one';\n",
    sound: "export const count: number = 1;\n",
    error: /^a\.ts:1:14 error: Type 'string' is not assignable to type 'number'\. \(ts 2322\)$/,
    beside: { "tsconfig.json": '{"compilerOptions":{"strict":true,"noEmit":true}}' },
    edits: 50,
  },
  {
    name: "pyright",
    file: "a.py",
    broken: "count: int = 'one'\n",
    sound: "count: int = 1\n",
    error:
      /^a\.py:1:14 error: Type "Literal\['one'\]" is not assignable to declared type "int".* \(Pyright reportAssignmentType\)$/,
    edits: 50,
  },
  {
    name: "json",
    file: "a.json",
    broken: '{"count": }\n',
    sound: '{"count": 1}\n',
    error: /^a\.json:1:11 error: Value expected \(json 516\)$/,
    edits: 50,
  },
  {
    name: "bash with shellcheck",
    file: "a.sh",
    broken: '#!/bin/bash\nlocal greeting=hello\necho "$greeting"\n',
    sound: '#!/bin/bash\ngreeting=hello\necho "$greeting"\n',
    error: /^a\.sh:\d+:\d+ error: .*\(shellcheck SC\d+\)$/,
    needs: "shellcheck",
    edits: 50,
  },
  {
    name: "clangd",
    file: "a.c",
    broken: "int count = one;\n",
    sound: "int count = 1;\n",
    error: /^a\.c:1:\d+ error: .*\(clang .*\)$/,
    needs: "clangd-14",
    edits: 50,
  },
];

const isInstalled = (program: string) => spawnSync("which", [program]).status === 0;

for (const { name, file, broken, sound, error, beside = {}, needs, edits } of samples) {
  const isMissing = needs !== undefined && !isInstalled(needs);
  test.skipIf(isMissing)(
    `${name}${isMissing ? ` (${needs} is not installed)` : ""}`,
    { timeout: 180_000 },
    async () => {
      bed = openServerBed();
      for (const [path, text] of Object.entries({ ...beside, [file]: sound })) bed.put(path, text);
      const { diagnose, put, servers } = bed;
      put(file, broken);
      // Nobody waits for a slow start after an edit; a later one finds the server at work.
      await expect.poll(() => diagnose(file), { timeout: 60_000 }).toHaveLength(1);
      for (let edit = 0; edit < edits; edit += 1) {
        put(file, `${edit % 2 === 0 ? sound : broken}`);
        const told = await diagnose(file);
        if (edit % 2 === 0) expect(told).toEqual([]);
        else expect(told).toEqual([expect.stringMatching(error)]);
      }
      expect(servers.running().map((server) => server.state().restarts)).toEqual([0]);
    },
  );
}

test("what a command changes beside the file is known with the next edit", async () => {
  bed = openServerBed();
  bed.put(
    "tsconfig.json",
    '{"compilerOptions":{"strict":true,"noEmit":true,"module":"esnext","moduleResolution":"bundler"}}',
  );
  bed.put("b.ts", "export const b = 1;\n");
  bed.put("a.ts", 'import { b } from "./b";\nexport const a: number = b;\n');
  expect(await bed.diagnose("a.ts")).toEqual([]);
  bed.put("b.ts", 'export const b = "now a text";\n');
  expect(await bed.diagnose("a.ts")).toHaveLength(1);
  bed.put("c.ts", "export const c = 1;\n");
  bed.put("a.ts", 'import { c } from "./c";\nexport const a: number = c;\n');
  expect(await bed.diagnose("a.ts")).toEqual([]);
});
