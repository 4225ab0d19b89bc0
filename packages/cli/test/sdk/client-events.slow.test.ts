/** The events of the Client contract: the same suite in process, over HTTP and over a port. */
import { type Client, type Event, isDelta } from "@kedge/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asked, converse, newSession, sent } from "./conversation-steps.ts";
import { type OpenedClient, openClient, openSdkBench, type SdkBench, transports } from "./sdk-bench.ts";

describe.each(transports)("a client %s", (transport) => {
  let bench: SdkBench;
  let opened: OpenedClient;
  let client: Client;

  beforeAll(async () => {
    bench = await openSdkBench();
    opened = await openClient(bench, transport);
    client = opened.client;
  });
  afterAll(async () => {
    await opened?.close();
    await bench?.close();
  });

  test("events after a number begin there, and go on with what is live", async () => {
    const sessionId = await newSession(client);
    await converse(client, sessionId, "before");
    const { lastSeq } = await asked(client, { type: "session.read", sessionId });
    const stop = new AbortController();
    const seqs: number[] = [];
    for await (const event of client.events(sessionId, lastSeq - 2, stop.signal)) {
      if (event.kind !== "fact") continue;
      const { seq, fact } = event.record;
      seqs.push(seq);
      if (seq === lastSeq) await sent(client, { type: "session.update", sessionId, title: "after" });
      if (fact.type === "session.updated") stop.abort();
    }
    expect(seqs).toEqual([lastSeq - 1, lastSeq, lastSeq + 1]);
  });

  test("events after the newest leave out what was before, and deltas if so wished", async () => {
    const sessionId = await newSession(client);
    await converse(client, sessionId, "before");
    const { lastSeq } = await asked(client, { type: "session.read", sessionId });
    const stop = new AbortController();
    const events = client.events(sessionId, "newest", stop.signal, { deltas: false })[Symbol.asyncIterator]();
    const seen: (Event | undefined)[] = [];
    const first = events.next().then(({ value }) => seen.push(value));
    // Nothing tells when a server listens, so something happens until it is heard.
    for (let count = 0; seen.length === 0 && count < 1_000; count += 1) {
      await sent(client, { type: "session.update", sessionId, title: `title ${count}` });
    }
    await first;
    await converse(client, sessionId, "after");
    const factOf = (event: Event | undefined) => (event?.kind === "fact" ? event.record.fact.type : undefined);
    while (factOf(seen.at(-1)) !== "run.ended") seen.push((await events.next()).value);
    stop.abort();
    const seqs = seen.flatMap((event) => (event?.kind === "fact" ? [event.record.seq] : []));
    expect(seqs[0]).toBeGreaterThan(lastSeq);
    expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    expect(seen.filter((event) => event?.kind === "signal" && isDelta(event.signal))).toEqual([]);
  });

  test("all sessions can be followed, from now on and from a frame that was seen", async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    let after: string | undefined;
    let sessionId = "";
    for await (const frame of client.follow({ signal: stop.signal })) {
      if (frame.type === "server.connected") {
        sessionId = await newSession(client);
        await sent(client, { type: "session.update", sessionId, title: "followed" });
      }
      if (frame.sessionId !== sessionId) continue;
      seen.push(frame.type);
      if (frame.type === "session.created") after = frame.id;
      if (frame.type === "session.updated") stop.abort();
    }
    expect(seen).toEqual(["session.created", "session.updated"]);
    const again = new AbortController();
    const resumed: string[] = [];
    for await (const frame of client.follow({ signal: again.signal, ...(after !== undefined && { after }) })) {
      if (frame.sessionId === undefined) continue;
      resumed.push(`${frame.sessionId} ${frame.type}`);
      again.abort();
    }
    expect(resumed).toEqual([`${sessionId} session.updated`]);
  });
});
