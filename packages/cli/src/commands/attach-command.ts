/** `kedge attach`: the screen or the console of a session that runs in a server, here or elsewhere. */
import { findProject, homeDirectory } from "@kedge/host";
import { type Failure, FailureError, includesScope } from "@kedge/protocol";
import { createClient } from "@kedge/sdk";
import type { Flags } from "../arguments/flags.ts";
import { converse } from "../console/conversation.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSession, sessionChoice } from "../opening/open-session.ts";
import { readSurroundings, type Surroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice } from "../output.ts";
import { hasScreen } from "../start/has-screen.ts";
import { readSecret } from "../terminal/read-secret.ts";
import { attachTexts } from "../texts/servers.ts";

type Address = { readonly url: string; readonly token: string };

/** Rules and limits of a run are the server's; whoever gives them here would think that they hold. */
const foreignFlags = {
  allow: "--allow",
  deny: "--deny",
  skipPermissions: "--dangerously-skip-permissions",
  maxTurns: "--max-turns",
  maxBudgetUsd: "--max-budget-usd",
  maxSteps: "--max-steps",
  effort: "--effort",
  systemPrompt: "--system-prompt",
  appendSystemPrompt: "--append-system-prompt",
  settings: "--config",
  attach: "--attach",
} as const satisfies { readonly [Name in keyof Flags]?: string };

export async function runAttachCommand([url, extra]: readonly string[], flags: Flags): Promise<number> {
  if (extra !== undefined) {
    writeNotice(attachTexts.usage);
    return exitCodes.usage;
  }
  const foreign = Object.entries(foreignFlags).find(([name]) => flags[name as keyof typeof foreignFlags] !== undefined);
  if (foreign !== undefined) {
    writeNotice(attachTexts.notHere(foreign[1]));
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  try {
    const address = await findAddress(url, flags, surroundings);
    return await attach(address, flags, surroundings);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    writeDiagnostic(failureText(error.failure));
    return exitCodes.error;
  }
}

/** Without an address, the server of this directory, if one runs. */
async function findAddress(url: string | undefined, flags: Flags, surroundings: Surroundings): Promise<Address> {
  const { cwd, environment, userDirectory } = surroundings;
  const given = flags.token ?? environment["KEDGE_TOKEN"];
  if (url !== undefined && !/^https?:\/\//.test(url)) throw new FailureError(badAddress(url));
  if (url !== undefined) return { url, token: given ?? (await askForToken()) };
  const { findRunningServer, hostAccess } = await import("@kedge/host/server");
  const found = await findRunningServer(
    hostAccess({ home: homeDirectory(environment, userDirectory), environment, now: Date.now }),
    findProject(cwd).cwd,
  );
  if (found.kind === "running") {
    return { url: found.server.url, token: given ?? found.server.token };
  }
  throw new FailureError(noServer(found.kind));
}

const mayNotApprove = attachTexts.mayNotApprove;

function badAddress(url: string): Failure {
  const message = attachTexts.badUrl(JSON.stringify(url));
  return { code: "invalid_command", message, recovery: attachTexts.urlForm, retryable: false };
}

async function askForToken(): Promise<string> {
  // What is piped in is the conversation.
  const secret = process.stdin.isTTY ? await readSecret("token: ") : undefined;
  if (secret?.kind === "given") return secret.text;
  throw new FailureError({
    code: "auth_error",
    message: attachTexts.needsToken,
    recovery: attachTexts.passToken,
    retryable: false,
  });
}

function noServer(kind: "none" | "incompatible" | "silent"): Failure {
  const messages = {
    none: attachTexts.noServer,
    incompatible: attachTexts.otherVersion,
    silent: attachTexts.noResponse,
  };
  const recovery = kind === "none" ? attachTexts.startOne : attachTexts.restartIt;
  return { code: "connection_error", message: messages[kind], recovery, retryable: kind !== "incompatible" };
}

async function attach(address: Address, flags: Flags, surroundings: Surroundings): Promise<number> {
  const client = createClient(address);
  const project = await client.ask<"project.read">({ type: "project.read" });
  if (!project.ok) throw new FailureError(project.failure);
  const { directory, model: defaultModel, mode, scope = "admin" } = project.value;
  const isPicked = flags.pickSession === true && hasScreen(flags, surroundings.environment);
  const opened = await openSession(client, {
    choice: isPicked ? { kind: "new" } : sessionChoice(flags),
    directory,
    mode: flags.permissionMode ?? mode,
    isModeNamed: flags.permissionMode !== undefined,
    model: flags.model,
    defaultModel,
  });
  if (!opened.ok) throw new FailureError(opened.failure);
  const mayApprove = includesScope(scope, "approve");
  const { notice = mayApprove ? undefined : mayNotApprove, ...session } = opened;
  const told = { ...session, ...(notice !== undefined && { notice }) };
  if (hasScreen(flags, surroundings.environment)) {
    const { runAttachedTerminal } = await import("../terminal/terminal.ts");
    const ended = await runAttachedTerminal({ client, directory, mode, scope, session: told, flags, surroundings });
    // A server has its model already, so that nobody is offered the demo.
    return ended === "demo" ? exitCodes.success : ended;
  }
  const { environment } = surroundings;
  return converse({ ...{ client, environment, mayApprove, ...told }, prompt: "", attachments: [], runOptions: {} });
}
