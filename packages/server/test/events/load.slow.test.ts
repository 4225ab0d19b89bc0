/** Ten clients on five busy sessions, all in one process with the engine: nothing is lost; how late it comes is measured by the bench. */
import { expect, test } from "vitest";
import { connectClients, openBusyServer } from "./event-load.ts";

test("ten clients follow five busy sessions", async () => {
  const server = await openBusyServer({ sessions: 5, turns: 5, pauseMs: 5 });
  const clients = await connectClients(server.site.url, 10);
  const published = await server.run();
  const report = await clients.report(published);
  expect(report.facts).toBeGreaterThan(100);
  await server.close();
});
