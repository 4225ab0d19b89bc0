/** What the tools of the conformance server are made of. */
import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";

type Given = { readonly [name: string]: unknown };

export type FixtureTool = {
  readonly name: string;
  readonly description: string;
  readonly properties?: { readonly [name: string]: { readonly type: "string" | "number" } };
  readonly run: (
    given: Given,
    context: ServerContext,
  ) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;
};

export function text(words: string): CallToolResult {
  return { content: [{ type: "text", text: words }] };
}

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A red dot. */
export const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/** No sound at all. */
export const sound = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
