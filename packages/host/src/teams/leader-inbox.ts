/** What workers write to their leader: messages of the protocol to their handlers, words to its model, as data. */
import {
  claimNext,
  decodeMessage,
  isSealedBy,
  type Letter,
  type MemberState,
  type ProtocolMessage,
  type TeamMember,
} from "@kedge/agents/teams";
import type { TaskList } from "@kedge/tools";
import type { LeaderQuestions } from "./leader-questions.ts";

export type InboxParts = {
  readonly unread: () => readonly Letter[];
  readonly markRead: (ids: readonly string[]) => Promise<void>;
  readonly member: (name: string) => { readonly info: TeamMember; readonly publicKey: string } | undefined;
  readonly questions: LeaderQuestions;
  readonly tasks: TaskList;
  readonly onState: (name: string, state: MemberState) => void;
  readonly onShutdown: (
    name: string,
    answer: { readonly requestId: string; readonly isApproved: boolean; readonly reason: string },
  ) => void;
  /** A person wants the team to end. */
  readonly onStop: () => void;
  /** For the model of the leader. */
  readonly tell: (letter: Pick<Letter, "id" | "from" | "text">) => Promise<void>;
  readonly now: () => number;
  readonly onNotice: (sentence: string) => void;
};

/** So long a letter of somebody unknown waits: its worker may just be joining. */
const joiningMs = 5_000;

export function createLeaderInbox(parts: InboxParts) {
  const served = new Set<string>();

  async function idle({ name }: TeamMember, letter: Letter, message: ProtocolMessage): Promise<void> {
    parts.onState(name, "waiting");
    const { reason, summary, completedTaskId: id, completedStatus: status } = message;
    // It takes the next task by itself, and nobody has to hear of that.
    if (reason === "available" && claimNext(parts.tasks.read(), name) !== undefined) return;
    const task = id === undefined ? "" : ` Its task ${id} is ${status}.`;
    await parts.tell({
      id: letter.id,
      from: name,
      text: `${name} is idle (${reason}).${task}${summary === "" ? "" : ` It said last: ${summary}`}`,
    });
  }

  async function handle(info: TeamMember, letter: Letter, message: ProtocolMessage): Promise<void> {
    const { name } = info;
    switch (message.type) {
      case "idle_notification":
        return idle(info, letter, message);
      case "working":
        return parts.onState(name, "working");
      case "permission_request":
      case "plan_approval_request":
      case "sandbox_network_request":
        return parts.questions.asked(info, message);
      case "permission_cancelled":
        return parts.questions.cancelled(info, String(message["requestId"]));
      case "shutdown_approved":
      case "shutdown_rejected": {
        const isApproved = message.type === "shutdown_approved";
        return parts.onShutdown(name, {
          requestId: String(message["requestId"]),
          isApproved,
          reason: String(message["reason"] ?? ""),
        });
      }
      case "user_input":
        return parts.onNotice(`You wrote to ${name}: ${String(message["text"]).slice(0, 200)}`);
      default:
        return undefined;
    }
  }

  async function serve(letter: Letter): Promise<void> {
    const message = decodeMessage(letter.text);
    if (message?.type === "team_stop") return parts.onStop();
    const sender = parts.member(letter.from);
    const isGenuine = sender !== undefined && letter.to === "leader" && isSealedBy(letter, sender.publicKey);
    if (message !== undefined) {
      if (isGenuine) return handle(sender.info, letter, message);
      return parts.onNotice("A message that no teammate sent was ignored.");
    }
    await parts.tell({ ...letter, from: isGenuine ? letter.from : "unknown sender" });
  }

  return async function look(): Promise<void> {
    for (const letter of parts.unread()) {
      const isJoining = parts.member(letter.from) === undefined && parts.now() - letter.time < joiningMs;
      if (served.has(letter.id) || (isJoining && letter.seal !== undefined)) continue;
      await serve(letter);
      served.add(letter.id);
      await parts.markRead([letter.id]);
    }
  };
}
