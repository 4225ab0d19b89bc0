/** Clients that come back after nobody followed for so long that nothing was kept for them. */
import { expect, test } from "vitest";
import type { HubFollowOptions } from "../../src/events/start-place.ts";
import { created, delta, openSite, reader, type Site, stepEnded, stepStarted, typesOf } from "./hub-site.ts";

/** Follows for a moment and leaves; the id of the last frame is what the client comes back with. */
async function visit(site: Site, options: Partial<HubFollowOptions>): Promise<string> {
  const stream = reader(site, options);
  const [connected] = await stream.next(1);
  stream.end();
  await stream.next(1);
  return connected?.id ?? "";
}

function rest(site: Site): void {
  site.world.time += 11 * 60_000;
  site.tick(10_000);
}

const facts = {};
const parts = { view: "parts" } as const;

test.each([
  { name: "facts", view: facts, other: parts, missed: ["step.started"], next: "step.ended" },
  { name: "parts", view: parts, other: facts, missed: [], next: "message.part.updated" },
])("whoever was away too long is told that $name are missing", async ({ view, other, missed, next }) => {
  const site = openSite();
  await site.append("ses_a", created, stepStarted("stp_1"));
  const returned = async (after: string) => typesOf(await reader(site, { ...view, after }).next(2));
  const told = ["server.connected", "server.resync"];
  // The other vocabulary keeps the hub listening, or nothing does and the facts are those of another process.
  const listener = reader(site, other);
  await listener.next(1);
  const whileHeard = await visit(site, view);
  rest(site);
  expect(site.listeners.size).toBe(1);
  site.signal(delta("ses_a", "stp_1", "One"));
  await site.append("ses_a", stepEnded("stp_1", "One two"));
  expect(await returned(whileHeard)).toEqual(told);
  listener.end();

  const quiet = openSite();
  await quiet.append("ses_a", created);
  const id = await visit(quiet, view);
  rest(quiet);
  expect(quiet.listeners.size).toBe(0);
  await quiet.store.append("ses_a", [stepStarted("stp_1")], { boot: "other", durable: false });
  const back = reader(quiet, { ...view, after: id });
  expect(typesOf(await back.next(2))).toEqual(told);
  expect(typesOf(await back.next(missed.length))).toEqual(missed);
  // Who has been told so once goes on from there without a gap.
  const latest = await visit(quiet, view);
  await quiet.append("ses_a", stepEnded("stp_1", "One"));
  const goneOn = await reader(quiet, { ...view, after: latest }).next(2);
  expect(typesOf(goneOn)).toEqual(["server.connected", next]);
});

test("an id of one vocabulary does not hide what the other one did not tell", async () => {
  const site = openSite();
  const stream = reader(site);
  const [connected] = await stream.next(1);
  await site.append("ses_a", created);
  await stream.next(1);
  const other = reader(site, { ...parts, ...(connected !== undefined && { after: connected.id }) });
  expect(typesOf(await other.next(2))).toEqual(["server.connected", "server.resync"]);
});
