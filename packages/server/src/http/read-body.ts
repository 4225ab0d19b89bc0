/** Reads the JSON of a request within limits: of its bytes, its values and how deep they are nested, before it is parsed. */
import { createMiddleware } from "hono/factory";
import { ProblemError } from "./failure-status.ts";
import type { ServerEnvironment } from "./server-environment.ts";

/** Of any request; admission holds those without pictures and documents to less, before they are read. */
const bodyBytesMax = 50 * 1024 * 1024;
const jsonDepthMax = 100;
/** Commas and colons outside of strings: values take far more memory than their text. */
const jsonMarksMax = 100_000;

const withoutBody: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** `application/json`, with any parameter but another character set. */
const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

export const readBody = createMiddleware<ServerEnvironment>(async (context, next) => {
  const { method } = context.req;
  const bodyText = withoutBody.has(method) ? "" : await readText(context.req.raw.body);
  if (bodyText !== "" && !jsonType.test(context.req.header("content-type") ?? "")) {
    throw new ProblemError({
      status: 415,
      code: "media_type",
      message: "The request body must be UTF-8 JSON.",
      recovery: "Send it with the header Content-Type: application/json.",
    });
  }
  context.set("bodyText", bodyText);
  context.set("body", bodyText === "" ? {} : parseJson(bodyText));
  await next();
});

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > bodyBytesMax) {
        throw tooLarge(`The request body is larger than ${bodyBytesMax} bytes.`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    // Whoever breaks off, or was cut off for being slow, hears no answer any more.
    if (!(error instanceof Error && "code" in error && error.code === "ECONNRESET")) throw error;
    throw badBody("The request body is incomplete.");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw badBody("The request body is not UTF-8.");
  }
}

function parseJson(text: string): unknown {
  checkShape(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badBody(`The request body is not valid JSON: ${error.message}.`);
  }
}

/** Counts outside of strings, and stops at the first limit. Text that is no JSON may pass, and fails when parsed. */
function checkShape(text: string): void {
  let marks = 0;
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > jsonDepthMax) throw badBody(`The request body is nested deeper than ${jsonDepthMax} levels.`);
    } else if (character === "}" || character === "]") depth -= 1;
    else if (character === "," || character === ":") {
      marks += 1;
      if (marks > jsonMarksMax) throw tooLarge("The request body has too many values.");
    }
  }
}

function tooLarge(message: string): ProblemError {
  return new ProblemError({ status: 413, code: "too_large", message, recovery: "Send less at once." });
}

function badBody(message: string): ProblemError {
  return new ProblemError({ status: 400, code: "invalid_command", message, recovery: "Send one JSON object." });
}
