/** Fetches a sealed copy of a session from the relay and opens it with the key of the link. */
import { isJsonObject, type MessageView } from "@kedge/protocol";
import * as texts from "../texts/guest.ts";

export type SessionCopy = {
  readonly title: string;
  readonly directory: string;
  readonly messages: readonly MessageView[];
};

export type OpenedCopy =
  | { readonly ok: true; readonly copy: SessionCopy }
  | { readonly ok: false; readonly problem: string };

const ivBytes = 12;
/** Unpacked. A relay keeps 10 MB at most, which may unpack to anything. */
const copyBytesMax = 256 * 1024 * 1024;

export async function openCopy(address: string, key: Uint8Array<ArrayBuffer>): Promise<OpenedCopy> {
  const answer = await fetch(address).catch(() => undefined);
  if (answer === undefined) return failed(texts.relayUnreachable);
  if (answer.status === 404) return failed(texts.noCopy);
  if (!answer.ok) return failed(texts.relayStatus(answer.status));
  const packed = await unseal(new Uint8Array(await answer.arrayBuffer()), key).catch(() => undefined);
  if (packed === undefined) return failed(texts.wrongKey);
  const text = await unpack(packed).catch(() => undefined);
  const copy = text === undefined ? undefined : readCopy(text);
  return copy === undefined ? failed(texts.damaged) : { ok: true, copy };
}

function failed(problem: string): OpenedCopy {
  return { ok: false, problem };
}

async function unseal(sealed: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["decrypt"]);
  return crypto.subtle.decrypt({ name: "AES-GCM", iv: sealed.slice(0, ivBytes) }, key, sealed.slice(ivBytes));
}

/** Undefined where it is larger than any session that kedge uploads. */
async function unpack(packed: ArrayBuffer): Promise<string | undefined> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const decoder = new TextDecoder();
  const chunks: string[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks.join("") + decoder.decode();
    length += value.byteLength;
    if (length > copyBytesMax) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(decoder.decode(value, { stream: true }));
  }
}

function readCopy(text: string): SessionCopy | undefined {
  const value = parsed(text);
  if (!isJsonObject(value) || value["format"] !== "kedge-session" || value["version"] !== 1) return undefined;
  const { session, messages } = value;
  if (!isJsonObject(session) || !Array.isArray(messages) || !messages.every(isMessage)) return undefined;
  const { title, directory } = session;
  return {
    title: typeof title === "string" ? title : "",
    directory: typeof directory === "string" ? directory : "",
    // Their form was checked as far as rows need it; what draws parts copes with the rest, or the page says so.
    messages: messages as unknown as readonly MessageView[],
  };
}

function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { id, role, parts } = value;
  return typeof id === "string" && (role === "user" || role === "assistant") && Array.isArray(parts);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
