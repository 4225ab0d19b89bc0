import { expect, test } from "vitest";
import { hostPattern, judgeEgress } from "./egress-judgement.ts";

const allowedHosts = ["example.org", "*.example.com", "127.0.0.1:8080", "inner.example:9000", "wide.example"];

test.each([
  ["https", "example.org:443", ["93.184.216.34"], "allow"],
  ["http", "example.org", ["93.184.216.34"], "allow"],
  ["https", "example.org:22", ["93.184.216.34"], "block"],
  ["https", "sub.example.org:443", ["93.184.216.34"], "block"],
  ["https", "a.example.com:443", ["93.184.216.34"], "allow"],
  ["https", "a.example.com:443", ["10.0.0.1"], "block"],
  ["https", "example.com:443", ["93.184.216.34"], "block"],
  ["https", "example.com.evil.org:443", ["93.184.216.34"], "block"],
  ["http", "127.0.0.1:8080", undefined, "allow"],
  ["http", "127.0.0.1:8081", undefined, "block"],
  ["https", "inner.example:9000", ["10.1.2.3"], "allow"],
  ["https", "inner.example:9000", ["169.254.169.254"], "block"],
  ["https", "wide.example:443", ["127.0.0.1"], "block"],
  ["https", "wide.example:443", ["93.184.216.34", "169.254.169.254"], "block"],
  ["https", "wide.example:443", [], "block"],
  ["https", "user@wide.example:443", ["93.184.216.34"], "block"],
  ["https", "", undefined, "block"],
] as const)("%s to %s at %j is judged: %s", (scheme, authority, addresses, verdict) => {
  const question = { scheme, authority, allowedHosts };
  expect(judgeEgress(addresses === undefined ? question : { ...question, addresses }).verdict).toBe(verdict);
});

test.each([
  ["https", "new.example:443", ["93.184.216.34"], "allow"],
  ["https", "new.example:8443", ["93.184.216.34"], "allow"],
  ["https", "new.example:8443", ["127.0.0.1"], "block"],
  ["https", "new.example:443", ["93.184.216.34", "10.0.0.1"], "block"],
  ["http", "127.0.0.1:9000", undefined, "allow"],
  ["http", "[::1]:9000", undefined, "allow"],
  ["http", "localhost:9000", undefined, "block"],
  ["https", "user@new.example:443", ["93.184.216.34"], "block"],
] as const)("%s to %s at %j, permitted by a person, is judged: %s", (scheme, authority, addresses, verdict) => {
  const question = { scheme, authority, allowedHosts: [], isPermitted: true, ...(addresses && { addresses }) };
  expect(judgeEgress(question).verdict).toBe(verdict);
});

test.each([
  ["new.example:443", "new.example"],
  ["new.example", "new.example"],
  ["new.example:8443", "new.example:8443"],
  ["[::1]:9000", "[::1]:9000"],
])("%s is asked about as %s", (authority, pattern) => {
  expect(hostPattern(authority)).toBe(pattern);
});
