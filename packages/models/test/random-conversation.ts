/** Conversations as they never should be and sometimes are: broken pairs, empty texts, half characters, many vendors. */
import type { AssistantBlock, Media, Message } from "@kedge/protocol";
import type { SeededRandom } from "@kedge/testing";
import { conversationWires } from "./conversation-wires.ts";

/** Marks a picture in a body, so that a test can count them. */
export const pictureMark = "iVBORw0KGgo";

/** Every signature of a vendor begins so. */
export function signaturePrefix(wireName: string): string {
  return `signed-by-${wireName}-`;
}

export type RandomConversation = {
  readonly messages: readonly Message[];
  /** Adds what one more turn might. */
  readonly grow: () => void;
};

export function createRandomConversation(random: SeededRandom): RandomConversation {
  const messages: Message[] = [];
  const late: Message[] = [];
  let count = 0;

  function chance(percent: number): boolean {
    return random.below(100) < percent;
  }

  function text(): string {
    if (chance(15)) return ["", " ", "\n\t"][random.below(3)] ?? "";
    const alphabet = ["a", "ä", "漢", "👍", '"', "\\", "\n", "x", ...(chance(20) ? ["\ud83d", "\udc4d"] : [])];
    return `t${Array.from({ length: random.below(30) }, () => alphabet[random.below(alphabet.length)]).join("")}`;
  }

  function media(): { readonly media?: readonly Media[] } {
    if (!chance(15)) return {};
    const size = chance(20) ? 25 : 1 + random.below(2);
    return {
      media: Array.from({ length: size }, () =>
        chance(80)
          ? { name: `p${count++}.png`, mediaType: "image/png", base64: pictureMark }
          : { name: `d${count++}.pdf`, mediaType: "application/pdf", base64: "JVBERi0x" },
      ),
    };
  }

  function callId(): string {
    return chance(10) ? `t${random.below(4)}` : `t${100 + count++}`;
  }

  function answer(): void {
    const content: AssistantBlock[] = [];
    const wire = conversationWires[random.below(conversationWires.length + 1)];
    const ids: string[] = [];
    const addCall = () => {
      const id = callId();
      ids.push(id);
      const inputText = chance(90) ? JSON.stringify({ path: text() }) : '{"path';
      content.push({
        type: "tool-call",
        callId: id,
        tool: "read",
        inputText,
        ...(chance(10) ? { incomplete: true } : {}),
      });
    };
    for (let blocks = random.below(4); blocks > 0; blocks--) {
      const block = chance(40) ? wire?.signedBlock(`${signaturePrefix(wire.name)}${count++}`, callId()) : undefined;
      if (block !== undefined) {
        content.push(block);
        if (block.type === "tool-call") ids.push(block.callId);
      } else if (chance(20)) content.push({ type: "reasoning", text: text() });
      else if (chance(60)) content.push({ type: "text", text: text() });
      else addCall();
    }
    if (chance(30)) addCall();
    messages.push({ role: "assistant", content, ...(wire === undefined ? {} : { model: wire.model.ref }) });
    for (const id of chance(80) ? ids : random.shuffle(ids)) {
      if (chance(4)) continue;
      (chance(4) ? late : messages).push(result(id));
      if (chance(4)) messages.push(result(id));
    }
  }

  function result(id: string): Message {
    return { role: "tool", callId: id, tool: "read", output: text(), isError: chance(20), ...media() };
  }

  return {
    messages,
    grow() {
      messages.push(...late.splice(0));
      for (let steps = 1 + random.below(3); steps > 0; steps--) {
        if (chance(4)) messages.push(result(`t${random.below(200)}`));
        if (chance(40)) messages.push({ role: "user", text: text(), ...media() });
        else answer();
      }
    },
  };
}
