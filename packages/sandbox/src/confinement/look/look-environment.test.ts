/** What of an environment a look is given. */
import { expect, test } from "vitest";
import { lookEnvironment } from "./look-environment.ts";

test("nothing secret stays, by name or by value; the rest does", () => {
  const secret = {
    ANTHROPIC_API_KEY: "x",
    GITHUB_TOKEN: "x",
    GH_TOKEN: "x",
    INPUT_NPM_TOKEN: "x",
    DB_PASSWORD: "x",
    pgpassword: "x",
    STRIPE_KEY: "x",
    SENTRY_DSN: "x",
    DATABASE_URL: "postgres://me:secret@host/db",
    HTTPS_PROXY: "http://me:secret@proxy:3128",
  };
  const kept = {
    PATH: "/bin",
    HOME: "/home/dev",
    LANG: "C",
    SSH_AUTH_SOCK: "/tmp/agent",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_ASKPASS: "/usr/bin/false",
    HOMEPAGE: "https://example.org:8080/a@b",
  };
  expect(lookEnvironment({ ...secret, ...kept, TMPDIR: "/var/tmp" })).toEqual({
    ...kept,
    NPM_CONFIG_LOGS_MAX: "0",
    PYTHONDONTWRITEBYTECODE: "1",
    TMPDIR: "/dev/shm",
  });
});
