/** A call that first needs a page visited by a person: has it visited, and calls again. */
import { isJsonObject } from "@kedge/protocol";
import { UrlElicitationRequiredError } from "@modelcontextprotocol/client";
import type { Page } from "../offers/ask-to-open.ts";

const roundsMax = 3;

/** False from `visit` means that the person declined or that there is nobody to ask. */
export async function withUrlQuestions<Value>(
  visit: (pages: readonly Page[]) => Promise<boolean>,
  call: () => Promise<Value>,
): Promise<Value> {
  for (let round = 1; ; round += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof UrlElicitationRequiredError) || round >= roundsMax) throw error;
      if (!(await visit(pagesOf(error)))) throw error;
    }
  }
}

/** The library takes what the server sent for what it should have sent. */
export function pagesOf({ elicitations }: UrlElicitationRequiredError): readonly Page[] {
  const given: readonly unknown[] = Array.isArray(elicitations) ? elicitations : [];
  return given.flatMap((each) => {
    if (!isJsonObject(each) || typeof each["url"] !== "string") return [];
    const { url, message, elicitationId } = each;
    return {
      url,
      message: typeof message === "string" ? message : "",
      ...(typeof elicitationId === "string" && { elicitationId }),
    };
  });
}
