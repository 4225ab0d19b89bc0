/** Proves that telemetry is nothing unless it is switched on, and that no collector can keep a run from its end. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { loadConfiguration } from "../../src/index.ts";
import { type CollectorDouble, openSite, type Site, startCollector } from "./collector-site.ts";

let site: Site | undefined;
let collector: CollectorDouble | undefined;

afterEach(async () => {
  await site?.close();
  await collector?.close();
  site = undefined;
  collector = undefined;
});

/** Plays one prompt and tells how it ended and what the user was told. */
async function playWith(endpoint: string) {
  const played = await openSite({ script: [{ text: "Fine." }], settings: { telemetry: { enabled: true, endpoint } } });
  await played.play("hi");
  await played.close();
  const reasons = played.records.flatMap(({ fact }) => (fact.type === "run.ended" ? [fact.reason] : []));
  return { reasons, notices: played.notices };
}

const notice = (url: string) => `Telemetry cannot reach ${new URL(url).host}. kedge continues without it.`;

/** Each byte begins the patience of the SDK anew. */
function dribble(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write(" "), 200);
  response.on("close", () => clearInterval(timer));
}

// Side by side, because each of them waits for its two seconds.
describe.concurrent("a collector", () => {
  test("that is down costs one notice", async ({ expect }) => {
    const { url, close } = await startCollector();
    await close();
    expect(await playWith(url)).toEqual({ reasons: ["completed"], notices: [notice(url)] });
  });

  test("that answers with 500 costs one notice", async ({ expect }) => {
    const { url, sent, close } = await startCollector((response) => response.writeHead(500).end("{}"));
    expect(await playWith(url)).toEqual({ reasons: ["completed"], notices: [notice(url)] });
    expect(sent.length).toBeGreaterThan(0);
    await close();
  });

  test.for([
    ["never answers", () => undefined],
    ["never ends its answer", dribble],
  ] as const)("that %s does not keep kedge from its end", async ([, answer], { expect }) => {
    const { url, close } = await startCollector(answer);
    expect((await playWith(url)).reasons).toEqual(["completed"]);
    await close();
  });
});

test("a kedge that ran nothing sends nothing", async () => {
  collector = await startCollector();
  site = await openSite({ script: [], settings: { telemetry: { enabled: true, endpoint: collector.url } } });
  await site.leave();
  expect(collector.sent).toEqual([]);
});

test("the standard variables alone switch nothing on", async () => {
  collector = await startCollector();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  site = await openSite({ script: [{ text: "Fine." }], settings: {}, environment });
  await site.play("hi");
  await site.leave();
  expect(collector.sent).toEqual([]);
});

test("the standard variables name the collector once it is switched on", async () => {
  collector = await startCollector();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/base/`, OTEL_EXPORTER_OTLP_HEADERS: "x-a=1" };
  site = await openSite({ script: [{ text: "Fine." }], settings: { telemetry: { enabled: true } }, environment });
  await site.play("hi");
  await site.leave();
  expect(collector.sent.map(({ path, headers }) => [path, headers["x-a"]]).toSorted()).toEqual([
    ["/base/v1/metrics", "1"],
    ["/base/v1/traces", "1"],
  ]);
});

test("a variable that holds no URL is told of, and nothing else happens", async () => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" };
  site = await openSite({ script: [{ text: "Fine." }], settings: { telemetry: { enabled: true } }, environment });
  await site.play("hi");
  await site.leave();
  expect(site.notices).toEqual([
    "Telemetry is off: OTEL_EXPORTER_OTLP_ENDPOINT is not a URL. Fix it, or set telemetry.endpoint.",
  ]);
});

test.each([
  ["off", { loadedAtRequest: 0, loadedAtEnd: 0, loadedAtClose: 0 }, 0],
  ["on", { loadedAtRequest: 0, loadedAtEnd: 0, loadedAtClose: expect.any(Number) }, 2],
] as const)("with telemetry %s the SDK is loaded only when something is sent", async (enabled, loaded, requests) => {
  collector = await startCollector();
  const entry = join(import.meta.dirname, "lone-run.ts");
  const ran = await promisify(execFile)(process.execPath, [entry, collector.url, enabled]);
  const told: unknown = JSON.parse(ran.stdout);
  expect(told).toEqual(loaded);
  if (enabled === "on") expect(told).not.toMatchObject({ loadedAtClose: 0 });
  expect(collector.sent).toHaveLength(requests);
});

test("neither a project nor a file of the command line can switch it on", async () => {
  const place = mkdtempSync(join(tmpdir(), "kedge-telemetry-"));
  try {
    const project = join(place, "work");
    mkdirSync(project);
    const text = JSON.stringify({ telemetry: { enabled: true, endpoint: "http://stranger.example" } });
    writeFileSync(join(project, "kedge.json"), text);
    writeFileSync(join(place, "given.json"), text);
    const loaded = await loadConfiguration({
      ...{ home: join(place, ".kedge"), userDirectory: place, cwd: project, projectRoot: project, environment: {} },
      ...{ files: [join(place, "given.json")], isTrusted: true },
    });
    if (!loaded.ok) throw new Error(loaded.failure.message);
    expect(loaded.configuration.telemetry).toEqual({ enabled: false, headers: {}, intervalSeconds: 60 });
    expect(loaded.warnings).toEqual([
      "kedge.json: telemetry is ignored: a project may not decide where telemetry goes",
      "~/given.json: telemetry is ignored: it only applies in your own config.json",
    ]);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
