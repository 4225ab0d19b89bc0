/** A given authority is trusted beside those of the system. */
import { getCACertificates } from "node:tls";
import { expect, test } from "vitest";
import { trustedAuthorities } from "./trusted-authorities.ts";

test("the authorities of the system stay, and nothing is said without a given one", () => {
  const { ca = [] } = trustedAuthorities("the office");
  expect(ca.at(-1)).toBe("the office");
  expect(ca.slice(0, -1)).toEqual(getCACertificates("default"));
  expect(getCACertificates("default").length).toBeGreaterThan(0);
  expect(trustedAuthorities(undefined)).toEqual({});
});
