/** Signing in to providers with accounts; loaded where somebody signs in. */
export { openSignInDesk } from "./open-sign-in-desk.ts";
export type { SignInDesk } from "./sign-in-desk.ts";
export { methodIds, type SignInMethod } from "./sign-in-method.ts";
