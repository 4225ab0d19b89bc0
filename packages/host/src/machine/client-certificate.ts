/** The certificate that kedge shows to servers that ask for one: read and tried at the start, so that no call fails later. */
import type { ClientCertificate } from "@kedge/models";
import { FailureError, reasonOf } from "@kedge/protocol";

export type ClientCertificateSettings = {
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly clientKeyPassphrase?: string;
};

/** Undefined where none is set; throws a failure when the files cannot be read or do not belong together. */
export function readClientCertificate(
  { clientCert, clientKey, clientKeyPassphrase }: ClientCertificateSettings,
  textOf: (file: string) => string,
): ClientCertificate | undefined {
  if (clientCert === undefined && clientKey === undefined) return undefined;
  if (clientCert === undefined) throw unusable("network.clientKey is set without network.clientCert.");
  if (clientKey === undefined) throw unusable("network.clientCert is set without network.clientKey.");
  const read = (file: string, what: string) => {
    try {
      return textOf(file);
    } catch (error) {
      throw unusable(`Cannot read the client ${what} ${file} (${reasonOf(error)}).`, error);
    }
  };
  const certificate = {
    cert: read(clientCert, "certificate"),
    key: read(clientKey, "key"),
    ...(clientKeyPassphrase !== undefined && { passphrase: clientKeyPassphrase }),
  };
  try {
    // Loads TLS, which only those pay for who set a certificate.
    process.getBuiltinModule("node:tls").createSecureContext(certificate);
  } catch (error) {
    const message = `The client certificate ${clientCert} and the key ${clientKey} cannot be used together.`;
    throw unusable(message, error, "Check that they match, and the passphrase if the key is encrypted.");
  }
  return certificate;
}

const recoveryDefault =
  "Fix network.clientCert and network.clientKey in your settings, or KEDGE_CLIENT_CERT and KEDGE_CLIENT_KEY.";

function unusable(message: string, cause?: unknown, recovery = recoveryDefault): FailureError {
  return new FailureError({ code: "configuration", message, recovery, retryable: false }, cause);
}
