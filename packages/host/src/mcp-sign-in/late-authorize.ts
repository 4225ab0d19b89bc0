/** The way from servers to sign-ins that loads nothing before the first server connects. */
import type { Authorize } from "@kedge/extend/mcp";
import type { AuthorizeParts } from "./authorize-servers.ts";

export function lateAuthorize(parts: AuthorizeParts): Authorize {
  let loading: Promise<Authorize> | undefined;
  const load = async () => {
    const { createAuthorize } = await import("./authorize-servers.ts");
    return createAuthorize(parts);
  };
  return async (server, fetch) => {
    loading ??= load();
    return (await loading)(server, fetch);
  };
}
