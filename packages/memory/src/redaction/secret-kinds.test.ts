/** Proves for each kind of the table: made at random it is found wherever it stands and however it is cut; what only resembles it is not. */
import { textBeside } from "@kedge/protocol/text-file";
import { createSeededRandom, rounds, type SeededRandom } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { draw, makeSecret } from "../../test/make-secret.ts";
import { createRedactor } from "./create-redactor.ts";
import { exampleOf, secretKinds } from "./secret-kinds.ts";

const { redact, open } = createRedactor({ values: () => [] });
const alnum = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

const cases = secretKinds().map((kind) => {
  const example = exampleOf(kind);
  const hasPrefix = !kind.marks.some((mark) => example.toLowerCase().includes(mark.toLowerCase()));
  return { ...kind, example, hasPrefix };
});

test("the table has at least sixty kinds, each with an example of its own", () => {
  expect(new Set(cases.map(({ kind }) => kind)).size).toBeGreaterThan(100);
  for (const { kind, marks, example } of cases) {
    expect(marks.length, kind).toBeGreaterThan(0);
    expect(
      marks.every((mark) => mark.length >= 2 && /^[\x20-\x7e]{2}/.test(mark)),
      kind,
    ).toBe(true);
    expect(example, kind).toMatch(/\{(?:\d+:|=)/);
  }
});

test("what is read of a line without parsing it is what stands there", () => {
  const rows = textBeside(import.meta.url, "./secret-kinds.jsonl")
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(cases.map(({ find: _, line: __, hasPrefix: ___, ...kind }) => kind)).toEqual(
    rows.map(
      ({ kind, marks, prefix, ignoreCase = false, context = false, own = false, reach = 0, block, example }) => ({
        ...{ kind, marks: marks ?? prefix, ignoreCase, isContext: context, isOwn: own, example },
        reach: block === "pem" ? 20_000 : reach,
      }),
    ),
  );
});

describe.each(cases)("$kind: $example", (kind) => {
  const random = createSeededRandom();
  const make = () => makeSecret(kind, random, kind.hasPrefix);

  test("is found in any company", () => {
    for (let round = 0; round < 30; round += 1) {
      const { text, parts } = make();
      for (const around of surroundings(random)) {
        const shown = around(text);
        const context = `seed ${random.seed}: ${JSON.stringify(shown)}`;
        const redacted = redact(shown);
        expect(redacted, context).toContain("[REDACTED:");
        if ((parts[0] ?? "").length >= 12) expect(redacted, context).not.toContain(parts[0]);
        expect(redact(redacted), context).toBe(redacted);
      }
    }
  });

  test("is found in pieces of any size, as in the whole", () => {
    for (let round = 0; round < 30; round += 1) {
      const { text } = make();
      const whole = `some words before\n${text}\nand more after, with a last line\n`;
      const stream = open();
      let shown = "";
      for (let start = 0; start < whole.length; ) {
        const end = start + 1 + random.below(round % 2 === 0 ? 6 : 90);
        shown += stream.write(whole.slice(start, end));
        start = end;
      }
      shown += stream.end();
      expect(shown, `seed ${random.seed}: ${JSON.stringify(whole)}`).toBe(redact(whole));
      expect(shown).toContain("[REDACTED:");
    }
  });
});

test("a stand-in of documents is left alone", () => {
  for (const { example, hasPrefix, marks, kind } of cases) {
    if (!hasPrefix || kind === "aws-key") continue;
    const text = example.replaceAll(/\{(\d+):\w+\}/g, (_, count: string) => "x".repeat(Number(count)));
    for (const mark of marks) expect(redact(`see ${mark}${text} for more`)).toBe(`see ${mark}${text} for more`);
  }
});

/** As it is in a line, a file of settings, JSON, a URL, a diff, a colour of the terminal. */
function surroundings(random: SeededRandom): readonly ((text: string) => string)[] {
  const word = draw(random, alnum, 5).toLowerCase();
  return [
    (text) => text,
    (text) => `${word} ${text} ${word}`,
    (text) => `${word}\n${text}\n${word}`,
    (text) => `  "${word}": ${JSON.stringify(text)},\n`,
    (text) => JSON.stringify({ text: `${word}\n${text}\n${word}` }),
    (text) => `@@ -1 +1 @@\n-${word}\n+${text}\n`,
  ];
}

const beginnings = cases.filter(({ hasPrefix, marks }) => hasPrefix && marks.every((mark) => mark.length > 4));

test("the beginning of a secret that a limit cut off is known by what it begins with", () => {
  const random = createSeededRandom();
  for (const kind of beginnings) {
    const { text, parts } = makeSecret(kind, random, true);
    const first = text.indexOf(parts.find((part) => text.includes(part)) ?? "");
    const cut = text.slice(0, Math.max(first, 0) + 12);
    for (const end of ["", "…", "...", "[… 300 characters]"]) {
      expect(redact(`x ${cut}${end}`), `seed ${random.seed}, ${kind.kind}: ${cut}${end}`).toContain("[REDACTED:");
    }
  }
});

/** Random ordinary words of program text: hashes, ids, pictures, colours, minified code. */
const ordinary: readonly ((random: SeededRandom) => string)[] = [
  (random) => draw(random, "0123456789abcdef", 40),
  (random) => draw(random, "0123456789abcdef", 64),
  (random) => [8, 4, 4, 4, 12].map((length) => draw(random, "0123456789abcdef", length)).join("-"),
  (random) => `"integrity": "sha512-${draw(random, `${alnum}+/`, 86)}=="`,
  (random) => `data:image/png;base64,${draw(random, `${alnum}+/`, 600)}`,
  (random) => `#${draw(random, "0123456789abcdef", 6)}`,
  (random) => `function ${draw(random, alnum, 2)}(e,t){return e.${draw(random, alnum, 9)}(t)}`,
  (random) => `https://cdn.example/${draw(random, alnum, 20)}/app.${draw(random, "0123456789abcdef", 8)}.js`,
  (random) => `commit ${draw(random, "0123456789abcdef", 40)}\nAuthor: A <a@b.example>`,
  (random) => `const token = ${draw(random, alnum, 8)}.next(${draw(random, alnum, 3)});`,
];

test("what is no secret is left as it is", () => {
  const random = createSeededRandom();
  for (let round = 0; round < rounds({ usual: 3_000, long: 60_000 }); round += 1) {
    const text = (ordinary[random.below(ordinary.length)] ?? draw).call(undefined, random, alnum, 12);
    expect(redact(text), `seed ${random.seed}, round ${round}`).toBe(text);
  }
});

test.each([
  "API_KEY=your-api-key-here",
  "DB_PASSWORD=change_me",
  "token: replace-with-your-token",
  'secret = "insert-secret-here"',
  "AUTH_TOKEN=<your token>",
  "PASSWORD=changeme",
  "client_secret: YOUR_CLIENT_SECRET",
  "Set-Cookie: theme=dark; Path=/",
  "Cookie: lang=en; theme=light-mode-wide",
  "Authorization: required for every request",
  "replace with $1$2 and $6 for the rest",
])("advice and plain settings are left alone: %s", (text) => expect(redact(text)).toBe(text));

test.each([
  "SECRET_KEY_BASE=0f3a9c1d77e2b84465aa01c3",
  "secret_key_base: 0f3a9c1d77e2b84465aa01c3",
  "token_value: 0f3a9c1d77e2b84465aa01c3",
  "passphrase: correct-horse-battery-staple-7",
  "Authorization: GenieKey 0f3a9c1d-77e2-b844-65aa-01c3",
  'headers: { "Authorization": "0f3a9c1d77e2b84465aa01c3" }',
])("a secret under a longer name, or of another scheme, is found: %s", (text) => {
  expect(redact(text)).toContain("[REDACTED:");
});
