/** Stands in the place of the sources of a session that continues from where another one is. */
import type { RequestPrefix } from "@kedge/protocol";
import type { ContextBuilder } from "./context-builder.ts";

/** Nothing is read or rendered: the texts are those that were sent. What comes later still may be due. */
export function withPrefix(context: ContextBuilder, { system, systemTail }: RequestPrefix): ContextBuilder {
  const texts = { system, ...(systemTail !== undefined && { systemTail }) };
  return { ...context, system: () => texts, opening: () => undefined };
}
