/** The headers by which kedge names itself to vendors: program, interface and container, nothing about user or project. */
import { FailureError } from "@kedge/protocol";

/** The interface that a request comes from. */
export type KedgeApp = "cli" | "tui" | "sdk" | "server" | "acp";

const containerVariable = "KEDGE_CONTAINER_ID";

export type IdentityParts = {
  readonly kedgeVersion: string;
  readonly app: KedgeApp;
  readonly environment: { readonly [name: string]: string | undefined };
};

/** Throws a failure when the id of the container cannot be sent. */
export function identityHeaders({ kedgeVersion, app, environment }: IdentityParts): {
  readonly [name: string]: string;
} {
  const container = environment[containerVariable] ?? "";
  if (!/^[\w.:/-]{0,256}$/.test(container)) throw new FailureError(unusableContainer);
  return {
    "user-agent": `kedge/${kedgeVersion}`,
    "x-app": app,
    ...(container !== "" && { "x-kedge-container-id": container }),
  };
}

const unusableContainer = {
  code: "configuration",
  message: `${containerVariable} is not a valid container id.`,
  recovery: "Use at most 256 letters, digits and the characters . _ : / -.",
  retryable: false,
} as const;
