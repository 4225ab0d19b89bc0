/** How the user's network leads to hosts: through which proxies, and whose certificates count. */
import { Buffer } from "node:buffer";

export type Network = {
  /** The proxy on the way to an address, where there is one. */
  readonly proxyFor?: (url: URL) => string | undefined;
  /** Certificates, as PEM text, of authorities that are trusted besides those of the system. */
  readonly ca?: string;
  /** What kedge shows to servers that ask for a certificate. */
  readonly client?: ClientCertificate;
};

/** Both as PEM text. */
export type ClientCertificate = { readonly cert: string; readonly key: string; readonly passphrase?: string };

/** The way to one host. */
export type Route = { readonly proxy?: HttpProxy; readonly ca?: string; readonly client?: ClientCertificate };

export type HttpProxy = {
  readonly url: URL;
  /** The value of `proxy-authorization`. */
  readonly authorization?: string;
};

/** Throws when the proxy is no URL. */
export function routeTo(url: URL, { proxyFor, ca, client }: Network): Route {
  const proxy = proxyFor?.(url);
  return {
    ...(proxy === undefined ? {} : { proxy: parseHttpProxy(proxy) }),
    ...(ca === undefined ? {} : { ca }),
    ...(client === undefined ? {} : { client }),
  };
}

/** The URL may contain a user name and a password. Throws when it is not an http or https URL. */
export function parseHttpProxy(text: string): HttpProxy {
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new TypeError("A proxy needs an http or https URL.");
  if (url.username === "" && url.password === "") return { url };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { url, authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}
