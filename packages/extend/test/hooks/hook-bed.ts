/** Hooks of a configuration in a temporary folder, with real processes and doubles for what a host would give. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EndedCall, PhasedCall, SessionPlace } from "@kedge/protocol";
import { createSessionHooks, type HookParts, type HookSource, readHooks } from "../../src/hooks/index.ts";

export type HookBed = ReturnType<typeof openHookBed>;

type BedOptions = Partial<HookSource> & { readonly parts?: Partial<HookParts> };

export function openHookBed(hooks: unknown, { parts: given = {}, ...source }: BedOptions = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-hooks-")));
  const notices: string[] = [];
  const parts: HookParts = {
    root,
    cwd: root,
    addedDirectories: [],
    place: () => ({ environment: { PATH: process.env["PATH"] ?? "", HOME: root }, shellPath: "/bin/bash" }),
    changedScript: () => undefined,
    request: { refuseAddress: () => undefined, variable: () => undefined },
    askModel: async () => ({ ok: false, problem: "there is no model in this test" }),
    writeTranscript: async (sessionId) => join(root, `${sessionId}.jsonl`),
    transcriptPath: (sessionId) => join(root, `${sessionId}.jsonl`),
    matchesRule: () => undefined,
    neutralise: (text) => text,
    onNotice: (sentence) => void notices.push(sentence),
    now: () => 0,
    monotonicMs: () => 0,
    isHeadless: false,
    sessionEndMs: 1_500,
    ...given,
  };
  const read = readHooks([{ dialect: "claude", scope: "project", file: "settings.json", hooks, ...source }]);
  const session = createSessionHooks(read.hooks, parts);
  const [moment] = session.sessionMoments;
  if (moment === undefined) throw new Error("hooks have one moment");
  const place: SessionPlace = { sessionId: "ses_1", cwd: root, mode: "default", model: "mock/model" };
  return {
    ...{ root, notices, session, moment, place },
    ...read,
    write: (name: string, text: string) => writeFileSync(join(root, name), text, { mode: 0o755 }),
    async close() {
      await session.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export const signal = new AbortController().signal;

export function callOf(bed: Pick<HookBed, "root">, change: Partial<PhasedCall> = {}): PhasedCall {
  return {
    sessionId: "ses_1",
    callId: "c1",
    tool: "bash",
    input: { command: "make" },
    needs: [{ permission: "bash", patterns: ["make"], always: [], access: "execute" }],
    readOnly: false,
    cwd: bed.root,
    mode: "default",
    ...change,
  };
}

export function endOf(call: PhasedCall, change: Partial<EndedCall> = {}): EndedCall {
  return { ...call, outcome: "completed", output: "done", metadata: {}, ...change };
}

/** As the engine passes a call through the phases: before, and after with what the one before left. */
export async function passBefore({ session }: HookBed, call: PhasedCall) {
  const [first] = session.callPhases;
  return first?.before?.(call, signal);
}

export async function passAfter({ session }: HookBed, call: EndedCall) {
  let current = call;
  const answers = [];
  for (const phase of session.callPhases) {
    const answer = await phase.after?.(current, signal);
    if (answer === undefined) continue;
    answers.push(answer);
    current = { ...current, output: answer.output ?? current.output };
  }
  return answers;
}
