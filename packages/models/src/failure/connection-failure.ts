/** Says what a broken connection means, by the system's error code and never by its text. */
import type { Failure, FailureCode } from "@kedge/protocol";
import { unsendableCodes } from "../http/connections.ts";
import type { ExchangeStop } from "../http/http-exchange.ts";
import type { CallContext } from "./call-failure.ts";

const unreachable: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ENOTFOUND", "no such host"],
  ["EAI_AGAIN", "the name could not be resolved"],
  ["EHOSTUNREACH", "there is no route to the host"],
  ["EHOSTDOWN", "the host is down"],
  ["ENETUNREACH", "the network is unreachable"],
  ["ENETDOWN", "the network is down"],
  ["EADDRNOTAVAIL", "no local address is available"],
  ["EACCES", "the system blocked the connection"],
  ["EPERM", "the system blocked the connection"],
  ["EPROTO", "the server does not speak TLS as expected"],
]);

const reset: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "ERR_STREAM_PREMATURE_CLOSE"]);

const certificate: ReadonlySet<string> = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_UNTRUSTED",
  "CERT_REJECTED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_CHAIN_TOO_LONG",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** Why an exchange stopped before the answer was complete. */
export function failureOfStop(stop: ExchangeStop, context: CallContext): Failure {
  const { host, requestId } = context;
  switch (stop.kind) {
    case "aborted":
      return { code: "aborted", message: "Stopped.", retryable: false, requestId };
    case "ended":
      return {
        code: "connection_error",
        message: `${host} closed the stream before the answer was complete.`,
        recovery: "Try again.",
        retryable: true,
        requestId,
      };
    case "timed-out":
      return {
        code: "api_timeout",
        message: `${host} ${stop.limit === "idle" ? "sent nothing" : "did not finish its response"} for ${stop.limitMs / 1000} s (request ${requestId}).`,
        recovery: "Try again.",
        retryable: true,
        requestId,
      };
    case "broken":
      return failureOfError(stop.error, context);
  }
}

function failureOfError(error: NodeJS.ErrnoException, { host, requestId }: CallContext): Failure {
  const code = error.code ?? "";
  const failure = (of: FailureCode, message: string, recovery: string, retryable = true): Failure => ({
    code: of,
    message,
    recovery,
    retryable,
    requestId,
  });
  const reason = unreachable.get(code);
  if (reason !== undefined)
    return failure(
      "connection_error",
      `Cannot reach ${host}: ${reason} (${code}).`,
      "Check the base URL, the network and the proxy.",
    );
  if (code === "ERR_PROXY_AUTHENTICATION")
    return failure(
      "configuration",
      `The proxy for ${host} requires a user name and password.`,
      "Add them to the proxy URL.",
      false,
    );
  if (code === "ERR_PROXY_REFUSED")
    return failure("connection_error", `The proxy refused to connect to ${host}.`, "Check the proxy's rules.");
  if (reset.has(code))
    return failure("stale_connection", `The connection to ${host} was reset (${code}).`, "Try again.");
  if (code === "ETIMEDOUT")
    return failure("api_timeout", `The connection to ${host} timed out (${code}).`, "Try again.");
  if (certificate.has(code))
    return failure(
      "ssl_cert_error",
      `The TLS certificate of ${host} is not trusted (${code}).`,
      'Set "network.caFile" or NODE_EXTRA_CA_CERTS to the file of its certificate authority.',
      false,
    );
  if (code.endsWith("ALERT_CERTIFICATE_REQUIRED"))
    return failure(
      "configuration",
      `${host} requires a client certificate.`,
      "Set network.clientCert and network.clientKey in your settings.",
      false,
    );
  if (unsendableCodes.has(code))
    return failure(
      "configuration",
      `The API key or a header for ${host} contains characters not allowed in HTTP.`,
      "Fix the provider's settings.",
      false,
    );
  if (code.startsWith("HPE_"))
    return failure("malformed_response", `${host} does not speak HTTP (${code}).`, "Check the base URL.", false);
  return failure("connection_error", `The connection to ${host} failed (${code || error.name}).`, "Try again.");
}
