/** One host and as many guests as a room takes: all see the same, live and afterwards, and no key of theirs is kept anywhere. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { base64UrlOf } from "@kedge/protocol/room";
import type { JoinedRoom } from "@kedge/sdk/room";
import { afterEach, expect, test } from "vitest";
import { linkOf, openSharedSite, type SharedSite, until } from "./shared-site.ts";

const guestsMax = 16;

let shared: SharedSite | undefined;

afterEach(async () => {
  await shared?.close();
  shared = undefined;
});

const messagesOf = async ({ client, session: { sessionId } }: JoinedRoom) =>
  (await client.messages(sessionId, { limit: 100 })).messages;

/** What a guest is shown of an answer while it is written. */
function listen({ client, session: { sessionId } }: JoinedRoom): { readonly text: () => string; end(): void } {
  const abort = new AbortController();
  let text = "";
  void (async () => {
    for await (const event of client.events(sessionId, 0, abort.signal)) {
      if (event.kind === "signal" && event.signal.type === "text.delta") text += event.signal.text;
    }
  })();
  return { text: () => text, end: () => abort.abort() };
}

test(`${guestsMax} guests see an answer live, prompt in turn, and end with what the host has`, async () => {
  const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");
  shared = await openSharedSite([
    { text: words },
    ...Array.from({ length: 8 }, (_, at) => ({ text: `Answer ${at}.` })),
  ]);
  const { site, sessionId, links } = shared;
  const guests: JoinedRoom[] = [];
  for (let count = 0; count < guestsMax; count += 1) {
    guests.push(await shared.join(count % 2 === 0 ? links.full.page : links.view.page, `guest-${count}`));
  }
  const { guests: listed } = await shared.status();
  expect(listed.map(({ name, rights }) => `${name} ${rights}`)).toEqual(
    guests.map((_, at) => `guest-${at} ${at % 2 === 0 ? "full" : "view"}`),
  );
  const heard = guests.map(listen);
  await site.call("POST", `/session/${sessionId}/prompt`, { body: { text: "A long one" } });
  for (const guest of guests) await until(async () => JSON.stringify(await messagesOf(guest)).includes("word399"));
  for (const { text, end } of heard) {
    expect(words.startsWith(text().trimEnd())).toBe(true);
    expect(text()).toContain("word0");
    end();
  }
  for (const [at, guest] of guests.entries()) {
    const prompt = {
      type: "prompt.submit",
      sessionId,
      text: `From ${at}`,
      delivery: "follow-up",
      options: {},
    } as const;
    expect((await guest.client.send<"prompt.submit">(prompt)).ok).toBe(at % 2 === 0);
  }
  await until(async () => JSON.stringify(await shared?.ownMessages()).includes("Answer 7."));
  await until(async () => {
    const own = JSON.parse(JSON.stringify(await shared?.ownMessages()));
    const all = await Promise.all(guests.map(async (guest) => JSON.parse(JSON.stringify(await messagesOf(guest)))));
    return all.every((each) => isDeepStrictEqual(each, own));
  });
  await expect(shared.join(links.view.page, "one too many")).rejects.toThrow("full");
});

test("no file of the host or the relay contains a key of the room, before and after it was shared", async () => {
  shared = await openSharedSite([{ text: "Shared." }]);
  const { site, sessionId, links } = shared;
  const guest = await shared.join(links.full.page, "Grace");
  const prompt = { type: "prompt.submit", sessionId, text: "Go on", delivery: "steer", options: {} } as const;
  expect(await guest.client.send<"prompt.submit">(prompt)).toMatchObject({ ok: true });
  await until(async () => JSON.stringify(await messagesOf(guest)).includes("Shared."));
  const secrets = [...secretsOf(links.full.page), ...secretsOf(links.view.page)];
  const rotated = await site.call("POST", `/session/${sessionId}/collab/rotate`, { body: {} });
  secrets.push(...secretsOf((rotated.json as SharedSite["links"]).full.page));
  await site.call("DELETE", `/session/${sessionId}/collab`);
  const found: string[] = [];
  let files = 0;
  for (const entry of readdirSync(site.place, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files += 1;
    const content = readFileSync(join(entry.parentPath, entry.name));
    if (secrets.some((secret) => content.includes(secret))) found.push(entry.name);
  }
  expect(files).toBeGreaterThan(3);
  expect(found).toEqual([]);
});

/** As bytes and as they stand in a link. */
function secretsOf(link: string): readonly Buffer[] {
  const { key, writeToken } = linkOf(link);
  return [key, ...(writeToken === undefined ? [] : [writeToken])].flatMap((secret) => [
    Buffer.from(secret),
    Buffer.from(base64UrlOf(secret)),
  ]);
}
