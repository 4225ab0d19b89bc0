import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { childEnvironment, isSecretName } from "./child-environment.ts";

const ordinary = {
  PATH: "/usr/bin:/bin",
  HOME: "/home/someone",
  LANG: "C",
  EDITOR: "vi",
  KEY_COUNT: "3",
  TOKENIZER: "x",
};
const own = ["KEDGE_SERVER_TOKEN", "KEDGE_BRIDGE_SECRET", "KEDGE_API_KEY", "KEDGE_PASSWORD", "KEDGE_DATABASE_URL"];
const foreign = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_CUSTOM_HEADERS",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "SOME_NEW_PROVIDER_API_KEY",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "HF_TOKEN",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_BEARER_TOKEN_BEDROCK",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "AZURE_CLIENT_SECRET",
  "ARM_CLIENT_SECRET",
  "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
  "ACTIONS_ID_TOKEN_REQUEST_URL",
  "ACTIONS_RUNTIME_TOKEN",
  "ACTIONS_CACHE_URL",
  "CI_JOB_TOKEN",
  "NPM_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
  "STRIPE_WEBHOOK_SECRET",
  "DEPLOY_PRIVATE_KEY",
];
const github = ["GITHUB_TOKEN", "GH_TOKEN"];

function canaries(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `canary-${name}`]));
}

const everything = { ...ordinary, ...canaries([...own, ...foreign, ...github]) };

test("kedge's own secrets never reach a child, not even by passthrough", () => {
  expect(childEnvironment(everything, { scrub: false, passthrough: own })).toEqual({
    ...ordinary,
    ...canaries([...foreign, ...github]),
  });
});

test("scrubbing removes every secret and its INPUT_ twin and nothing else", () => {
  const twins = [...own, ...foreign].map((name) => `INPUT_${name}`);
  const source = { ...everything, ...canaries(twins), ...canaries(["INPUT_openai-api-key"]), UNSET: undefined };
  expect(childEnvironment(source, { scrub: true })).toEqual({ ...ordinary, ...canaries(github) });
});

test("GitHub tokens go only when told to", () => {
  expect(childEnvironment(everything, { scrub: true, scrubGithub: true })).toEqual(ordinary);
});

test("passthrough leaves named secrets in place", () => {
  expect(childEnvironment(everything, { scrub: true, passthrough: ["NPM_TOKEN"] })).toEqual({
    ...ordinary,
    ...canaries([...github, "NPM_TOKEN"]),
  });
});

test("passthrough takes names in any case, names no twin and works for GitHub tokens too", () => {
  const source = {
    ...canaries(["OPENAI_API_KEY", "INPUT_OPENAI_API_KEY", "GH_TOKEN", "INPUT_GITHUB_TOKEN"]),
    ...ordinary,
  };
  const options = { scrub: true, scrubGithub: true, passthrough: ["openai-api-key", "GH_TOKEN"] };
  expect(childEnvironment(source, options)).toEqual({ ...ordinary, ...canaries(["OPENAI_API_KEY", "GH_TOKEN"]) });
});

test("GitHub tokens go without any other scrubbing", () => {
  expect(childEnvironment(everything, { scrub: false, scrubGithub: true })).toEqual({
    ...ordinary,
    ...canaries(foreign),
  });
});

test("a real child sees no canary", () => {
  const { stdout } = spawnSync("env", [], {
    env: childEnvironment(everything, { scrub: true, scrubGithub: true }),
    encoding: "utf8",
  });
  expect(stdout).toContain("LANG=C");
  expect(stdout).not.toContain("canary");
});

test("secret names are told from ordinary ones", () => {
  expect([...own, ...foreign, ...github].filter((name) => !isSecretName(name))).toEqual([]);
  expect(Object.keys(ordinary).filter(isSecretName)).toEqual([]);
});
