/** Reads the code and the fingerprint of a pairing link, and guesses a name for the device. */
import * as texts from "../texts/pairing.ts";

export type PairingLink = {
  readonly code?: string;
  /** SHA-256 in hexadecimal digits with colons, as the terminal and browsers show it. */
  readonly fingerprint?: string;
};

const inFragment = /^#([0-9A-Za-z]{4}-?[0-9A-Za-z]{4})(?:\.([\w-]{43}))?$/;

/** Takes them out of the address, so that they stay in no history. */
export function takePairing({ location, history }: Pick<Window, "location" | "history">): PairingLink {
  const [, code, digest] = inFragment.exec(location.hash) ?? [];
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  return {
    ...(code !== undefined && { code: code.toUpperCase() }),
    ...(digest !== undefined && { fingerprint: hexOf(digest) }),
  };
}

function hexOf(base64url: string): string {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return [...text].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()).join(":");
}

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, texts.androidPhone],
  [/Macintosh/, texts.mac],
  [/Windows/, texts.windowsComputer],
  [/Linux/, texts.linuxComputer],
];

export function guessName(userAgent: string): string {
  return systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? texts.device;
}
