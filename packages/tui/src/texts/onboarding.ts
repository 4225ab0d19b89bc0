/** What a new user reads: where the model comes from, keys and sign-in. The three last screens are in `welcome.md`. */
import { counted } from "@kedge/protocol";

export const welcomeTexts = {
  title: "Welcome to kedge",
  noProviders: "No providers found. Press Escape to exit, or add one under provider in ~/.kedge/config.json.",
  exit: "esc exit",

  keyNeeded: "API key needed",
  keyFound: "key found",
  noKeyNeeded: "no key needed",
  onThisMachine: (server: string) => `${server} on this machine`,
  demo: "Demo",
  aboutDemo: "a scripted model; no key or network needed",

  askKey: (provider: string) => `API key for ${provider} (stored on this machine)`,
  verifyingKey: "Verifying the key",
  cancel: "esc cancel",
  keyNotVerified: (reason: string) => `Could not verify the key: ${reason}. Try again.`,
  keyStoredAnyway: "The key was stored anyway.",

  place: ({ page, pages }: { page: number; pages: number }) => `${page}/${pages}`,
  next: "enter next",
  start: "enter start",

  serverModels: "Models of this server",
} as const;

export const providerTexts = {
  title: "Providers",
  loading: "Loading providers…",
  empty: "No providers found. Add one under provider in ~/.kedge/config.json.",
  hasKey: "has a key",
  noKey: "no key",
  models: (count: number) => counted(count, "model"),

  askKeyTitle: (provider: string) => `Key for ${provider}`,
  askKey: "Paste the API key. It is stored on this machine and never displayed.",
  keySaved: "Key saved on this machine.",

  removeKey: "remove key",
  removeKeyTitle: "Remove key",
  askRemoveKey: (provider: string) =>
    `Remove the stored key or account for ${provider}? Environment variables are not affected.`,
  remove: "Remove",
  cancel: "Cancel",
} as const;

export const loginTexts = {
  chooseTitle: (provider: string) => `Sign in to ${provider}`,
  choose: "How do you want to sign in?",
  keyOrToken: "API key or token",

  signIn: "Sign in",
  back: "Back",

  waitTitle: (provider: string) => `Signing in to ${provider}`,
  openUrl: (url: string) => `Open ${url}`,
  enterCode: (code: string) => `Enter the code ${code}`,
  continues: "kedge continues automatically when you are done.",
  copyUrl: "Copy the URL",
  cancel: "Cancel",
} as const;

export const modelTexts = {
  title: "Models",
  loading: "Loading models…",
  empty: "No models available. Sign in to a provider with /login.",
  favorites: "Favorites",
  recent: "Recent",
  current: "Current",
  isCurrent: "current",
  noKey: "no key",
  favorite: "favorite",

  /** In the columns at the right. */
  free: "free",
  toolsLetter: "t",
  reasoningLetter: "r",
  visionLetter: "v",
  prices: "$ per million in/out",
  tools: "t tools",
  reasoning: "r reasoning",
  vision: "v vision",
} as const;
