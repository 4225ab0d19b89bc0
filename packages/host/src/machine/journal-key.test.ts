/** The key is made once, kept from others, shared by processes, and its loss is told and not feared. */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createJournalKey } from "./journal-key.ts";

let folder: string;
let path: string;
let notices: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-journal-key-"));
  path = join(folder, "journal-key");
  notices = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const told = { onNotice: (sentence: string) => void notices.push(sentence) };

function openKey(options: { readonly signsJournal?: boolean; readonly data?: string } = {}) {
  const { signsJournal = true, data = folder } = options;
  return createJournalKey({ home: { data }, settings: { signsJournal }, randomBytes, ...told });
}

function signedBy(key: ReturnType<typeof openKey>, text: string) {
  const signed = key.sign(text);
  if (signed === undefined) throw new Error("it signs");
  return signed;
}

test("is made with the first signature, for its owner only, and never before", () => {
  const key = openKey();
  expect(key.check("text", { keyId: "other", signature: "AAAA" })).toBe("unknown-key");
  expect(existsSync(path)).toBe(false);
  const signed = signedBy(key, "text");
  expect(readdirSync(folder)).toEqual(["journal-key"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(signed).toEqual({
    keyId: expect.stringMatching(/^[0-9a-f]{16}$/),
    signature: expect.stringMatching(/^[\w-]{86}$/),
  });
  expect(key.check("text", signed)).toBe("valid");
  expect(key.check("texts", signed)).toBe("wrong");
  expect(key.check("text", { ...signed, signature: "" })).toBe("wrong");
  expect(key.check("text", { ...signed, keyId: "0123456789abcdef" })).toBe("unknown-key");
});

test("is the same for every process, also for two that need it at the same time", () => {
  const faster = openKey();
  const slower = createJournalKey({
    ...{ home: { data: folder }, settings: { signsJournal: true }, ...told },
    // It has looked, found none, and is about to write its own.
    randomBytes: (size) => {
      faster.sign("text");
      return randomBytes(size);
    },
  });
  expect(signedBy(slower, "text")).toEqual(signedBy(faster, "text"));
  expect(openKey().sign("text")).toEqual(signedBy(faster, "text"));
  expect({ files: readdirSync(folder), notices }).toEqual({ files: ["journal-key"], notices: [] });
});

test("signs nothing where that is switched off, and checks all the same", () => {
  expect(openKey({ signsJournal: false }).sign("text")).toBeUndefined();
  expect(existsSync(path)).toBe(false);
  const signed = signedBy(openKey(), "text");
  expect(openKey({ signsJournal: false }).check("text", signed)).toBe("valid");
});

test("wider permissions are taken back", () => {
  const signed = signedBy(openKey(), "text");
  chmodSync(path, 0o644);
  expect(openKey().check("text", signed)).toBe("valid");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("one that cannot be used is left alone and told of once", () => {
  writeFileSync(path, "no key");
  const key = openKey();
  expect([key.sign("a"), key.sign("b")]).toEqual([undefined, undefined]);
  expect(key.check("a", { keyId: "x", signature: "" })).toBe("unknown-key");
  expect(readFileSync(path, "utf8")).toBe("no key");
  expect(notices).toEqual([
    expect.stringMatching(
      /^Cannot use the signing key .+journal-key \(.+\)\. Sessions are not signed until you fix or remove it\.$/,
    ),
  ]);
});

test("a folder that cannot be written leaves sessions unsigned", () => {
  expect(openKey({ data: join(folder, "absent") }).sign("a")).toBeUndefined();
  expect(notices).toHaveLength(1);
});
