/** Proves over random texts that no secret survives, wherever it stands, and that nothing else is touched. */
import { createSeededRandom, type SeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { createRedactor } from "./create-redactor.ts";

const redactSecrets = (text: string, values: readonly string[]) =>
  createRedactor({ values: () => values }).redact(text);

const rounds = 400;
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const digits = "0123456789";
const known = "correct horse battery";

/** Each makes the secret itself, and how it stands in a text. Joined at run time, so that no scanner takes it for a leak. */
const kinds: readonly ((random: SeededRandom) => { readonly secret: string; readonly text: string })[] = [
  (random) => bare(`ghp${"_"}${word(random, letters + digits, 36)}`),
  (random) => bare(`github${"_pat_"}${word(random, letters + digits, 40)}`),
  (random) => bare(`sk${"-"}ant-api03-A1${word(random, letters + digits, 30)}`),
  (random) => bare(`AKI${"A"}${word(random, letters.slice(26) + digits, 16)}`),
  (random) => bare(`xox${"b-"}${word(random, digits, 12)}-${word(random, letters, 12)}`),
  (random) => bare(`AIz${"a"}${word(random, letters + digits, 35)}`),
  (random) =>
    bare(`ey${"J"}${word(random, letters, 20)}.ey${"J"}${word(random, letters, 20)}.${word(random, letters, 20)}`),
  (random) => within(`A1${word(random, letters + digits, 24)}`, (secret) => `Authorization: Bearer ${secret}`),
  (random) => within(`pw9${word(random, letters, 8)}`, (secret) => `postgres://app:${secret}@db.example/x`),
  (random) => within(`pw9${word(random, letters + digits, 10)}`, (secret) => `password="${secret}"`),
  (random) => within(word(random, letters + digits, 64), (body) => `${pem("BEGIN")}\n${body}\n${pem("END")}`),
  () => bare(known),
];

test("no secret survives, in any company, in any order", () => {
  const random = createSeededRandom();
  for (let round = 0; round < rounds; round += 1) {
    const secrets = Array.from({ length: 1 + random.below(4) }, () =>
      kinds[random.below(kinds.length)]?.(random),
    ).filter((made) => made !== undefined);
    const text = secrets.map(({ text: shown }) => `${prose(random)}\n${shown}\n${prose(random)}`).join("\n");
    const redacted = redactSecrets(text, [known]);
    const context = `seed ${random.seed}, round ${round}: ${JSON.stringify(text)}`;
    for (const { secret } of secrets) expect(redacted.includes(secret), context).toBe(false);
    expect(redacted.match(/\[REDACTED:[a-z-]+\]/g)?.length, context).toBe(secrets.length);
    expect(redactSecrets(redacted, [known]), context).toBe(redacted);
    expect(redactSecrets(text, [known]), context).toBe(redacted);
  }
});

test("text without a secret is given back as it is", () => {
  const random = createSeededRandom();
  for (let round = 0; round < rounds; round += 1) {
    const text = Array.from({ length: 20 }, () => prose(random)).join("\n");
    expect(redactSecrets(text, [known]), `seed ${random.seed}, round ${round}`).toBe(text);
  }
});

function bare(secret: string) {
  return { secret, text: secret };
}

function within(secret: string, show: (secret: string) => string) {
  return { secret, text: show(secret) };
}

function pem(edge: string): string {
  return `-----${edge} PRIVATE ${"KEY"}-----`;
}

function word(random: SeededRandom, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join("");
}

/** Words of code and of prose, with the names of secrets among them but no values. */
function prose(random: SeededRandom): string {
  const words = [
    "const",
    "token",
    "the",
    "password",
    "(",
    ")",
    "return",
    "secret",
    "key",
    "ä",
    "👍",
    "sk-fade",
    "=>",
    "x1",
  ];
  return Array.from({ length: random.below(12) }, () => words[random.below(words.length)]).join(" ");
}
