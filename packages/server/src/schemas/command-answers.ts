/** Schemas of the answers to commands. */
import { z } from "@hono/zod-openapi";
import type { CommandType } from "@kedge/protocol";
import { fileChange, media, nothing, terminalSummary, time } from "./words.ts";

const ofSession = z.object({ sessionId: z.string() });
const files = z.object({ files: z.array(fileChange) });

const undone = z.object({
  promptText: z.string(),
  attachments: z.array(media).optional(),
  files: z.array(fileChange),
  uncovered: z.array(z.string()),
});

export const commandAnswers = {
  "session.create": ofSession,
  "session.resume": z.object({ sessionId: z.string(), interrupted: z.boolean(), notice: z.string().optional() }),
  "session.close": nothing,
  "prompt.submit": z.object({ promptId: z.string(), runId: z.string() }),
  "prompt.revise": nothing,
  "prompt.withdraw": nothing,
  "run.continue": z.object({ runId: z.string() }),
  "turn.interrupt": nothing,
  "permission.answer": nothing,
  "question.answer": nothing,
  "mode.change": nothing,
  "grants.replace": nothing,
  "model.change": z.object({ model: z.string() }),
  "checkpoint.discard": z.object({ goal: z.string() }),
  "session.undo": undone,
  "session.redo": files,
  "session.revert": undone,
  "session.unrevert": files,
  "context.compact": z.object({ shortSummary: z.string(), tokensBefore: z.number(), tokensAfter: z.number() }),
  "context.shake": z.object({ resultCount: z.number(), tokensFreed: z.number() }),
  "context.inspect": z.object({
    model: z.string(),
    windowTokens: z.number(),
    tokens: z.number(),
    isMeasured: z.boolean(),
    compactAt: z.number(),
    overflowAt: z.number(),
    sources: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(["policy", "instruction", "data", "reminder"]),
        place: z.enum(["prefix", "head", "turn"]),
        origin: z.string(),
        tokens: z.number(),
        hash: z.string().optional(),
      }),
    ),
    parts: z.array(z.object({ name: z.string(), tokens: z.number() })),
  }),
  "session.handoff": ofSession,
  "leaf.move": z.object({ leafId: z.string().optional(), promptText: z.string().optional() }),
  "message.add": z.object({ messageId: z.string() }),
  "message.remove": nothing,
  "entry.label": nothing,
  "session.fork": ofSession,
  "session.update": nothing,
  "session.delete": nothing,
  "command.run": z.object({ runId: z.string() }),
  "shell.run": z.object({ exitCode: z.number().optional(), signal: z.string().optional(), output: z.string() }),
  "shell.abort": nothing,
  "credential.set": nothing,
  "credential.remove": nothing,
  "credential.check": z.object({
    isGood: z.boolean(),
    sentence: z.string(),
    isUnchecked: z.literal(true).optional(),
  }),
  "retry.hasten": nothing,
  "config.set": z.object({ file: z.string() }),
  "config.reload": z.object({ changed: z.array(z.string()), warnings: z.array(z.string()) }),
  "rule.add": z.object({ ruleId: z.string() }),
  "rule.remove": nothing,
  "pty.open": terminalSummary,
  "pty.close": nothing,
  "task.stop": nothing,
  "log.write": nothing,
  "instance.dispose": nothing,
  "ticket.issue": z.object({ ticket: z.string(), expiresAt: time }),
  "code.issue": z.object({ code: z.string(), expiresAt: time, url: z.string() }),
} as const satisfies { readonly [Type in CommandType]: z.ZodType };
