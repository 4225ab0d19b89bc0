/** What keeps the machine safe from commands, texts and addresses: child environments, judges of paths and URLs. */
export {
  type DnsAnswers,
  judgeUrl,
  judgeUrlJourney,
  lookUpIn,
  type UrlJourney,
  type UrlPolicy,
  type UrlQuestion,
  type UrlVerdict,
} from "./address-judgement.ts";
export { type ChildEnvironmentOptions, childEnvironment, isSecretName } from "./child-environment.ts";
export { createLookAtPath, type LookAtPathOptions } from "./look-at-path.ts";
export { isProtectedPath } from "./shell/protected-targets.ts";
