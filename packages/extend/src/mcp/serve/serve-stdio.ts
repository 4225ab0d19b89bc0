/** Serves one client over a pair of streams. */
import type { Readable, Writable } from "node:stream";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serveTransport } from "@modelcontextprotocol/server/stdio";

export type StdioParts = {
  readonly input: Readable;
  readonly output: Writable;
  readonly onError: (error: Error) => void;
};

export function serveStdio(
  factory: McpServerFactory,
  { input, output, onError }: StdioParts,
): { close(): Promise<void> } {
  return serveTransport(factory, { transport: new StdioServerTransport(input, output), onerror: onError });
}
