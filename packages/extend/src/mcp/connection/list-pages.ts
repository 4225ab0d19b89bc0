/** A list of a server page by page, also where pages never end or an item is not as the protocol wants it. */
import { isJsonObject } from "@kedge/protocol";
import { type Client, SdkError, SdkErrorCode, type StandardSchemaV1 } from "@modelcontextprotocol/client";
import { connectMs } from "./limits.ts";

const pagesMax = 64;

/** An item is not as it must be, or there is no end of pages: what there is can be used all the same. */
const patientCodes: ReadonlySet<string> = new Set([SdkErrorCode.InvalidResult, SdkErrorCode.ListPaginationExceeded]);

export type ListWanted<Item> = {
  readonly method: string;
  /** The field of the result that has the items. */
  readonly field: string;
  readonly itemsMax: number;
  readonly isItem: (value: unknown) => value is Item;
  /** Two items with the same one are one item: the first. */
  readonly idOf: (item: Item) => string;
};

export type Listed<Item> = { readonly items: readonly Item[]; readonly hasMore: boolean };

/** `whole` is the library's own way, which refuses a list with a single fault. */
export async function listPages<Item>(
  client: Client,
  whole: () => Promise<readonly unknown[]>,
  { method, field, itemsMax, isItem, idOf }: ListWanted<Item>,
): Promise<Listed<Item>> {
  const items = new Map<string, Item>();
  const take = (listed: readonly unknown[]) => {
    for (const each of listed.filter(isItem)) if (!items.has(idOf(each))) items.set(idOf(each), each);
  };
  try {
    take(await whole());
    return { items: [...items.values()], hasMore: false };
  } catch (error) {
    if (!(error instanceof SdkError) || !patientCodes.has(error.code)) throw error;
  }
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax && items.size < itemsMax; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method, params }, anyObject, { timeout: connectMs });
    const { [field]: listed, nextCursor } = result;
    if (Array.isArray(listed)) take(listed);
    // A cursor that was there before leads round in a circle.
    if (typeof nextCursor !== "string" || seen.has(nextCursor)) return { items: [...items.values()], hasMore: false };
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return { items: [...items.values()], hasMore: true };
}

type Fields = { readonly [name: string]: unknown };

/** Checked where its members are used. */
export const anyObject: StandardSchemaV1<Fields, Fields> = {
  "~standard": {
    version: 1,
    vendor: "kedge",
    validate: (value) => (isJsonObject(value) ? { value } : { issues: [{ message: "must be an object" }] }),
  },
};
