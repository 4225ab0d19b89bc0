/** Serves the page of the tests of parts on loopback, with the policy of the app or with none. */

import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { themeCss } from "./theme-css.ts";

export type PartsSite = { readonly url: string; close(): Promise<void> };

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'";

export async function openPartsSite(options: { readonly hasPolicy: boolean }): Promise<PartsSite> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "parts-app.tsx")],
    outdir: "out",
    ...{ bundle: true, write: false, format: "esm", splitting: true, jsx: "automatic", jsxImportSource: "preact" },
    tsconfigRaw: "{}",
    logLevel: "error",
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path.slice(path.lastIndexOf("/")), contents]));
  const html = (theme: string) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parts</title><link rel="icon" href="data:,">` +
    `<link rel="stylesheet" href="/theme-${theme}.css"><link rel="stylesheet" href="/parts-app.css"></head>` +
    `<body><div id="app"></div><script type="module" src="/parts-app.js"></script></body></html>`;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const headers = options.hasPolicy ? { "content-security-policy": policy } : {};
    const theme = /^\/theme-([\w-]+)\.css$/.exec(pathname)?.[1];
    const file = files.get(pathname);
    if (pathname === "/") {
      response.writeHead(200, { ...headers, "content-type": "text/html; charset=utf-8" });
      response.end(html(searchParams.get("theme") ?? "kedge-light"));
    } else if (theme !== undefined) {
      response.writeHead(200, { "content-type": "text/css" }).end(themeCss(theme));
    } else if (file !== undefined) {
      response.writeHead(200, { "content-type": pathname.endsWith(".css") ? "text/css" : "text/javascript" }).end(file);
    } else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
