/** Doubles and fixtures for tests: scripted models, a mock model on the real wire, clocks and ids that repeat. */
export * from "./counting-ids.ts";
export * from "./fixed-clock.ts";
export * from "./mock-model/anthropic-wire.ts";
export * from "./mock-model/chat-wire.ts";
export * from "./mock-model/google-wire.ts";
export * from "./mock-model/mock-model.ts";
export * from "./mock-model/mock-wire.ts";
export * from "./mock-model/responses-wire.ts";
export * from "./mock-model/script.ts";
export * from "./prefix-cache.ts";
export * from "./processes/living-processes.ts";
export * from "./processes/runaway-command.ts";
export * from "./provider-matrix.ts";
export { randomSession, recordsOf } from "./random-session/random-facts.ts";
export * from "./rounds.ts";
export * from "./scripted-provider.ts";
export * from "./seeded-random.ts";
export * from "./with-patience.ts";
