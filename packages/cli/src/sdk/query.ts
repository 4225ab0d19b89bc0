/** `query` as a program has it: with a client that it has already, or with a kedge of its own for this one prompt. */
import { type QueryMessage, type QueryOptions, query as queryClient } from "@kedge/sdk";
import { createLocal, type LocalOptions } from "./create-local.ts";

/** In the place of a client: where to work, and with which tools. */
export type LocalQueryOptions = Omit<QueryOptions, "client"> & LocalOptions & { readonly client?: never };

export async function* query(
  prompt: string,
  options: QueryOptions | LocalQueryOptions,
): AsyncGenerator<QueryMessage, void> {
  if (options.client !== undefined) {
    yield* queryClient(prompt, options);
    return;
  }
  const { client: _, ...rest } = options;
  const kedge = await createLocal(rest);
  try {
    yield* queryClient(prompt, { ...rest, client: kedge.client });
  } finally {
    await kedge.close();
  }
}
