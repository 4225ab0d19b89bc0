/** What a word of `kedge plugin` comes to. */
import type { Json } from "@kedge/protocol";
import type { PluginMachine } from "./plugin-machine.ts";

export type PluginAnswer = {
  readonly text: string;
  readonly data: Json;
  /** `faulty` is a report on what is wrong with something else. */
  readonly end: "done" | "faulty" | "failed" | "refused";
};

/** Shown what would happen, a person says yes or no; nobody where there is none to ask. */
export type Confirm = (text: string, question: string) => Promise<"yes" | "no" | "nobody">;

export type PluginWork = {
  readonly machine: PluginMachine;
  /** The root of the project. */
  readonly root: string;
  readonly confirm: Confirm;
  readonly signal: AbortSignal;
};

export function done(text: string, data: Json): PluginAnswer {
  return { text, data, end: "done" };
}

/** `why` is a sentence without a full stop; it may begin with a name, which stays as it is. */
export function failed(why: string): PluginAnswer {
  const text = `${why}.`;
  return { text, data: { failure: text }, end: "failed" };
}

export function refused(text: string): PluginAnswer {
  return { text, data: { failure: text }, end: "refused" };
}
