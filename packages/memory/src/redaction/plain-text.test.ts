/** Proves that no kind of secret passes for plain text, and that a redactor finds nothing where it does not look. */
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { makeSecret } from "../../test/make-secret.ts";
import { createRedactor } from "./create-redactor.ts";
import { createSecretFinder } from "./find-secrets.ts";
import { isPlainText } from "./plain-text.ts";
import { secretKinds } from "./secret-kinds.ts";

test("a text with a secret of any kind is not plain", () => {
  const random = createSeededRandom();
  for (const kind of secretKinds()) {
    const hasPrefix = !kind.marks.some((mark) => kind.example.toLowerCase().includes(mark.toLowerCase()));
    for (let round = 0; round < 20; round += 1) {
      const { text } = makeSecret(kind, random, hasPrefix);
      expect(isPlainText(`Please use ${text} for it`), `${kind.kind}, seed ${random.seed}: ${text}`).toBe(false);
    }
  }
});

test("in plain text the table of forms finds nothing", () => {
  const random = createSeededRandom();
  const finder = createSecretFinder({ values: [], formats: true });
  const letters = "etaoinshrdlucmfwypvbgkjqxz";
  for (let round = 0; round < 2_000; round += 1) {
    const words = Array.from({ length: 1 + random.below(12) }, () =>
      Array.from({ length: 1 + random.below(11) }, () => letters[random.below(letters.length)]).join(""),
    );
    const text = words.join(" ");
    if (isPlainText(text)) expect(finder.find(text), `seed ${random.seed}: ${text}`).toEqual([]);
  }
});

test("values that are known are found in plain text as well, also by the first look", () => {
  const { redact } = createRedactor({ values: () => ["correct horse battery"] });
  expect(redact("use correct horse battery here")).not.toContain("horse");
  expect(redact("hi")).toBe("hi");
});

test.each(["hi", "Explain the thing, please!", ""])("%j is plain", (text) => expect(isPlainText(text)).toBe(true));
test.each(["my password is hunter", "a=b", "x1", "Straße", "AbCdEf", "abcdefghijklmnop"])("%j is not", (text) =>
  expect(isPlainText(text)).toBe(false),
);
