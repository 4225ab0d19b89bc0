/** Headers that a command of the user prints for a connection, such as a token that changes every hour. */
import { spawn } from "node:child_process";
import { attemptStart, endGroup, isJsonObject, tiedStart } from "@kedge/protocol";
import type { RemoteServer } from "../server.ts";
import { PlainError } from "./connect-failure.ts";
import type { ConnectParts } from "./connect-parts.ts";

const helperMsMax = 10_000;
const outputBytesMax = 64 * 1024;

type Headers = { readonly [name: string]: string };

/** Those of the configuration, and over them those of its helper. Its output and errors are shown to nobody. */
export async function helpedHeaders(
  name: string,
  { url, headers, headersHelper }: RemoteServer,
  parts: Pick<ConnectParts, "environment" | "cwd" | "log">,
): Promise<Headers> {
  if (headersHelper === undefined) return headers;
  const variables = { CLAUDE_CODE_MCP_SERVER_NAME: name, CLAUDE_CODE_MCP_SERVER_URL: url };
  const printed = await outputOf(headersHelper, { ...parts.environment(), ...variables }, parts);
  const read = printed === undefined ? undefined : headersOf(printed);
  if (read === undefined) throw new PlainError("its headersHelper did not print a JSON object of headers");
  return { ...headers, ...read };
}

function headersOf(text: string): Headers | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isPlain = isJsonObject(value) && Object.values(value).every((each) => typeof each === "string");
    // All values were just seen to be texts; what could begin another header is taken out.
    return isPlain
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each).replaceAll(/[\r\n\0]/g, "")]))
      : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function outputOf(
  command: string,
  environment: { readonly [name: string]: string },
  { cwd, log }: Pick<ConnectParts, "cwd" | "log">,
): Promise<string | undefined> {
  const { file, args } = tiedStart({ file: "/bin/sh", args: ["-c", command] }, environment);
  const child = attemptStart(() =>
    // A group of its own, so that nothing of it is left when it takes too long.
    spawn(file, args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"], detached: true }),
  );
  if ("problem" in child) return Promise.resolve(undefined);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let printed = "";
  const end = () => endGroup(child.pid);
  const timer = setTimeout(end, helperMsMax);
  child.stderr.setEncoding("utf8").on("data", log.write);
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    printed += piece;
    if (printed.length > outputBytesMax) end();
  });
  child.once("error", () => resolve(undefined));
  child.once("close", (code) => {
    clearTimeout(timer);
    if (code !== 0) log.note(`The headersHelper exited with code ${code}.`);
    resolve(code === 0 && printed.length <= outputBytesMax ? printed : undefined);
  });
  return promise;
}
