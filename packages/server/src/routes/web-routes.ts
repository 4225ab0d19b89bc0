/** The routes of the web app: its page at every address of it, and the files that the page names. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Route } from "@kedge/protocol";
import { answerProblem } from "../http/answer-json.ts";
import type { AppParts } from "../http/app-parts.ts";
import type { ServerApp } from "../http/server-environment.ts";

const folder = "/app";

/** The same for everyone: what a page shows of a session it asks for with the cookie of its browser. */
export const webRoutes: readonly Route[] = [
  { method: "GET", path: "/" },
  { method: "GET", path: folder },
  { method: "GET", path: `${folder}/*` },
];

/**
 * Nothing comes from elsewhere, nothing inline runs or styles, and no other page shows this one. A library that adds a
 * style element has its rules ignored; they can be given to the document as a constructed style sheet.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const safety = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Names with a digest of the content in them: what is there once is there for good. */
const asset = /^[\w-]+-[\w-]{8}\.(css|js|json|svg|png|woff2|webmanifest)$/;

const contentTypes: { readonly [extension: string]: string } = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
  webmanifest: "application/manifest+json",
};

/** Of names that stay, so that what a browser installs finds the next version of itself. */
const namedFiles: readonly { readonly name: string; readonly type: string }[] = [
  { name: "service-worker.js", type: "text/javascript; charset=utf-8" },
  { name: "manifest.webmanifest", type: "application/manifest+json" },
  { name: "icon-180.png", type: "image/png" },
  { name: "icon-192.png", type: "image/png" },
  { name: "icon-512.png", type: "image/png" },
];

export function addWebRoutes(app: ServerApp, { webDirectory: directory, authorityPem }: WebParts): void {
  addNamedFiles(app, directory);
  if (authorityPem !== undefined) addAuthorityRoute(app, authorityPem);
  app.get(`${folder}/assets/:name`, async (context) => {
    const name = context.req.param("name");
    const [, extension = ""] = asset.exec(name) ?? [];
    const bytes = extension === "" || directory === undefined ? undefined : await readIfThere(directory, name);
    if (bytes === undefined) {
      const message = `The web app has no file ${name}.`;
      return answerProblem({ status: 404, code: "not_found", message, recovery: "Reload the page." });
    }
    const headers = {
      "content-type": contentTypes[extension] ?? "",
      "cache-control": "public, max-age=31536000, immutable",
    };
    return new Response(bytes, { headers: { ...safety, ...headers } });
  });
  for (const path of ["/", `${folder}/pair`, folder, `${folder}/*`]) {
    app.get(path, (context) => {
      const name = path.endsWith("/pair") ? "pair.html" : "index.html";
      const page = directory === undefined ? undefined : readPage(directory, name);
      if (page === undefined) return new Response(notBuilt, { status: 404, headers: { "content-type": "text/plain" } });
      const etag = `"${createHash("sha256").update(page).digest("base64url").slice(0, 22)}"`;
      const headers = { ...safety, etag, "cache-control": "no-cache" };
      // Whoever compresses on the way calls it a weak one.
      if (context.req.header("if-none-match")?.replace(/^W\//, "") === etag)
        return new Response(null, { status: 304, headers });
      return new Response(page, { headers: { ...headers, "content-type": "text/html; charset=utf-8" } });
    });
  }
}

type WebParts = Pick<AppParts, "webDirectory" | "authorityPem">;

/** The page is at `/app`, one step above what a worker in that folder may answer for. */
const workerScope = { "service-worker-allowed": folder };

function addNamedFiles(app: ServerApp, directory: string | undefined): void {
  for (const { name, type } of namedFiles) {
    app.get(`${folder}/${name}`, async () => {
      const bytes = directory === undefined ? undefined : await readIfThere(directory, name, "");
      if (bytes === undefined)
        return new Response(notBuilt, { status: 404, headers: { "content-type": "text/plain" } });
      return new Response(bytes, {
        headers: { ...safety, "content-type": type, "cache-control": "no-cache", ...workerScope },
      });
    });
  }
}

/** Public by its nature: whoever connects is shown it. A device that installs it no longer warns of the server. */
function addAuthorityRoute(app: ServerApp, authorityPem: string): void {
  app.get(`${folder}/kedge-ca.crt`, () => {
    const headers = { "content-type": "application/x-x509-ca-cert", "cache-control": "no-store" };
    return new Response(authorityPem, { headers: { ...safety, ...headers } });
  });
}

const notBuilt = "The web app is not part of this build of kedge. Build it with node scripts/build.ts.\n";

/** With every request, since a build may put another one in its place. */
function readPage(directory: string, name: string): string | undefined {
  try {
    return readFileSync(join(directory, name), "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readIfThere(
  directory: string,
  name: string,
  inside = "assets",
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(join(directory, inside, name)));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
