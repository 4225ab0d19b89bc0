/** What a person reads about each class of failure that a vendor can report: what happened, and the one thing to do. */
import type { FailureCode } from "@kedge/protocol";

/** `says` follows the host's name, so that each message is one sentence. */
export type Wording = { readonly says: string; readonly recovery: string };

const tryAgain = "Try again.";
const chooseModel = "Choose another model with /model or --model.";
const logIn = 'Run "kedge auth login".';
const report = "Report it with the request id.";

const wordings = {
  api_timeout: { says: "did not respond in time", recovery: tryAgain },
  rate_limit: {
    says: "is rate limiting requests",
    recovery: "Wait, or choose another model with /model or --model.",
  },
  quota_exhausted: {
    says: "reports that the quota is exhausted",
    recovery: "Wait until it resets, upgrade the plan, or choose another model with /model or --model.",
  },
  server_overload: { says: "is overloaded", recovery: "Try again, or choose another model with /model or --model." },
  server_error: { says: "reported an internal error", recovery: tryAgain },
  prompt_too_long: {
    says: "rejected the conversation: context limit exceeded",
    recovery: "Run /compact, go back with /undo, or start a new session.",
  },
  request_too_large: {
    says: "rejected the request as too large",
    recovery: "Remove attachments or other large content.",
  },
  image_too_large: { says: "rejected an image as too large", recovery: "Make the image smaller and attach it again." },
  pdf_too_large: { says: "rejected a PDF as too long", recovery: "Attach fewer pages." },
  pdf_protected: {
    says: "cannot read a PDF without its password",
    recovery: "Remove the password and attach it again.",
  },
  too_many_media: { says: "received too many images or documents", recovery: "Attach fewer, or start a new session." },
  tool_pairing: {
    says: "rejected mismatched tool calls and results",
    recovery: "Go back with /undo and send again.",
  },
  invalid_model: {
    says: "does not know this model or URL",
    recovery: "Check the model id and the base URL, or choose another model with /model or --model.",
  },
  model_access_denied: {
    says: "denied this account access to the model",
    recovery: "Request access in the provider's console, or choose another model with /model or --model.",
  },
  credit_too_low: {
    says: "reports that the account has no credit left",
    recovery: "Add credit in the provider's console.",
  },
  invalid_api_key: { says: "rejected the API key", recovery: 'Run "kedge auth login", or set a valid API key.' },
  token_expired: { says: "reports that the login has expired", recovery: logIn },
  token_revoked: { says: "reports that the login was revoked", recovery: logIn },
  auth_error: { says: "denied access", recovery: 'Check the permissions of the API key, or run "kedge auth login".' },
  policy_refusal: { says: "declined the request", recovery: "Rephrase the request." },
  configuration: { says: "redirected the request", recovery: "Set the base URL to the final URL of the service." },
  bad_request: { says: "rejected the request", recovery: report },
  unknown: { says: "failed with an unknown error", recovery: report },
} satisfies { readonly [code in FailureCode]?: Wording };

/** Every class that an answer of a vendor can have. */
export type VendorFailureCode = keyof typeof wordings;

export function isVendorFailureCode(code: string): code is VendorFailureCode {
  return Object.hasOwn(wordings, code);
}

/** `keyName` is the environment variable that holds the provider's key. */
export function wordingOf(code: VendorFailureCode, keyName: string | undefined): Wording {
  const wording: Wording = wordings[code];
  if (keyName === undefined) return wording;
  if (code === "invalid_api_key")
    return { ...wording, recovery: `Set ${keyName} to a valid key, or run "kedge auth login".` };
  if (code === "auth_error")
    return { ...wording, recovery: `Check the permissions of the key in ${keyName}, or run "kedge auth login".` };
  return wording;
}

/** For a model that is limited now and a user who could also take another one. */
export function waitRecovery(wait: string): string {
  return `Wait ${wait}, or ${chooseModel.charAt(0).toLowerCase()}${chooseModel.slice(1)}`;
}
