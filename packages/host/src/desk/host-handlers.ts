/** Handlers of the commands that the host carries out, by their types. */
import { type CommandAnswer, type CommandOf, type HostCommandType, notFound, refused } from "@kedge/protocol";
import { interruptAgent, killAgent, messageAgent, reviveAgent, startAgent } from "./agent-desk.ts";
import {
  createShare,
  kickGuest,
  revokeShare,
  rotateCollab,
  setGuestRights,
  startCollab,
  stopCollab,
} from "./collab-desk.ts";
import { beginLogin, cancelLogin, finishLogin } from "./login-desk.ts";
import {
  acceptTools,
  addServer,
  approveServer,
  authoriseServer,
  connectServer,
  disconnectServer,
  removeServer,
} from "./mcp-desk.ts";
import type { OpenDesk } from "./open-desk.ts";
import { checkUsedKey, removeKey, storeKey } from "./provider-desk.ts";
import { addRule, removeRule } from "./rule-desk.ts";
import { stopTask } from "./task-desk.ts";

export type HostHandlers = {
  readonly [Type in HostCommandType]: (
    desk: OpenDesk,
    command: CommandOf<Type>,
  ) => CommandAnswer<Type> | Promise<CommandAnswer<Type>>;
};

const done = { ok: true, value: {} } as const;
const onlyServers = () => refused("Only a server has instances, tickets, codes and devices.");

export const hostHandlers: HostHandlers = {
  async "command.run"({ engine, commands }, { sessionId, name, arguments: given = "" }) {
    if (!(await commands()).some((known) => known.name === name)) return notFound("command", `/${name}`);
    const text = `/${name} ${given}`.trimEnd();
    const prompt = { type: "prompt.submit", sessionId, text, delivery: "follow-up", options: {} } as const;
    const sent = await engine.send<"prompt.submit">(prompt);
    return sent.ok ? { ok: true, value: { runId: sent.value.runId } } : sent;
  },
  "shell.run": ({ lines }, command) => lines.run(command),
  "shell.abort": ({ lines }, { sessionId }) => lines.abort(sessionId),
  "retry.hasten"({ hastenRetry, statuses }, { sessionId }) {
    if (!hastenRetry(sessionId)) return notFound("provider waiting in session", sessionId);
    statuses.endRetry(sessionId);
    return done;
  },
  "task.stop": stopTask,
  "agent.start": startAgent,
  "agent.message": messageAgent,
  "agent.interrupt": interruptAgent,
  "agent.kill": killAgent,
  "agent.revive": reviveAgent,
  "collab.start": startCollab,
  "collab.stop": stopCollab,
  "collab.rights": setGuestRights,
  "collab.kick": kickGuest,
  "collab.rotate": rotateCollab,
  "share.create": createShare,
  "share.revoke": revokeShare,
  "rule.add": addRule,
  "rule.remove": removeRule,
  "credential.set": storeKey,
  "credential.remove": removeKey,
  "credential.check": (desk, command) => checkUsedKey(desk.current(), command),
  "login.begin": beginLogin,
  "login.finish": finishLogin,
  "login.cancel": cancelLogin,
  "config.set": ({ liveSettings }, { layer, key, value }) =>
    liveSettings.set({ layer, key, ...(value !== null && { value }) }),
  "config.reload": ({ liveSettings }) => liveSettings.reload(),
  "mcp.add": addServer,
  "mcp.remove": removeServer,
  "mcp.connect": connectServer,
  "mcp.disconnect": disconnectServer,
  "mcp.approve": approveServer,
  "mcp.accept": acceptTools,
  "mcp.authorise": authoriseServer,
  "pty.open": ({ terminals }, command) => terminals.open(command),
  "pty.close": ({ terminals }, { ptyId }) => terminals.close(ptyId),
  "log.write"({ log }, { level, text }) {
    log.write(level, text);
    return done;
  },
  "instance.dispose": onlyServers,
  "ticket.issue": onlyServers,
  "code.issue": onlyServers,
  "pairing.issue": onlyServers,
  "device.rename": onlyServers,
  "device.revoke": onlyServers,
  "push.subscribe": onlyServers,
  "push.unsubscribe": onlyServers,
};
