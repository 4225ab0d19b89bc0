import { createSeededRandom, randomJson } from "@kedge/testing";
import { expect, test } from "vitest";
import { repairJson } from "./repair-json.ts";

test.each([
  ['{"a":1,}', { a: 1 }],
  ['{"a":[1,2,],}', { a: [1, 2] }],
  ['{"a":[1 ,\n ] }', { a: [1] }],
  ['{"a":", ] }",}', { a: ", ] }" }],
  ['{"a":"say \\"hi\\", ]",}', { a: 'say "hi", ]' }],
])("%s is repaired", (text, value) => {
  expect(repairJson(text)).toEqual({ outcome: "repaired", value });
});

test.each(['{"a":{"b":1', '{"a":"text', '{"a":["x","y', '{"a":1,', '{"a":"x\\"}', "{", "[", '"'])(
  "%s was cut off",
  (text) => {
    expect(repairJson(text)).toEqual({ outcome: "cut-off" });
  },
);

test.each(["", "nonsense", "{a:1}", '{"a":}', '{"a":1}}', "{'a':1}", '{"a":1,,}', "NaN", '{"a":NaN}'])(
  "%s is left to the model",
  (text) => {
    expect(repairJson(text)).toEqual({ outcome: "invalid" });
  },
);

test("whatever the commas, only all of a text is repaired", () => {
  const random = createSeededRandom();
  for (let round = 0; round < 100; round += 1) {
    const text = JSON.stringify({ first: randomJson(random), last: [""] }).replaceAll(/[}\]]/g, (bracket) =>
      random.below(2) === 0 ? `,${bracket}` : bracket,
    );
    for (let length = 0; length < text.length; length += 1) {
      const { outcome } = repairJson(text.slice(0, length));
      expect(outcome, `seed ${random.seed}: ${text.slice(0, length)}`).not.toBe("repaired");
    }
  }
});
