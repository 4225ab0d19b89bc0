/** What a person is shown to pair a device: the link as a QR code, the code to type, and the fingerprint to compare. */
import { pairingTexts } from "../texts/servers.ts";

export type ShownPairing = {
  readonly code: string;
  readonly url: string;
  readonly scope: string;
  readonly fingerprint: string;
  readonly expiresAt: number;
};

const bytesPerLine = 16;
const charactersPerByte = 3;

/** `qr` is left out where it cannot be drawn. */
export function pairingText(
  { code, url, scope, fingerprint, expiresAt }: ShownPairing,
  qr: string | undefined,
): string {
  const until = new Date(expiresAt).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const address = url.replace(/#.*$/, "");
  return [
    ...(qr === undefined ? [] : [qr]),
    pairingTexts.pair(address),
    pairingTexts.code(code, until, scope),
    pairingTexts.certificate(fingerprintLines(fingerprint).join("\n               ")),
    pairingTexts.warning,
    "",
  ].join("\n");
}

function fingerprintLines(fingerprint: string): readonly string[] {
  const width = bytesPerLine * charactersPerByte;
  return [fingerprint.slice(0, width - 1), fingerprint.slice(width)];
}
