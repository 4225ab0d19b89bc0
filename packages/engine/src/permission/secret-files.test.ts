/** Names that give secrets away, and the places that stay closed. */
import { expect, test } from "vitest";
import { isForbiddenFile, isSecretFile } from "./secret-files.ts";

test.each([
  "/w/.env",
  "/w/.env.local",
  "/w/.envrc",
  "/w/.ENV",
  ".env",
  "/w/server.pem",
  "/w/server.key",
  "/w/cert.p12",
  "/home/dev/.ssh/id_rsa",
  "/home/dev/.ssh/id_ed25519_work",
  "/home/dev/.netrc",
  "/w/.npmrc",
  "/home/dev/.aws/credentials",
  ".aws/credentials",
  "/home/dev/.config/gcloud/application_default_credentials.json",
  "/home/dev/.config/gcloud/legacy_credentials/a/adc.json",
  "/home/dev/.kube/config",
  "/home/dev/.docker/config.json",
  "/home/dev/.git-credentials",
  "/home/dev/Library/Keychains/login.keychain-db",
  "C:\\Users\\dev\\.aws\\credentials",
])("%s may contain secrets", (path) => {
  expect(isSecretFile(path)).toBe(true);
});

test.each([
  "/w/.env.example",
  "/w/src/env.ts",
  "/w/environment.ts",
  "/home/dev/.ssh/id_rsa.pub",
  "/w/keys.ts",
  "/w/package.json",
  "/w/config.json",
  "/w/aws/credentials.ts",
  "/w/id_table.ts",
  "/w",
  "/",
])("%s holds none", (path) => {
  expect(isSecretFile(path)).toBe(false);
});

test.each<[string, boolean]>([
  ["/home/dev/.kedge/credentials.json", true],
  ["/home/dev/.kedge/tokens.json", true],
  ["/home/dev/.kedge/mcp-credentials.json", true],
  ["/w/tokens.json", false],
  ["/proc/self/auxv", true],
  ["/proc/12/fd/3", true],
  ["/proc/12/task/13/smaps", true],
  ["/proc/12/status", false],
  ["/home/dev/.kedge/run/server.json", true],
  ["/home/dev/.kedge/reach/devices.json", true],
  ["/home/dev/.kedge/reach/ca.key", true],
  ["/home/dev/.kedge/run", true],
  ["/home/dev/.kedge/data/kedge.db", true],
  ["/home/dev/.kedge/data/blobs/ab/cd", true],
  ["/home/dev/.Kedge/DATA/kedge.db", true],
  ["/proc/self/environ", true],
  ["/proc/42/mem", true],
  ["/proc/42/maps", true],
  ["/proc/42/task/43/environ", true],
  ["/proc/self/root/home/dev/.kedge/credentials.json", true],
  ["/proc/1/root/proc/2/environ", true],
  ["/run/kedge/session_token", true],
  ["/home/dev/.kedge/config.json", false],
  ["/home/dev/.kedge/database/x", false],
  ["/home/dev/.kedge/projects/a/memory", false],
  ["/home/dev/.kedge/projects/a/memory/x.md", false],
  ["/home/dev/.kedge/projects/a/memory/deep/..x.md", false],
  ["/home/dev/.kedge/projects/a/memory/../prompts.jsonl", true],
  ["/home/dev/.kedge/projects/a/memory-of-others/x.md", true],
  ["/home/dev/.kedge/projects/a/b/memory/x.md", true],
  ["/home/dev/.kedge/projects", true],
  ["/home/dev/.kedge/projects/a", true],
  ["/home/dev/.kedge/projects/a/prompts.jsonl", true],
  ["/home/dev/.kedge/projects/a/draft.json", true],
  ["/home/dev/.kedge/projects/a/draft.json.new", true],
  ["/home/dev/.kedge/projects/a/ses_1.jsonl", true],
  ["/home/dev/.kedge/projects/a/conversations/ses_1.md", true],
  ["/home/dev/.kedge/Projects/a/PROMPTS.jsonl", true],
  ["/home/dev/.kedge/profiles/work/projects/a/prompts.jsonl", true],
  ["/home/dev/.kedge/projects.md", false],
  ["/home/dev/.kedge-other/credentials.json", false],
  ["/w/credentials.json", false],
  ["/proc/cpuinfo", false],
  ["/w/proc/1/environ", false],
])("%s is closed: %s", (path, expected) => {
  expect(isForbiddenFile(path, "/home/dev/.kedge")).toBe(expected);
});

test("without a known home of kedge only the system's files are closed", () => {
  expect(isForbiddenFile("/home/dev/.kedge/credentials.json", undefined)).toBe(false);
  expect(isForbiddenFile("/proc/self/environ", undefined)).toBe(true);
});

test.each(["/home/dev/.kedge", "/home/dev/.kedge/profiles/work"])(
  "from %s the secrets of every profile are closed",
  (home) => {
    for (const place of ["", "/profiles/work", "/profiles/play"]) {
      expect(isForbiddenFile(`/home/dev/.kedge${place}/credentials.json`, home)).toBe(true);
      expect(isForbiddenFile(`/home/dev/.kedge${place}/data/kedge.db`, home)).toBe(true);
      expect(isForbiddenFile(`/home/dev/.kedge${place}/config.json`, home)).toBe(false);
    }
  },
);
