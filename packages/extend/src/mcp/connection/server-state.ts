/** The state of a server, as people and the tool search see it. */
export type McpServerState =
  | { readonly state: "pending"; readonly attempt: number }
  | { readonly state: "connected" }
  /** For people, without a full stop. */
  | { readonly state: "failed"; readonly error: string; readonly isQuoted?: true }
  | { readonly state: "needs-auth" }
  | { readonly state: "disabled"; readonly reason: string };

export function describeState(state: McpServerState): string {
  switch (state.state) {
    case "pending":
      return state.attempt > 1 ? `connecting, attempt ${state.attempt}` : "connecting";
    case "failed":
      return `failed: ${state.error}`;
    case "needs-auth":
      return "needs sign-in";
    case "disabled":
      return `not used: ${state.reason}`;
    case "connected":
      return "connected";
  }
}
