/** What keeps the machine safe from commands, texts and addresses: child environments, judges of paths and URLs. */
export { type DnsAnswers, judgeUrl, judgeUrlJourney, lookUpIn, type UrlPolicy } from "./address-judgement.ts";
export { childEnvironment, isSecretName } from "./child-environment.ts";
export { createLookAtPath } from "./look-at-path.ts";
export { isProtectedPath } from "./shell/protected-targets.ts";
