/** What each credential may do: every command and every query names the least that is needed for it. */
import type { Command, CommandType } from "./commands.ts";
import type { PermissionMode } from "./permission.ts";
import type { Query, QueryType } from "./queries.ts";
import type { Scope } from "./scope.ts";

const commandScopes: { readonly [Type in CommandType]: Scope } = {
  "session.create": "prompt",
  "session.resume": "prompt",
  "session.close": "prompt",
  "prompt.submit": "prompt",
  "prompt.revise": "prompt",
  "prompt.withdraw": "prompt",
  "run.continue": "prompt",
  "turn.interrupt": "prompt",
  "permission.answer": "approve",
  "question.answer": "prompt",
  "mode.change": "prompt",
  "grants.replace": "approve",
  "model.change": "prompt",
  "checkpoint.discard": "prompt",
  "session.undo": "prompt",
  "session.redo": "prompt",
  "session.revert": "prompt",
  "session.unrevert": "prompt",
  "context.compact": "prompt",
  "context.shake": "prompt",
  "context.inspect": "read",
  "session.handoff": "prompt",
  "leaf.move": "prompt",
  "entry.label": "prompt",
  "message.add": "prompt",
  "message.remove": "prompt",
  "session.fork": "prompt",
  "session.update": "prompt",
  "session.delete": "approve",
  "command.run": "prompt",
  "shell.run": "admin",
  "shell.abort": "prompt",
  "credential.set": "admin",
  "credential.remove": "admin",
  "credential.check": "admin",
  "retry.hasten": "prompt",
  "config.set": "admin",
  "config.reload": "admin",
  "rule.add": "approve",
  "rule.remove": "approve",
  "pty.open": "admin",
  "pty.close": "admin",
  "task.stop": "prompt",
  "log.write": "prompt",
  "instance.dispose": "admin",
  "ticket.issue": "read",
  "code.issue": "approve",
};

/** A mode that asks less than the usual one lets through what a person would otherwise have to approve. */
const freeModes: ReadonlySet<PermissionMode> = new Set<PermissionMode>(["accept-edits", "auto", "bypass"]);

export function scopeOfCommand(command: Command): Scope {
  const mode = "mode" in command ? command.mode : undefined;
  return mode !== undefined && freeModes.has(mode) ? "approve" : commandScopes[command.type];
}

const queryScopes: { readonly [Type in QueryType]: Scope } = {
  "session.read": "read",
  "session.status": "read",
  "session.diff": "read",
  "session.cost": "read",
  "session.export": "read",
  "message.read": "read",
  "permission.list": "read",
  "question.list": "read",
  "rule.list": "read",
  "project.read": "read",
  "path.read": "read",
  "vcs.read": "read",
  "vcs.diff": "read",
  "provider.list": "read",
  "server.find": "read",
  // These two tell of the sessions of all projects.
  "usage.read": "approve",
  "doctor.run": "approve",
  "config.read": "read",
  "command.list": "read",
  "tool.list": "read",
  "file.read": "read",
  "file.list": "read",
  "file.status": "read",
  "text.find": "read",
  "file.find": "read",
  "pty.list": "admin",
  "pty.read": "admin",
  "task.list": "read",
  "task.read": "read",
  "log.read": "admin",
};

export function scopeOfQuery({ type }: Query): Scope {
  return queryScopes[type];
}
