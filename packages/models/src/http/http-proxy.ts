/** A proxy for HTTP, and how requests introduce themselves to it. */
import { Buffer } from "node:buffer";

export type HttpProxy = {
  readonly url: URL;
  /** The value of `proxy-authorization`. */
  readonly authorization?: string;
};

/** A name and a password may stand in the URL. Throws when it is no http or https URL. */
export function parseHttpProxy(text: string): HttpProxy {
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new TypeError("A proxy has an http or https URL.");
  if (url.username === "" && url.password === "") return { url };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { url, authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}
