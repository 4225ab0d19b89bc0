/** The variables that add headers and body fields to every model request; what cannot be sent is refused at the start. */
import { fixedBodyFields, type RequestExtras } from "@kedge/models";
import { FailureError, isJsonObject, type JsonObject, parseJson } from "@kedge/protocol";

const headersVariable = "KEDGE_CUSTOM_HEADERS";
const bodyVariable = "KEDGE_EXTRA_BODY";

type Environment = { readonly [name: string]: string | undefined };

/** Throws a failure that names the line or the field, never a value: it may be a secret. */
export function readRequestExtras(environment: Environment): RequestExtras {
  const headers = environment[headersVariable] ?? "";
  const body = environment[bodyVariable] ?? "";
  return {
    ...(headers.trim() !== "" && { headers: readHeaders(headers) }),
    ...(body.trim() !== "" && { body: readBody(body) }),
  };
}

/** Keys have their own places, where they are kept out of child processes and texts. */
const credentialHeaders: ReadonlySet<string> = new Set([
  ...["authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie"],
]);

/** They say where the request goes and where it ends. */
const framingHeaders: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length", "content-type", "transfer-encoding", "upgrade", "te", "trailer"],
]);

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function readHeaders(text: string): { readonly [name: string]: string } {
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = `Line ${index + 1} of ${headersVariable}`;
    const colon = line.indexOf(":");
    if (colon === -1) throw refused(`${place} has no colon.`, "Write one `Name: Value` per line.");
    const name = line.slice(0, colon).trim();
    const value = line.slice(colon + 1);
    if (!headerName.test(name))
      throw refused(`${place} has no valid header name.`, "Write one `Name: Value` per line.");
    const lower = name.toLowerCase();
    if (credentialHeaders.has(lower)) {
      throw refused(
        `${headersVariable} may not set ${name}.`,
        "Use the API key of the provider, or its headers setting.",
      );
    }
    if (framingHeaders.has(lower)) throw refused(`${headersVariable} may not set ${name}.`, "Remove this line.");
    if (!headerValue.test(value)) {
      throw refused(`The value of ${name} in ${headersVariable} has a character that cannot be sent.`, "Remove it.");
    }
    headers[lower] = value.trim();
  }
  return headers;
}

function readBody(text: string): JsonObject {
  const fields = parseJson(text);
  if (!isJsonObject(fields))
    throw refused(`${bodyVariable} is not a JSON object.`, 'Write a JSON object such as {"top_k": 40}.');
  const fixed = fixedBodyFields.find((name) => Object.hasOwn(fields, name));
  if (fixed !== undefined) throw refused(`${bodyVariable} may not set "${fixed}".`, "Remove this field.");
  // It was read from JSON.
  return fields as JsonObject;
}

function refused(message: string, recovery: string): FailureError {
  return new FailureError({ code: "configuration", message, recovery, retryable: false });
}
