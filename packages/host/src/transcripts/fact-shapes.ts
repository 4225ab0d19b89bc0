/** The shape of every fact as data: what an imported record must look like before it is believed to be one. */
import { agentStatuses, type FactOf, type FactType, type JsonSchema } from "@kedge/protocol";
import { timeMax, tokensMax, usdMax } from "./foreign-fields.ts";
import { reproductionShape } from "./reproduction-shape.ts";

const text: JsonSchema = { type: "string" };
/** JSON can write down numbers that there are not, such as 1e400; a date can name none beyond this. */
const number: JsonSchema = { type: "number", minimum: -timeMax, maximum: timeMax };
const tokens: JsonSchema = { type: "number", minimum: 0, maximum: tokensMax };
const flag: JsonSchema = { type: "boolean" };
const object: JsonSchema = { type: "object" };
const anything: JsonSchema = {};
const texts: JsonSchema = { type: "array", items: text };

function oneOf(...values: readonly string[]): JsonSchema {
  return { enum: values };
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** Names that end in a question mark may be absent. */
function record(fields: { readonly [name: string]: JsonSchema }): JsonSchema {
  const entries = Object.entries(fields);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace("?", ""), schema])),
    required: entries.flatMap(([name]) => (name.endsWith("?") ? [] : [name])),
  };
}

const usage = record({
  input: tokens,
  output: tokens,
  reasoning: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  "webSearches?": tokens,
});
const cost = record({ usd: { type: "number", minimum: 0, maximum: usdMax }, estimated: flag });
const media = listOf(record({ name: text, mediaType: text, base64: text, "detail?": oneOf("original") }));
const failure = record({ code: text, message: text, "recovery?": text, retryable: flag });
const files = listOf(record({ path: text, status: oneOf("added", "modified", "deleted") }));
const touchedFiles = record({ read: texts, modified: texts });
const rules = listOf(record({ permission: text, pattern: text, action: oneOf("allow", "ask", "deny") }));
const decision = record({ behavior: oneOf("allow", "deny"), source: text, reason: text, rules });
const blocks = listOf({
  anyOf: [
    record({ type: { const: "text" }, text, "signature?": text }),
    record({ type: { const: "reasoning" }, text, "signature?": text }),
    record({ type: { const: "tool-call" }, callId: text, tool: text, inputText: text, "incomplete?": { const: true } }),
    record({ type: { const: "vendor" }, kind: text, json: text }),
  ],
});
const questions = listOf(
  record({ question: text, options: listOf(record({ label: text, description: text })), "multiSelect?": flag }),
);
const todos = listOf(
  record({
    content: text,
    status: oneOf("pending", "in_progress", "completed", "cancelled"),
    priority: oneOf("high", "medium", "low"),
  }),
);
const mode = oneOf("default", "accept-edits", "plan", "auto", "bypass");
const trigger = oneOf("threshold", "manual", "overflow", "incomplete", "idle");
const restores = listOf(record({ tree: text, paths: texts, "refsFrom?": text }));
const stopReason = oneOf("end", "tool-calls", "output-limit", "refused", "paused", "other");
const retries = listOf(record({ attempt: number, code: text, "status?": number, delayMs: number }));
const runOptions = record({
  "turnsMax?": number,
  "budgetUsdMax?": number,
  "tokensMax?": number,
  "stepsMax?": number,
  "answerSchema?": object,
  "reasoning?": record({ "effort?": text, "tokensMax?": number }),
  "fallbackModel?": text,
});
const denials = listOf(record({ callId: text, tool: text, reason: text, "allow?": text }));
const writingStyle = record({ name: text, text });
const outcome = oneOf("completed", "failed", "refused", "interrupted");

/** Only what is in the type of the fact may be named here, and all of it must be. */
type Shapes = {
  readonly [Type in FactType]: {
    readonly [Field in Exclude<keyof FactOf<Type>, "type">]-?: object extends Pick<FactOf<Type>, Field>
      ? Optional
      : JsonSchema;
  };
};

export type Optional = { readonly optional: JsonSchema };

function optional(schema: JsonSchema): Optional {
  return { optional: schema };
}

export const factShapes: Shapes = {
  "session.created": {
    directory: text,
    projectId: text,
    model: text,
    mode,
    kedgeVersion: text,
    boot: text,
    origin: optional(record({ kind: oneOf("fork", "handoff", "import", "replay", "child"), sessionId: text })),
    branch: optional(text),
    budget: optional(record({ "usdMax?": number, "tokensMax?": number, "turnsMax?": number })),
  },
  "session.updated": {
    title: optional(text),
    titleSource: optional(oneOf("model", "user")),
    isArchived: optional(flag),
    summary: optional(text),
    summaryLeaf: optional(text),
    usage: optional(usage),
    cost: optional(cost),
  },
  "session.deleted": { by: text },
  "chain.closed": { sessionId: text, lastSeq: number, hash: text },
  "journal.recovered": { what: text },
  "session.resumed": { boot: text, mode },
  "model.changed": { model: text },
  "mode.changed": { mode },
  "style.changed": { style: optional(writingStyle), brevity: optional(writingStyle) },
  "prompt.admitted": {
    promptId: text,
    runId: text,
    delivery: oneOf("steer", "follow-up"),
    text,
    from: optional(text),
    attachments: optional(media),
    subtasks: optional(listOf(record({ prompt: text, description: text, "agent?": text, "model?": text }))),
    options: optional(runOptions),
  },
  "prompt.revised": { promptId: text, text, by: optional(text) },
  "prompt.withdrawn": { promptId: text, by: optional(text) },
  "command.ran": { command: text, text, data: optional(anything) },
  "step.started": {
    stepId: text,
    runId: text,
    turn: number,
    source: oneOf("main", "subagent", "fork", "compaction", "background"),
    model: text,
    requestId: text,
    prompts: listOf(record({ promptId: text, form: oneOf("prompt", "steer") })),
    reminders: texts,
    remindersBefore: optional(number),
    sent: optional(listOf(record({ reminder: number, source: text, origin: text, hash: text }))),
    addedTools: optional(texts),
    fallback: optional(record({ from: text, reason: text })),
    withoutMedia: optional({ const: true }),
  },
  "step.progressed": { stepId: text, appended: blocks },
  "step.ended": {
    stepId: text,
    outcome: oneOf("answered", "failed", "interrupted"),
    content: blocks,
    usage,
    cost,
    stopReason: optional(stopReason),
    providerRequestId: optional(text),
    failure: optional(failure),
    retries: optional(retries),
    cacheBreak: optional(record({ cause: text, tokensLost: number, usd: number })),
    durationMs: number,
  },
  "tool.started": {
    callId: text,
    stepId: text,
    tool: text,
    inputText: text,
    readOnly: flag,
    decision: optional(decision),
    snapshot: optional(text),
  },
  "tool.ended": {
    callId: text,
    stepId: text,
    tool: text,
    outcome,
    output: text,
    title: optional(text),
    metadata: optional(object),
    media: optional(media),
    parentCallId: optional(text),
    phases: { type: "object", additionalProperties: number },
    decision: optional(decision),
  },
  "job.started": { jobId: text, callId: text, command: text, pid: optional(number), startedAt: optional(text) },
  "job.ended": { jobId: text, status: text },
  "agent.started": {
    agentId: text,
    agent: text,
    description: text,
    depth: number,
    callId: optional(text),
    name: optional(text),
    key: optional(text),
    isBackground: optional({ const: true }),
    isQuiet: optional({ const: true }),
    isRevived: optional({ const: true }),
    afterSeq: optional(number),
  },
  "agent.ended": {
    agentId: text,
    status: oneOf(...agentStatuses),
    result: text,
    structured: optional(anything),
    usage,
    cost,
    turns: number,
    durationMs: number,
    outputPath: optional(text),
    why: optional(text),
  },
  "mail.received": { messageId: text, fromId: text, from: text, text },
  "todos.replaced": { todos },
  "question.asked": { requestId: text, callId: text, questions },
  "question.answered": { requestId: text, answers: texts },
  "permission.asked": {
    stepId: text,
    requestId: text,
    callId: text,
    tool: text,
    permission: text,
    patterns: texts,
    always: texts,
    reason: text,
    preview: optional(text),
    inputText: optional(text),
    evidence: optional(texts),
    isIrreversible: optional({ const: true }),
    isSavable: optional({ const: true }),
    saves: optional(rules),
    agent: optional(record({ agentId: text, agent: text, parentId: text, "name?": text })),
  },
  "permission.answered": {
    requestId: text,
    callId: text,
    reply: oneOf("once", "session", "project", "reject"),
    source: oneOf("user", "classifier", "interrupt", "sibling", "timeout"),
    boot: text,
    grants: rules,
    message: optional(text),
    updatedInputText: optional(text),
  },
  "files.changed": { stepId: text, before: text, after: text, files, uncovered: texts, refs: optional(texts) },
  "pressure.changed": {
    level: oneOf("calm", "elevated", "high"),
    score: number,
    contributions: listOf(record({ callId: text, weight: number, why: text })),
  },
  "checkpoint.opened": { stepId: text, callId: text, goal: text },
  "checkpoint.discarded": {},
  "conversation.rewound": { stepId: text, report: text, files },
  "context.cleared": {
    reason: oneOf("cache-expired", "size", "useless", "superseded", "shaken"),
    results: listOf(record({ stepId: text, callId: text, text })),
    tokensFreed: number,
    resentTokens: optional(number),
  },
  "context.compacted": {
    compactionId: text,
    trigger,
    strategy: oneOf("summary", "snapcompact"),
    summary: text,
    shortSummary: text,
    restored: texts,
    frames: optional(media),
    archive: optional(record({ tail: text, dropped: number })),
    vendorHistory: optional(record({ provider: text, family: text, json: text, tokens: number })),
    firstKeptId: optional(text),
    files: touchedFiles,
    itemsReplaced: number,
    tokensBefore: number,
    tokensAfter: number,
    boundary: object,
    model: optional(text),
    usage,
    cost,
  },
  "compaction.failed": { trigger, failure, usage, cost },
  "memory.lesson_extracted": { id: text, outcome: oneOf("succeeded", "failed"), lesson: text },
  "leaf.moved": { leafId: optional(text) },
  "grants.replaced": { grants: rules, boot: text },
  "message.removed": { messageId: text, entryIds: texts },
  "entry.labelled": { entryId: text, label: optional(text) },
  "message.added": {
    messageId: text,
    kind: oneOf("branch-summary", "handoff", "imported", "note"),
    text,
    fromLeafId: optional(text),
    by: optional(text),
    files: optional(touchedFiles),
    usage: optional(usage),
    cost: optional(cost),
  },
  "session.reverted": { promptId: text, only: optional(oneOf("files")), snapshot: text, restores, files },
  "session.unreverted": { promptId: text, only: optional(oneOf("files")), restores, files },
  "run.ended": {
    runId: text,
    reason: oneOf(
      "completed",
      "aborted",
      "error_max_turns",
      "error_max_budget",
      "error_max_structured_output_retries",
      "error_during_execution",
      "stopped_by_hook",
    ),
    text,
    structured: optional(anything),
    usage,
    usageByModel: { type: "object", additionalProperties: usage },
    cost,
    turns: number,
    durationMs: number,
    transitions: texts,
    denials,
    stopReason: optional(stopReason),
    budget: optional(oneOf("usd", "tokens")),
    failure: optional(failure),
    emptyAnswer: optional({ const: true }),
    pressure: optional(oneOf("elevated", "high")),
  },
  "instructions.loaded": { blocks: listOf(record({ source: text, origin: text, hash: text, tokens: number })) },
  "reproduction.judged": reproductionShape,
  "memory.written": { path: text, origin: text },
  "memory.quarantined": { path: text, why: text },
  "memory.recalled": {
    candidates: number,
    selected: texts,
    bytes: number,
    durationMs: number,
    by: oneOf("model", "keywords"),
    usage: optional(usage),
    cost: optional(cost),
  },
  "memory.extracted": {
    upTo: optional(text),
    outcome: oneOf("searched", "skipped", "failed"),
    paths: texts,
    denials,
    usage,
    cost,
    cacheShare: optional(number),
    cacheMiss: optional(text),
  },
  "memory.consolidated": {
    trigger: oneOf("asked", "due"),
    outcome: oneOf("changed", "unchanged", "failed"),
    paths: texts,
    denials,
    durationMs: number,
    usage,
    cost,
    cacheShare: optional(number),
    cacheMiss: optional(text),
  },
  "content.removed": { digests: texts, reason: text, by: text },
};
