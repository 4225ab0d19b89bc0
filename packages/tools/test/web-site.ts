/** A web site on loopback for the tests of the web tools, and the parts that let a tool reach it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { judgeUrl } from "@kedge/sandbox";
import type { WebParts } from "../src/web/fetch-page.ts";

export type Visit = (request: IncomingMessage, response: ServerResponse) => void;

export type Site = Awaited<ReturnType<typeof openSite>>;

/** Names of the test: both lead to this machine and both are allowed, on the site's port only. */
export const siteName = "site.test";
const otherName = "other.test";

export async function openSite() {
  const routes = new Map<string, Visit>();
  const visits: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    visits.push(`${request.headers.host?.split(":")[0]}${path}`);
    const visit = routes.get(path.split("?")[0] ?? "");
    if (visit === undefined) response.writeHead(404).end("no such page");
    else visit(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // Servers that listen on a port have an address of this form.
  const { port } = server.address() as AddressInfo;
  const allowHosts = [`${siteName}:${port}`, `${otherName}:${port}`, `127.0.0.1:${port}`];
  const parts: WebParts = {
    judgeAddress: (url, addresses) => judgeUrl({ url, policy: { allowHosts }, ...(addresses && { addresses }) }),
    now: () => 0,
    lookUp: async (name) => (name === siteName || name === otherName ? ["127.0.0.1"] : []),
  };
  return {
    port,
    parts,
    visits,
    url: (path: string, name = siteName) => `http://${name}:${port}${path}`,
    at: (path: string, visit: Visit) => void routes.set(path, visit),
    /** A page of this type and content. */
    page: (path: string, contentType: string, body: string | Buffer) =>
      void routes.set(path, (_, response) => void response.writeHead(200, { "content-type": contentType }).end(body)),
    redirect: (path: string, location: string, status = 302) =>
      void routes.set(path, (_, response) => void response.writeHead(status, { location }).end()),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
