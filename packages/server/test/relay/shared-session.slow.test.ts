/** A session shared with guests through the real relay: what they see, what they may do, and what is refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openSharedSite, readUntilEnd, type SharedSite, until } from "./shared-site.ts";

let opened: SharedSite | undefined;

afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

async function open(...given: Parameters<typeof openSharedSite>): Promise<SharedSite> {
  opened = await openSharedSite(...given);
  return opened;
}

test("a guest sees what was said before and what follows, as the host's own store has it", async () => {
  const shared = await open([{ text: "First answer." }, { text: "Second answer." }]);
  const { site, sessionId, links } = shared;
  await site.call("POST", `/session/${sessionId}/prompt`, { body: { text: "First question" } });
  const viewer = await shared.join(links.view.page, "Ada");
  const before = await viewer.client.messages(sessionId, { limit: 100 });
  expect(JSON.stringify(before)).toContain("First answer.");
  await site.call("POST", `/session/${sessionId}/prompt`, { body: { text: "Second question" } });
  await until(async () =>
    JSON.stringify(await viewer.client.messages(sessionId, { limit: 100 })).includes("Second answer."),
  );
  const own = await shared.ownMessages();
  await until(
    async () => (await viewer.client.messages(sessionId, { limit: 1 })).messages[0]?.completedAt !== undefined,
  );
  expect((await viewer.client.messages(sessionId, { limit: 100 })).messages).toEqual(own);
});

test("the full link may prompt, under the guest's name, and the model sees only the text", async () => {
  const shared = await open([{ text: "Hello to you." }]);
  const { site, sessionId, links } = shared;
  const guest = await shared.join(links.full.join, "Grace");
  expect(guest.you()).toMatchObject({ name: "Grace", rights: "full" });
  const sent = await guest.client.send<"prompt.submit">({
    ...{ type: "prompt.submit", sessionId, text: "/help me", delivery: "follow-up", options: {} },
  });
  expect(sent.ok).toBe(true);
  await readUntilEnd(guest);
  const [request] = site.model.requests;
  expect(JSON.stringify(request?.body)).toContain("/help me");
  expect(JSON.stringify(request?.body)).not.toContain("Grace");
  const own = JSON.stringify(await shared.ownMessages());
  expect(own).toContain('"from":"Grace"');
});

test("the view link may look and nothing else, and the host sees what was refused", async () => {
  const shared = await open([]);
  const { site, sessionId, links } = shared;
  const viewer = await shared.join(links.view.page, "Eve");
  expect(viewer.you().rights).toBe("view");
  const sent = await viewer.client.send<"prompt.submit">({
    ...{ type: "prompt.submit", sessionId, text: "Do it", delivery: "steer", options: {} },
  });
  expect(sent).toMatchObject({ ok: false, failure: { message: "This link is view-only." } });
  const answered = await viewer.client.send<"permission.answer">({
    ...{ type: "permission.answer", sessionId, requestId: "req_1", reply: "once" },
  });
  expect(answered).toMatchObject({ ok: false });
  expect(site.model.requests).toHaveLength(0);
});

test("a guest raised by the host may prompt, and one lowered may not", async () => {
  const shared = await open([{ text: "Yes." }]);
  const { site, sessionId, links } = shared;
  const viewer = await shared.join(links.view.page);
  const full = await shared.join(links.full.page);
  const prompt = { type: "prompt.submit", sessionId, text: "Go", delivery: "steer", options: {} } as const;
  const path = `/session/${sessionId}/collab/guest`;
  await site.call("PATCH", `${path}/${viewer.you().guest}`, { body: { rights: "full" } });
  await site.call("PATCH", `${path}/${full.you().guest}`, { body: { rights: "view" } });
  await until(() => viewer.you().rights === "full" && full.you().rights === "view");
  expect(await full.client.send<"prompt.submit">(prompt)).toMatchObject({ ok: false });
  expect(await viewer.client.send<"prompt.submit">(prompt)).toMatchObject({ ok: true });
});

test("a secret of the host's environment does not reach guests", async () => {
  const secret = "hunter2-hunter2-hunter2";
  const shared = await open([{ text: `The password is ${secret}.` }], { env: {} });
  const { site, sessionId } = shared;
  await site.call("DELETE", `/session/${sessionId}/collab`);
  writeFileSync(join(site.home, "secrets.yml"), `- type: plain\n  content: ${secret}\n`);
  const again = await site.call("POST", `/session/${sessionId}/collab`, { body: { isConfirmed: true } });
  const view = (again.json as SharedSite["links"]).view.page;
  const viewer = await shared.join(view);
  const seen: string[] = [];
  const abort = new AbortController();
  const reading = (async () => {
    for await (const event of viewer.client.events(sessionId, 0, abort.signal)) {
      seen.push(JSON.stringify(event));
      if (event.kind === "fact" && event.record.fact.type === "run.ended") return;
    }
  })();
  await site.call("POST", `/session/${sessionId}/prompt`, { body: { text: "What is it?" } });
  await reading;
  expect(JSON.stringify(await shared.ownMessages())).toContain(secret);
  expect(seen.join("\n")).not.toContain(secret);
  expect(seen.join("\n")).toContain("[REDACTED:secret]");
});

test("rotating moves guests to new links, a removed guest stays behind, and stopping ends the room", async () => {
  const shared = await open([{ text: "Still here." }]);
  const { site, sessionId, links } = shared;
  const kept = await shared.join(links.full.page, "Kept");
  const removed = await shared.join(links.view.page, "Removed");
  const kicked = await site.call("DELETE", `/session/${sessionId}/collab/guest/${removed.you().guest}`);
  expect(kicked.status).toBe(200);
  expect(await removed.ended).toBe("The host removed you");
  await until(async () => (await shared.status()).guests.some(({ name }) => name === "Kept"));
  expect((await shared.status()).guests).toMatchObject([{ name: "Kept", rights: "full" }]);
  const prompt = { type: "prompt.submit", sessionId, text: "Are you there?", delivery: "steer", options: {} } as const;
  expect(await kept.client.send<"prompt.submit">(prompt)).toMatchObject({ ok: true });
  await expect(shared.join(links.full.page)).rejects.toThrow("No host is connected to this room");
  await site.call("DELETE", `/session/${sessionId}/collab`);
  expect(await kept.ended).toBe("The host stopped sharing");
  expect(await shared.status()).toMatchObject({ isShared: false, guests: [] });
});

test("a guest who was lowered stays lowered when the links are replaced", async () => {
  const shared = await open([]);
  const { site, sessionId, links } = shared;
  const lowered = await shared.join(links.full.page, "Lowered");
  const path = `/session/${sessionId}/collab`;
  await site.call("PATCH", `${path}/guest/${lowered.you().guest}`, { body: { rights: "view" } });
  const removed = await shared.join(links.view.page, "Removed");
  await site.call("DELETE", `${path}/guest/${removed.you().guest}`);
  await until(async () => (await shared.status()).guests.some(({ name }) => name === "Lowered"));
  expect((await shared.status()).guests).toMatchObject([{ name: "Lowered", rights: "view" }]);
  const prompt = { type: "prompt.submit", sessionId, text: "Go", delivery: "steer", options: {} } as const;
  expect(await lowered.client.send<"prompt.submit">(prompt)).toMatchObject({ ok: false });
});

test("sharing asks first, and says that a relay is missing", async () => {
  const shared = await open([]);
  const { site } = shared;
  const other = await site.newSession();
  const asked = await site.call("POST", `/session/${other}/collab`, { body: {} });
  expect(asked.json).toMatchObject({ isShared: false, shows: expect.stringContaining("Guests see") });
  expect((await site.call("GET", `/session/${other}/collab`)).json).toMatchObject({ isShared: false });
  const wrong = await site.call("POST", `/session/${other}/collab`, {
    body: { relay: "ws://example.com", isConfirmed: true },
  });
  expect(wrong.text).toContain("is not a relay address");
});
