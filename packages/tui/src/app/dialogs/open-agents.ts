/** Opens the list of agents and the live view of one, and carries out what is chosen there. */

import { createAgentDialog } from "../../dialogs/agent/agent-dialog.ts";
import type { AgentAction } from "../../dialogs/agent/agent-questions.ts";
import { type AgentRow, agentRow } from "../../dialogs/agent/agent-rows.ts";
import { createAgentView } from "../../dialogs/agent/agent-view.ts";
import { outputLines, type ShellRow } from "../../dialogs/agent/shell-rows.ts";
import { createReadingDialog } from "../../dialogs/report/reading-dialog.ts";
import { createRemembered } from "../../screen/remembered.ts";
import { createSessionMirror } from "../../state/session-mirror.ts";
import { createStateStore } from "../../state/state-store.ts";
import { agentTexts } from "../../texts/dialogs.ts";
import { emptyState } from "../start-state.ts";
import { ask } from "./asked.ts";
import type { DialogParts } from "./dialog-parts.ts";

/** Everything but time is told by events. */
const tickMs = 1_000;

export function openAgents(parts: DialogParts): void {
  const { client, dialogs, look, state, redraw, agents } = parts;
  const sessionId = state().session?.id ?? "";
  // Says what is wrong where agents cannot be listed.
  const asked = ask(() => client.ask<"agent.list">({ type: "agent.list", sessionId }), redraw);
  agents.refresh();
  const timer = setInterval(() => agents.passed(tickMs), tickMs);
  dialogs.open(
    createAgentDialog({
      agents: () => state().agents,
      shells: () => state().tasks,
      problem: asked.problem,
      theme: look.theme,
      onOpen: (agentId) => openAgent(parts, agentId),
      onAct: (action, agentId, text) => void act(parts, action, { agentId, text }),
      onOpenShell: (shell) => openShell(parts, shell),
      onKillShell: ({ sessionId: owner, taskId }) =>
        void parts.desk().send<"task.stop">({ type: "task.stop", sessionId: owner, taskId }),
      onClosed() {
        clearInterval(timer);
        agents.seen();
      },
    }),
  );
}

/** What a command in the background wrote so far. */
function openShell({ client, dialogs, look, redraw }: DialogParts, { sessionId, taskId, title }: ShellRow): void {
  const asked = ask(() => client.ask<"task.read">({ type: "task.read", sessionId, taskId }), redraw);
  dialogs.open(
    createReadingDialog({
      title,
      theme: look.theme,
      content: asked.value,
      problem: asked.problem,
      loadingText: agentTexts.loadingOutput,
      draw: ({ output }, { width }) => (output === "" ? [agentTexts.noOutput] : outputLines(output, width)),
    }),
  );
}

/** The conversation of an agent beside that of its session, followed until it is closed. */
function openAgent(parts: DialogParts, agentId: string): void {
  const { client, dialogs, look, state, redraw } = parts;
  const store = createStateStore({ ...emptyState(parts.parts), directory: state().directory });
  const transcript = look.createTranscript();
  const remembered = createRemembered<AgentRow | undefined>();
  let problem: string | undefined;
  const mirror = createSessionMirror({
    ...{ client, store, now: parts.parts.now },
    onEvent: () => undefined,
    onLost(sentence) {
      problem = sentence;
      redraw();
    },
  });
  store.subscribe(
    (next) => next,
    (next) => {
      transcript.update(next);
      redraw();
    },
  );
  const listed = () => state().agents?.find((agent) => agent.agentId === agentId);
  dialogs.open(
    createAgentView({
      row: () => remembered([listed()], () => agentRowOf(listed())),
      transcript,
      problem: () => problem,
      theme: look.theme,
      onAct: (action, id, text) => void act(parts, action, { agentId: id, text }),
      onTop: () => void mirror.readOlder().catch(tell),
      onClosed: mirror.close,
    }),
  );
  void mirror.open(agentId).catch(tell);

  function tell(error: unknown): void {
    problem = error instanceof Error ? error.message : String(error);
    redraw();
  }
}

function agentRowOf(listed: Parameters<typeof agentRow>[0] | undefined): AgentRow | undefined {
  return listed === undefined ? undefined : agentRow(listed);
}

type Wish = { readonly agentId: string; readonly text: string | undefined };

async function act({ desk, agents }: DialogParts, action: AgentAction, { agentId, text = "" }: Wish) {
  if (action === "message") await desk().send<"agent.message">({ type: "agent.message", agentId, text });
  else {
    const type = `agent.${action}` as const;
    await desk().send<typeof type>({ type, agentId });
  }
  agents.refresh();
}
