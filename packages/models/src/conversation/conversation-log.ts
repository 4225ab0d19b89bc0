/** One conversation as a wire sends it, growing with the log it is made from. */
import type { AssistantBlock, Media, Message, Model } from "@kedge/protocol";
import { sendableBlocks } from "./assistant-blocks.ts";
import { createCallIds } from "./call-ids.ts";
import { type CallRun, createCallRun } from "./call-run.ts";
import { createConversationOutput } from "./conversation-output.ts";
import { mediaOf, withTakenMedia } from "./media.ts";
import { inReadForm } from "./vendor-history.ts";
import { isBlank, wellFormedText } from "./well-formed-text.ts";
import type {
  AssistantMessage,
  ReportRepair,
  ToolMessage,
  UserMessage,
  WireConversationRules,
} from "./wire-conversation-rules.ts";

export type ConversationLog = {
  readonly continues: (source: readonly Message[], model: Model) => boolean;
  readonly grow: (source: readonly Message[]) => readonly Message[];
};

export type ConversationLogOptions = {
  readonly rules: WireConversationRules;
  readonly model: Model;
  readonly onRepair: ReportRepair;
};

export function createConversationLog({ rules, model, onRepair }: ConversationLogOptions): ConversationLog {
  const key = modelKey(model);
  const callIds = createCallIds(model.quirks, onRepair);
  const keepsResultMedia =
    rules.mediaInResults === "always" ||
    (rules.mediaInResults === "when-capable" && model.capabilities?.mediaInToolResults === true);
  let sameModel = model;
  const output = createConversationOutput({ rules, model, onRepair });
  let seen = 0;
  /** The calls of the last answer, as long as nothing but their results followed. */
  let run: CallRun | undefined;

  function take(message: Message): void {
    if (message.role === "tool") {
      takeResult(message);
      return;
    }
    if (run !== undefined && !run.isWritten()) writeResults(run);
    run = undefined;
    if (message.role === "user") takeUser(message);
    else takeAssistant(message);
  }

  function takeUser(message: UserMessage): void {
    const form = inReadForm(message, model, rules.carriesHistories ?? false);
    const taken = wellFormedUser(withTakenMedia(form, model));
    const saysSomething = !isBlank(taken.text) || mediaOf(taken).length > 0 || taken.instead !== undefined;
    if (saysSomething) output.pushUser(taken);
    else output.skipUser();
  }

  function takeAssistant(message: AssistantMessage): void {
    const own = message.model === model.ref;
    const blocks = sendableBlocks(message.content, { own });
    const next = createCallRun(blocks, callIds, onRepair);
    const content = withSignature(next.blocks);
    if (content.length > 0) {
      output.pushAssistant(content === message.content ? message : { ...message, content });
      run = next.callCount > 0 ? next : undefined;
      run?.begin(output.length());
    } else output.skipAssistant();
  }

  function withSignature(blocks: readonly AssistantBlock[]): readonly AssistantBlock[] {
    const index = blocks.findIndex(({ type }) => type === "tool-call");
    const first = blocks[index];
    if (first?.type !== "tool-call" || first.signature !== undefined) return blocks;
    const signature = rules.unsignedCallSignature?.(model);
    return signature === undefined ? blocks : blocks.with(index, { ...first, signature });
  }

  function takeResult(message: ToolMessage): void {
    if (run === undefined || !run.awaits(message.callId)) {
      onRepair(`A result of ${message.tool} that answers no open call (${message.callId}) was left out.`);
      return;
    }
    if (run.isWritten()) {
      output.restartAt(
        run.start(),
        `The result of ${message.tool} (${message.callId}) came after a request without it.`,
      );
      run.reopen();
    }
    run.answer(wellFormedResult(withTakenMedia(message, model)));
    if (run.isComplete()) writeResults(run);
  }

  function writeResults(answered: CallRun): void {
    const moved: Media[] = [];
    for (const result of answered.write()) {
      const media = mediaOf(result);
      if (keepsResultMedia || media.length === 0) output.push(result);
      else {
        const { media: _moved, ...bare } = result;
        output.push(bare);
        moved.push(...media);
      }
    }
    if (moved.length > 0) output.pushUser({ role: "user", text: movedText(moved), media: moved });
  }

  return {
    continues(source, asked) {
      if (source.length < seen) return false;
      if (asked !== sameModel && modelKey(asked) !== key) return false;
      sameModel = asked;
      return true;
    },
    grow(source) {
      for (; seen < source.length; seen++) {
        const message = source[seen];
        if (message !== undefined) take(message);
      }
      // The run stays known: if its results come after all, they take the place of those made up here.
      if (run !== undefined && !run.isWritten()) writeResults(run);
      return output.handOut();
    },
  };
}

/** Everything about a model that the form of a conversation depends on. */
function modelKey({ ref, id, capabilities, quirks }: Model): string {
  return JSON.stringify([ref, id, capabilities, quirks]);
}

function wellFormedUser(message: UserMessage): UserMessage {
  const text = sayingText(message.text);
  return text === message.text ? message : { ...message, text };
}

function wellFormedResult(message: ToolMessage): ToolMessage {
  const output = sayingText(message.output);
  return output === message.output ? message : { ...message, output };
}

/** Empty rather than blank, so that wires need to look for one of them only. */
function sayingText(text: string): string {
  return isBlank(text) ? "" : wellFormedText(text);
}

function movedText(media: readonly Media[]): string {
  return `[Part of the tool results above: ${media.map(({ name }) => name).join(", ")}]`;
}
