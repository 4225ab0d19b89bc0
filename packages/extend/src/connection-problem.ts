/** Why a connection failed, by the code of the error and never by its text, which TLS libraries write for themselves. */

const unreachable: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ENOTFOUND", "no such host"],
  ["EAI_AGAIN", "the name could not be resolved"],
  ["EHOSTUNREACH", "there is no route to the host"],
  ["ENETUNREACH", "the network is unreachable"],
  ["ETIMEDOUT", "the connection timed out"],
]);

const lost: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "ERR_STREAM_PREMATURE_CLOSE"]);

const certificate = /CERT|SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA|ISSUER/;

/** A sentence without a full stop. */
export function connectionProblem(error: Error, host: string): string {
  const code = "code" in error ? String(error.code) : "";
  const reason = unreachable.get(code);
  if (reason !== undefined) return `${host} cannot be reached: ${reason}`;
  if (lost.has(code)) return `${host} closed the connection before it responded`;
  if (code.endsWith("ALERT_CERTIFICATE_REQUIRED"))
    return `${host} requires a client certificate; set network.clientCert and network.clientKey`;
  if (code === "EPROTO" || code.startsWith("ERR_SSL_"))
    return `${host} does not accept TLS connections; check https://`;
  if (certificate.test(code))
    return `the TLS certificate of ${host} is not trusted (${code}); set network.caFile to its certificate authority`;
  if (code.startsWith("HPE_")) return `${host} does not speak HTTP; check its URL`;
  return `the connection to ${host} failed (${code || error.name})`;
}
