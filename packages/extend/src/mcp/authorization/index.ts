/** Signing in to MCP servers. An entry of its own: only remote servers that ask for it need any of it. */
export { createGuardedFetch, type ServerNetwork } from "../connection/guarded-fetch.ts";
export { type KeptSignIn, parseSignIn, type SignInStore } from "./kept-sign-in.ts";
export { type AuthorizationParts, authorizeServer } from "./server-authorization.ts";
export { type SignInSettings, signIn } from "./sign-in.ts";
