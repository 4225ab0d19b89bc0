/** Schemas of the fields of every command that the host carries out, and the whole table of commands. */
import { z } from "@hono/zod-openapi";
import type { CommandType, HostCommandType } from "@kedge/protocol";
import { sessionCommandFields } from "./command-fields.ts";
import { json, logLevel, permissionRule, providerId, sessionId, shortId } from "./words.ts";

const empty = z.strictObject({});
const cells = z.number().int().min(1).max(1000);

const hostCommandFields = {
  "command.run": z.strictObject({ sessionId, name: z.string().min(1), arguments: z.string().optional() }),
  "shell.run": z.strictObject({ sessionId, command: z.string().min(1) }),
  "shell.abort": z.strictObject({ sessionId }),
  "credential.set": z.strictObject({ providerId, key: z.string().min(1) }),
  "credential.remove": z.strictObject({ providerId }),
  "credential.check": z.strictObject({ providerId, key: z.string().min(1).optional() }),
  "retry.hasten": z.strictObject({ sessionId }),
  "config.set": z.strictObject({ layer: z.enum(["user", "local"]), key: z.string().min(1), value: json }),
  "config.reload": empty,
  "rule.add": z.strictObject({ rule: permissionRule, sessionId: sessionId.optional() }),
  "rule.remove": z.strictObject({ ruleId: z.string().min(1).max(512) }),
  "pty.open": z.strictObject({
    directory: z.string().optional(),
    command: z.string().optional(),
    columns: cells.optional(),
    rows: cells.optional(),
  }),
  "pty.close": z.strictObject({ ptyId: shortId }),
  "task.stop": z.strictObject({ sessionId, taskId: shortId }),
  "log.write": z.strictObject({ level: logLevel, text: z.string() }),
  "instance.dispose": empty,
  "ticket.issue": empty,
  "code.issue": empty,
} as const satisfies { readonly [Type in HostCommandType]: z.ZodObject };

export const commandFields = { ...sessionCommandFields, ...hostCommandFields } as const satisfies {
  readonly [Type in CommandType]: z.ZodObject;
};
