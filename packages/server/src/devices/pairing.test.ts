/** Proves how many guesses a pairing code stands, of one peer and of many. */
import { expect, test } from "vitest";
import { createPairing } from "./pairing.ts";

function openPairing() {
  const clock = { now: 1_700_000_000_000 };
  let withdrawn = 0;
  const pairing = createPairing({ now: () => clock.now, onWithdrawn: () => withdrawn++ });
  return { clock, pairing, withdrawn: () => withdrawn };
}

test("a code has eight characters that nobody confuses, and is taken however it is typed", () => {
  const { pairing } = openPairing();
  const { code } = pairing.issue("read");
  expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
  expect(pairing.redeem(` ${code.toLowerCase().replace("-", " ")} `, "10.0.0.2")).toEqual({
    kind: "paired",
    scope: "read",
  });
  expect(pairing.redeem(code, "10.0.0.2")).toEqual({ kind: "wrong" });
});

test("the sixth attempt of a peer is refused, of another peer it is not", () => {
  const { pairing, clock } = openPairing();
  const { code } = pairing.issue("approve");
  for (let attempt = 1; attempt <= 5; attempt++) expect(pairing.redeem("AAAA-AAAA", "10.0.0.2").kind).toBe("wrong");
  expect(pairing.redeem(code, "10.0.0.2")).toEqual({ kind: "locked", remainingMs: 300_000 });
  clock.now += 299_999;
  expect(pairing.redeem(code, "10.0.0.2")).toEqual({ kind: "locked", remainingMs: 1 });
  expect(pairing.redeem(code, "10.0.0.3").kind).toBe("paired");
});

test("a peer with many addresses guesses fifty times, then there is nothing left to guess", () => {
  const { pairing, withdrawn } = openPairing();
  const { code } = pairing.issue("approve");
  for (let attempt = 0; attempt < 50; attempt++) {
    expect(withdrawn()).toBe(0);
    expect(pairing.redeem("AAAA-AAAA", `10.0.1.${attempt}`).kind).toBe("wrong");
  }
  expect(withdrawn()).toBe(1);
  expect(pairing.redeem(code, "10.0.2.1").kind).toBe("wrong");
});

test("a code ends after five minutes", () => {
  const { pairing, clock } = openPairing();
  const { code } = pairing.issue("approve");
  clock.now += 5 * 60_000;
  expect(pairing.redeem(code, "10.0.0.2").kind).toBe("wrong");
});
