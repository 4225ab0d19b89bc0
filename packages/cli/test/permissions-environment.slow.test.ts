/** Proves that the user decides which secrets commands of a headless run see. */
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const environment = { NPM_TOKEN: "npm-1", HF_TOKEN: "hf-1", GITHUB_TOKEN: "gh-1", KEDGE_SERVER_TOKEN: "own-1" };

const cases: readonly (readonly [env: object, seen: readonly string[]])[] = [
  [{}, ["GITHUB_TOKEN"]],
  [{ passthrough: ["NPM_TOKEN", "KEDGE_SERVER_TOKEN"] }, ["GITHUB_TOKEN", "NPM_TOKEN"]],
  [{ scrubGithub: true, passthrough: ["HF_TOKEN"] }, ["HF_TOKEN"]],
];

test.each(cases)("with %j", async (env, seen) => {
  const command = "env | cut -d= -f1 | grep TOKEN | sort";
  bench = await openWorkbench(
    [{ toolCalls: [{ name: "bash", input: { command, description: "lists names" } }] }, { text: "Done." }],
    { env, permission: { bash: { [command]: "allow" } } },
  );
  const { code } = await bench.run(["-p", "go"], { environment });
  const result = JSON.stringify(bench.model.requests[1]?.body.messages?.at(-1));
  const found = Object.keys(environment).filter((name) => result.includes(name));
  expect({ code, found: found.toSorted() }).toEqual({ code: 0, found: seen });
});
