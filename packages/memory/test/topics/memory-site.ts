/** A memory directory of its own for one test. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRedactor } from "../../src/index.ts";
import {
  type MemoryEvent,
  type MemoryStore,
  openMemoryStore,
  recallableTopics,
  type TopicDraft,
} from "../../src/topics/index.ts";

export type MemorySite = {
  readonly directory: string;
  readonly events: MemoryEvent[];
  open(options?: { readonly acceptInferred?: boolean; readonly redact?: (text: string) => string }): MemoryStore;
  write(path: string, text: string): void;
  read(path: string): string;
  names(folder?: string): readonly string[];
  remove(): void;
};

/** Secrets by their form alone. */
export const redactForms = createRedactor({ values: () => [] }).redact;

export const dayOfTests = Date.parse("2026-03-10T12:00:00Z");

export function openMemorySite(): MemorySite {
  const root = mkdtempSync(join(tmpdir(), "kedge-memory-"));
  const directory = join(root, "projects", "p", "memory");
  const events: MemoryEvent[] = [];
  let token = 0;
  return {
    directory,
    events,
    open: ({ acceptInferred = false, redact = redactForms } = {}) =>
      openMemoryStore({
        ...{ directory, acceptInferred, redact, now: () => dayOfTests },
        newToken: () => `t${process.pid}n${token++}`,
        onEvent: (event) => events.push(event),
      }),
    write(path, text) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    },
    read: (path) => readFileSync(join(directory, path), "utf8"),
    names: (folder = "") => readdirSync(join(directory, folder)).sort(),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function draft(body: string, more: Partial<TopicDraft> = {}): TopicDraft {
  const name = body.split(/[.\n]/, 1)[0]?.slice(0, 60) ?? "";
  return { name, description: name, type: "project", body, ...more };
}

export async function recallable(store: MemoryStore) {
  return recallableTopics(await store.read());
}
