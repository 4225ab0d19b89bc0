/** How reasoning goes back to a vendor of this wire: in the form in which it came, which its signature names or holds. */
import { isJsonObject, type ReasoningBlock, type ToolCallBlock } from "@kedge/protocol";
import { type JsonMembers, stringOf } from "../wire/vendor-json.ts";

/** The members of a message that hold reasoning as plain text. */
export type ReasoningMember = "reasoning_content" | "reasoning";

/** Marks reasoning that stood in the text as a `<think>` span. */
export const thinkSpanSignature = "think";

/** On a call: its vendor wants the reasoning before it back even when there was none, or another model made the call. */
export const missingReasoningSignature = "reasoning-missing";

/** What is sent then, since an empty text counts as none. */
const noReasoning = " ";

export type ReasoningGathering = {
  readonly add: (piece: {
    readonly member: ReasoningMember | undefined;
    readonly details: readonly JsonMembers[];
  }) => void;
  /** The signature of what was added since the last time; undefined when it need not go back. */
  readonly takeSignature: () => string | undefined;
};

/** With `textReturned`, the vendor wants plain text back; details go back to whoever sent them. */
export function createReasoningGathering({ textReturned }: { readonly textReturned: boolean }): ReasoningGathering {
  let member: ReasoningMember | undefined;
  let details: { [name: string]: unknown }[] = [];
  return {
    add(piece) {
      member ??= piece.member;
      for (const detail of piece.details) addDetail(details, detail);
    },
    takeSignature() {
      const signature = details.length > 0 ? JSON.stringify(details) : textReturned ? member : undefined;
      member = undefined;
      details = [];
      return signature;
    },
  };
}

/** Texts that arrive in pieces. All other members are whole whenever they come. */
const growingMembers: ReadonlySet<string> = new Set(["text", "summary", "data"]);

/** Vendors sign a detail as a whole, so its pieces are put together again. */
function addDetail(details: { [name: string]: unknown }[], piece: JsonMembers): void {
  const begun = details.find((detail) => isContinuedBy(detail, piece));
  if (begun === undefined) {
    details.push({ ...piece });
    return;
  }
  for (const [name, value] of Object.entries(piece)) {
    if (growingMembers.has(name)) begun[name] = stringOf(begun[name]) + stringOf(value);
    else begun[name] = value ?? begun[name];
  }
}

function isContinuedBy(detail: JsonMembers, piece: JsonMembers): boolean {
  if (typeof piece["index"] !== "number" || piece["index"] !== detail["index"]) return false;
  const ids = [detail["id"], piece["id"]].filter((id) => typeof id === "string");
  return piece["type"] === detail["type"] && new Set(ids).size < 2;
}

export type ReturnedReasoning = {
  /** Takes one block in; returns what of it stands within the text of the message. */
  readonly add: (block: ReasoningBlock) => string;
  readonly addCall: (call: ToolCallBlock) => void;
  /** What stands beside the text. */
  readonly members: () => object;
};

/** Gathers the reasoning of one message. A signature of any other form, or none, says that it stays here. */
export function createReturnedReasoning(): ReturnedReasoning {
  let member: ReasoningMember | undefined;
  let text = "";
  const details: unknown[] = [];
  let isWanted = false;
  return {
    add(block) {
      switch (block.signature) {
        case "reasoning_content":
        case "reasoning":
          member ??= block.signature;
          text += block.text;
          return "";
        case thinkSpanSignature:
          return `<think>\n${block.text.trimEnd()}\n</think>\n\n`;
        default:
          details.push(...detailsOf(block.signature));
          return "";
      }
    },
    addCall(call) {
      isWanted ||= call.signature === missingReasoningSignature;
    },
    members() {
      if (details.length > 0) return { reasoning_details: details };
      if (member !== undefined) return { [member]: text };
      return isWanted ? { reasoning_content: noReasoning } : {};
    },
  };
}

function detailsOf(signature: string | undefined): readonly unknown[] {
  if (signature?.startsWith("[") !== true) return [];
  const details: unknown = JSON.parse(signature);
  return Array.isArray(details) ? details.filter(isJsonObject) : [];
}
