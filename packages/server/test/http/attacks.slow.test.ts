/** Attacks on a server that listens on loopback, as it does by default. */
import { connect } from "node:net";
import { attackCases } from "./attack-cases.ts";
import { scriptedAnswers } from "./scripted-answers.ts";
import { openSite } from "./server-site.ts";

attackCases(async (serve = {}) => {
  const site = await openSite({ script: scriptedAnswers, serve });
  const { port, token, url } = site.server;
  return { ...site, token, url, hostName: `127.0.0.1:${port}`, connect: () => connect(port, "127.0.0.1") };
});
