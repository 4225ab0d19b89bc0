/** What the model or a tool is doing, as far as the newest message tells. */
import { displayOfTool, type MessageView } from "@kedge/protocol";
import type { Activity } from "../state/client-state.ts";

/** The last call that runs counts before the text, because it is what one waits for. */
export function activityOfMessage(message: MessageView | undefined): Pick<Activity, "kind" | "tool"> {
  if (message === undefined || message.role === "user") return { kind: "waiting" };
  const running = message.parts.findLast((part) => part.type === "tool" && part.state.status === "running");
  if (running?.type === "tool") {
    const { name, isQuiet } = displayOfTool(running);
    return { kind: isQuiet ? "reading" : "running", tool: name };
  }
  const last = message.parts.findLast(({ type }) => type !== "step-start" && type !== "snapshot");
  switch (last?.type) {
    case "reasoning":
      return { kind: "thinking" };
    case "text":
      return { kind: "responding" };
    case "tool":
      return last.state.status === "pending" ? { kind: "responding" } : { kind: "waiting" };
    default:
      return { kind: "waiting" };
  }
}
