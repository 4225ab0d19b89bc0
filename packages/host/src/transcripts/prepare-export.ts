/** What is taken out before anything is written: secrets, and the parts that the export goes without. */
import { canonicalJson, isJsonObject, type MessageView, type PartView } from "@kedge/protocol";
import { type ExportedRow, parseObject } from "./journal-row.ts";

export type Leaving = {
  readonly redact: ((text: string) => string) | "none";
  readonly withoutToolOutput: boolean;
  readonly withoutReasoning: boolean;
};

const toolOutputLeftOut = "[tool output left out]";

export function prepareMessage(message: MessageView, leaving: Leaving): MessageView {
  const parts = message.parts
    .filter((part) => !(leaving.withoutReasoning && part.type === "reasoning"))
    .map((part) => (leaving.withoutToolOutput ? withoutOutput(part) : part));
  const kept: MessageView = { ...message, parts };
  // Redaction puts text in the place of text, and so the value keeps its shape.
  return leaving.redact === "none" ? kept : (redactValue(kept, leaving.redact) as MessageView);
}

function withoutOutput(part: PartView): PartView {
  if (part.type !== "tool") return part;
  const { state } = part;
  switch (state.status) {
    case "completed": {
      const { metadata: _, attachments: __, ...kept } = state;
      return { ...part, state: { ...kept, output: toolOutputLeftOut } };
    }
    case "error": {
      const { metadata: _, ...kept } = state;
      return { ...part, state: { ...kept, error: toolOutputLeftOut } };
    }
    case "pending":
    case "running":
      return part;
  }
}

/**
 * The same record without what is to be left out. Its salt goes as soon as anything may be missing: with salt, digest
 * and the rest of the text a short secret could be found by trying.
 */
export function prepareRow(row: ExportedRow, leaving: Leaving): ExportedRow {
  const { payload, ...open } = row;
  const content = payload === undefined ? undefined : prepareContent(row.type, payload.content, leaving);
  if (leaving.redact === "none") {
    if (payload === undefined || content === undefined || content === payload.content) return row;
    return { ...open, payload: { content } };
  }
  const data = redactText(open.data, leaving.redact, canonicalJson);
  return {
    ...open,
    data,
    ...(content !== undefined && { payload: { content } }),
    ...(data !== open.data && { altered: true }),
  };
}

function prepareContent(type: string, content: string, { redact, ...leaving }: Leaving): string {
  const fields = parseObject(content);
  // A damaged content cannot be looked into; its record stands without it.
  if (fields === undefined) return "{}";
  const kept: Record<string, unknown> = { ...fields };
  if (leaving.withoutToolOutput && type === "tool.ended") {
    if (kept["output"] !== undefined) kept["output"] = toolOutputLeftOut;
    delete kept["metadata"];
    delete kept["media"];
  }
  for (const field of ["content", "appended"]) {
    const blocks = kept[field];
    if (leaving.withoutReasoning && Array.isArray(blocks)) kept[field] = blocks.filter((block) => !isThought(block));
  }
  const text = JSON.stringify(kept);
  return redact === "none" ? text : redactText(text, redact, JSON.stringify);
}

/** What only a vendor reads may hold thoughts as well. */
function isThought(block: unknown): boolean {
  return isJsonObject(block) && (block["type"] === "reasoning" || block["type"] === "vendor");
}

function redactText(text: string, redact: (text: string) => string, write: (value: unknown) => string): string {
  const fields = parseObject(text);
  return fields === undefined ? "{}" : write(redactValue(fields, redact));
}

/** Ids, hashes and pictures are no text; a redactor that took one for a secret would break what refers to it. */
const kept = /^(?:id|.*Id|treeParent|digest|digests|base64|hash|prev)$/;

/** Every text of a plain value. A block that its vendor would no longer recognise loses what the vendor checks it by. */
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value))
    return value.filter((item) => !isBrokenVendorBlock(item)).map((item) => redactValue(item, redact));
  if (!isJsonObject(value)) return value;
  const redacted: Record<string, unknown> = {};
  let isChanged = false;
  for (const [name, member] of Object.entries(value)) {
    redacted[name] = kept.test(name) ? member : redactValue(member, redact);
    if (typeof member === "string" && redacted[name] !== member) isChanged = true;
  }
  if (isChanged) delete redacted["signature"];
  return redacted;

  function isBrokenVendorBlock(item: unknown): boolean {
    if (!isJsonObject(item) || item["type"] !== "vendor" || typeof item["json"] !== "string") return false;
    return redact(item["json"]) !== item["json"];
  }
}
