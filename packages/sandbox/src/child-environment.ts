/** The one place where the environment of child processes is made, so that no way of starting one can leak a secret. */

export type ChildEnvironmentOptions = {
  /** Removes provider keys, cloud secrets and CI tokens too, not only kedge's own secrets. */
  readonly scrub: boolean;
  /** Names that scrubbing leaves in place. Has no power over kedge's own secrets. */
  readonly passthrough?: readonly string[];
  /** Removes `GITHUB_TOKEN` and `GH_TOKEN` as well, which wrapper scripts often need. */
  readonly scrubGithub?: boolean;
};

/** Never useful to a child and always dangerous. */
const ownSecret =
  /^KEDGE_(?:\w+_)?(?:TOKEN|SECRET|KEY|PASSWORD|PASSPHRASE|CREDENTIALS?|HEADERS|EXTRA_BODY|CLIENT_CERT|DATABASE_URL)$/;

const githubNames: ReadonlySet<string> = new Set(["GITHUB_TOKEN", "GH_TOKEN"]);

const secretNames: ReadonlySet<string> = new Set([
  // Model providers whose names the patterns below do not cover.
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_CUSTOM_HEADERS",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "COPILOT_TOKEN",
  "HF_TOKEN",
  "HUGGING_FACE_HUB_TOKEN",
  "REPLICATE_API_TOKEN",
  "AWS_BEARER_TOKEN_BEDROCK",
  // Clouds.
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_AUTHORIZATION_TOKEN",
  "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GOOGLE_CREDENTIALS",
  "GOOGLE_GHA_CREDS_PATH",
  "GOOGLE_OAUTH_ACCESS_TOKEN",
  "CLOUDSDK_AUTH_ACCESS_TOKEN",
  "CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE",
  "AZURE_CLIENT_SECRET",
  "AZURE_CLIENT_CERTIFICATE_PATH",
  "AZURE_CLIENT_CERTIFICATE_PASSWORD",
  "AZURE_FEDERATED_TOKEN_FILE",
  "AZURE_PASSWORD",
  "ARM_CLIENT_SECRET",
  "DIGITALOCEAN_ACCESS_TOKEN",
  "CLOUDFLARE_API_TOKEN",
  // Identity, runtime and cache of continuous integration.
  "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
  "ACTIONS_ID_TOKEN_REQUEST_URL",
  "ACTIONS_RUNTIME_TOKEN",
  "ACTIONS_RUNTIME_URL",
  "ACTIONS_CACHE_URL",
  "ACTIONS_RESULTS_URL",
  "CI_JOB_TOKEN",
  "CI_JOB_JWT",
  "CI_JOB_JWT_V2",
  "CI_REGISTRY_PASSWORD",
  "SYSTEM_ACCESSTOKEN",
  "BUILDKITE_AGENT_ACCESS_TOKEN",
  "CIRCLE_OIDC_TOKEN",
  "CIRCLE_OIDC_TOKEN_V2",
  "BITBUCKET_STEP_OIDC_TOKEN",
  "NODE_AUTH_TOKEN",
  "NPM_TOKEN",
]);

/** Each of the patterns below needs one of these, and most names have none: every start looks at all names. */
const secretWords = ["KEY", "TOKEN", "SECRET", "HEADERS"];

/** Families of names, so that a provider or cloud of tomorrow is covered too. */
const secretPatterns: readonly RegExp[] = [
  /(?:^|_)API_?KEYS?(?:_\d+)?$/,
  /(?:^|_)API_TOKEN$/,
  /(?:^|_)(?:ACCESS|AUTH|OAUTH|REFRESH|BEARER|SESSION)_TOKEN$/,
  /(?:^|_)(?:CLIENT|SIGNING|WEBHOOK|APP)_SECRET$/,
  /(?:^|_)SECRET(?:_ACCESS)?_KEY$/,
  /(?:^|_)PRIVATE_KEY$/,
  /^OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS$/,
  /^(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE|AZURE_OPENAI|MISTRAL|GROQ|OPENROUTER|DEEPSEEK|XAI)_\w*(?:TOKEN|SECRET|HEADERS)$/,
];

const inputPrefix = "INPUT_";

export function childEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  options: ChildEnvironmentOptions,
): Record<string, string> {
  const passthrough = new Set(options.passthrough?.map(canonicalName));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && !isRemoved(name, options, passthrough)) kept[name] = value;
  }
  return kept;
}

/** Whether a variable of this name holds a secret, for those who redact values. */
export function isSecretName(name: string): boolean {
  const plain = withoutInputPrefix(canonicalName(name));
  return ownSecret.test(plain) || githubNames.has(plain) || isForeignSecret(plain);
}

function isRemoved(name: string, options: ChildEnvironmentOptions, passthrough: ReadonlySet<string>): boolean {
  const canonical = canonicalName(name);
  const plain = withoutInputPrefix(canonical);
  if (ownSecret.test(plain)) return true;
  if (passthrough.has(canonical)) return false;
  if (githubNames.has(plain)) return options.scrubGithub === true;
  return options.scrub && isForeignSecret(plain);
}

function isForeignSecret(plain: string): boolean {
  const mayBeSecret = secretWords.some((word) => plain.includes(word));
  return secretNames.has(plain) || (mayBeSecret && secretPatterns.some((pattern) => pattern.test(plain)));
}

/** Action inputs keep the hyphens and blanks of their names, and some systems do not tell upper from lower case. */
function canonicalName(name: string): string {
  return name.toUpperCase().replaceAll(/[- ]/g, "_");
}

function withoutInputPrefix(name: string): string {
  return name.startsWith(inputPrefix) ? name.slice(inputPrefix.length) : name;
}
