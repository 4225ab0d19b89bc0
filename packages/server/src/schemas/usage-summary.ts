/** Schema of what kedge used and cost over many sessions. */
import { z } from "@hono/zod-openapi";
import { cost, usage } from "./words.ts";

const used = { steps: z.number(), usage, cost };

export const usageSummary = z
  .object({
    ...used,
    sessions: z.number(),
    cacheHitShare: z.number(),
    cacheMisses: z.object({ count: z.number(), tokens: z.number(), usd: z.number() }),
    beside: z.array(
      z.object({
        kind: z.enum(["compaction", "title", "branch-summary", "handoff"]),
        calls: z.number(),
        usage,
        cost,
      }),
    ),
    models: z.array(z.object({ ...used, model: z.string(), cacheHitShare: z.number() })),
    projects: z.array(z.object({ ...used, projectId: z.string(), directory: z.string(), sessions: z.number() })),
    tools: z.array(
      z.object({
        completed: z.number(),
        failed: z.number(),
        refused: z.number(),
        interrupted: z.number(),
        tool: z.string(),
        calls: z.number(),
        successRate: z.number(),
      }),
    ),
    days: z.array(z.object({ ...used, day: z.string() })),
    unreadable: z.array(z.string()),
  })
  .openapi("UsageSummary");
