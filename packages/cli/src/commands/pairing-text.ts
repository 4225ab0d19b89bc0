/** What a person is shown to pair a device: the link as a QR code, the code to type, and the fingerprint to compare. */

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
    `Pair a device: scan the QR code, or open ${address} and enter the code.`,
    `  code         ${code}  (works once, until ${until}; scope ${scope})`,
    `  certificate  ${fingerprintLines(fingerprint).join("\n               ")}`,
    "The browser warns about the certificate. Continue only if it shows this SHA-256 fingerprint.",
    "",
  ].join("\n");
}

function fingerprintLines(fingerprint: string): readonly string[] {
  const width = bytesPerLine * charactersPerByte;
  return [fingerprint.slice(0, width - 1), fingerprint.slice(width)];
}
