/** Every form of link leads to the same room, and what is no link says so. */
import { expect, test } from "vitest";
import { base64UrlOf } from "./bytes.ts";
import { relayAddress } from "./relay-address.ts";
import { formatRoomLink, parseRoomLink } from "./room-link.ts";

const room = Uint8Array.from({ length: 16 }, (_, index) => index * 7 + 250);
const key = Uint8Array.from({ length: 32 }, (_, index) => index * 11 + 3);
const writeToken = Uint8Array.from({ length: 16 }, (_, index) => 255 - index);
const view = `${base64UrlOf(room)}.${base64UrlOf(key)}`;
const full = `${base64UrlOf(room)}.${base64UrlOf(Uint8Array.from([...key, ...writeToken]))}`;

test.each([
  [`https://relay.example.com/#${full}`, "wss://relay.example.com"],
  [`https://relay.example.com:8443/#${full}`, "wss://relay.example.com:8443"],
  [`relay.example.com/r/${full}`, "wss://relay.example.com"],
  [`wss://relay.example.com/r/${full}`, "wss://relay.example.com"],
  [`ws://localhost:8787/r/${full}`, "ws://localhost:8787"],
  [`http://127.0.0.1:8787/#${full}`, "ws://127.0.0.1:8787"],
  [`  https://relay.example.com/#${full.replace(".", "#")}  `, "wss://relay.example.com"],
  [`https://relay.example.com/#${full.replace(".", "%23")}`, "wss://relay.example.com"],
])("%s names %s", (text, relay) => {
  expect(parseRoomLink(text)).toEqual({ ok: true, link: { relay, room, key, writeToken } });
});

test("a bare room and key rely on the configured relay, and 32 bytes only show", () => {
  expect(parseRoomLink(view)).toEqual({ ok: true, link: { room, key } });
});

test.each([
  "",
  "hello",
  "https://relay.example.com/",
  `https://relay.example.com/#${base64UrlOf(room)}`,
  `${view}x`,
  `${view}.${view}`,
  `https://relay.example.com/other/#${view}`,
  `https:///#${view}`,
  `${base64UrlOf(key)}.${base64UrlOf(key)}`,
  `${base64UrlOf(room)}.${base64UrlOf(key)}=`,
])("%s is no link", (text) => {
  expect(parseRoomLink(text).ok).toBe(false);
});

test.each([`ws://relay.example.com/r/${view}`, `http://relay.example.com/#${view}`])(
  "%s is refused because it is not encrypted",
  (text) => {
    expect(parseRoomLink(text)).toMatchObject({ ok: false, problem: expect.stringContaining("wss://") });
  },
);

test.each(["wss://relay.example.com:8443", "ws://127.0.0.1:8787"])(
  "links through %s are read again as they were",
  (relay) => {
    const forms = formatRoomLink({ relay, room, key, writeToken });
    for (const text of [forms.page, forms.join]) {
      expect(parseRoomLink(text)).toEqual({ ok: true, link: { relay, room, key, writeToken } });
    }
  },
);

test.each([
  ["relay.example.com", "wss://relay.example.com"],
  ["https://relay.example.com/", "wss://relay.example.com"],
  ["http://localhost:1", "ws://localhost:1"],
  ["http://example.com", undefined],
  ["wss://user@example.com", undefined],
  ["wss://example.com/path", undefined],
  ["", undefined],
])("%s as the address of a relay", (text, expected) => {
  expect(relayAddress(text)).toBe(expected);
});
