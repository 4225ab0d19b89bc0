/** Bytes of links and frames: base64url without padding, numbers in network order, joining. */

export type Bytes = Uint8Array<ArrayBuffer>;

export function base64UrlOf(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Undefined for what is not base64url without padding. */
export function bytesOfBase64Url(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  );
  // Two texts of one value would make two rooms of one.
  return base64UrlOf(bytes) === text ? bytes : undefined;
}

export function joinBytes(...parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function uint32Bytes(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

export function uint32At(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset);
}

export function uint64Bytes(value: bigint): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

export function uint64At(bytes: Uint8Array, offset: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(offset);
}

export function randomBytesOf(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length));
}

export const utf8Bytes = (text: string): Bytes => new TextEncoder().encode(text);

/** A key that only WebCrypto sees the inside of; neither Node's types nor those of browsers are needed for the name. */
export type SubtleKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
