/** Signing in to providers with accounts; loaded where somebody signs in. */
export { readAccountRecord } from "../credentials/account-record.ts";
export { openSignInDesk } from "./open-sign-in-desk.ts";
export type { SignInDesk } from "./sign-in-desk.ts";
export { type MethodId, methodIds, type SignInMethod } from "./sign-in-method.ts";
