/** The status line that a command of the user's prints, from what the screen knows. */
import type { Client } from "@kedge/protocol";
import type { ClientState } from "../state/client-state.ts";

export type OwnStatusParts = {
  /** Undefined where the user wants none. */
  readonly command: string | undefined;
  readonly run: ((command: string, input: string) => Promise<string | undefined>) | undefined;
  readonly client: Client;
  readonly state: () => ClientState;
  readonly onChange: () => void;
};

export interface OwnStatus {
  text(): string | undefined;
  /** Told of every change of the state. */
  update(): void;
  close(): void;
}

/** Changes that come together are told to the command once. */
const settleMs = 300;

export function createOwnStatus({ command, run, client, state, onChange }: OwnStatusParts): OwnStatus {
  let text: string | undefined;
  let told = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTrusted: boolean | undefined;

  async function ask(wanted: string, runIt: NonNullable<typeof run>): Promise<void> {
    timer = undefined;
    // What a project brings may be on the path of the command, so it has to be one that the user trusts.
    if (isTrusted !== true) {
      const project = await client.ask<"project.read">({ type: "project.read" });
      isTrusted = project.ok && project.value.isTrusted;
    }
    const input = JSON.stringify(statusInput(state()));
    if (!isTrusted || input === told) return;
    told = input;
    const printed = await runIt(wanted, input);
    if (printed === undefined || printed === text) return;
    text = printed;
    onChange();
  }

  return {
    text: () => text,
    update() {
      if (command === undefined || run === undefined || timer !== undefined) return;
      if (state().connection !== "ready") return;
      timer = setTimeout(() => void ask(command, run), settleMs);
      timer.unref();
    },
    close: () => clearTimeout(timer),
  };
}

/** The names are part of what users write scripts against. */
function statusInput({ session, directory, repository, context, effort }: ClientState) {
  return {
    directory,
    session: session?.id,
    title: session?.title,
    model: session?.model,
    effort,
    mode: session?.mode,
    branch: repository?.branch,
    changedFiles: (repository?.staged ?? 0) + (repository?.changed ?? 0) + (repository?.untracked ?? 0),
    contextTokens: context?.tokens,
    windowTokens: context?.windowTokens,
    usd: session?.cost.usd,
    isRunning: session?.isRunning ?? false,
  };
}
