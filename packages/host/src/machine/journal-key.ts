/** The key that signs the ends of sessions: made when it is first needed, read when it is first used, never sent anywhere. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JournalKey, reasonOf } from "@kedge/protocol";
import type { ConversationSettings } from "../configuration/conversation-settings.ts";
import type { Home } from "./home.ts";
import { temporaryFor } from "./replace-file.ts";

export type JournalKeyOptions = {
  readonly home: Pick<Home, "data">;
  /** Where nothing is to be signed, what was signed before is checked all the same. */
  readonly settings: Pick<ConversationSettings, "signsJournal">;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Told once when the key cannot be used. */
  readonly onNotice: (sentence: string) => void;
};

type Key = { readonly id: string; readonly privateKey: KeyObject; readonly publicKey: () => KeyObject };

const ownerOnly = 0o600;
const diskTroubles: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS"]);
const idCharacters = 16;

/** Touches no file before the first signature is made or checked, so that it costs a start nothing. */
export function createJournalKey({ home, settings, randomBytes, onNotice }: JournalKeyOptions): JournalKey {
  const path = join(home.data, "journal-key");
  let key: Key | "unusable" | undefined;

  function usable(make: () => string | undefined): Key | undefined {
    if (key === "unusable") return undefined;
    try {
      const text = key === undefined ? make() : undefined;
      if (text !== undefined) key = keyFrom(text);
      return key;
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      // Whoever stores facts there has said so already, and later there may be room again.
      if (diskTroubles.has(String(error.code))) return undefined;
      key = "unusable";
      onNotice(
        `Cannot use the signing key ${path} (${reasonOf(error)}). Sessions are not signed until you fix or remove it.`,
      );
      return undefined;
    }
  }

  return {
    sign(text) {
      if (!settings.signsJournal) return undefined;
      const own = usable(() => readKey(path) ?? makeKey(path, randomBytes));
      return own && { keyId: own.id, signature: sign(null, Buffer.from(text), own.privateKey).toString("base64url") };
    },
    check(text, { keyId, signature }) {
      // Looking at old signatures makes no key.
      const own = usable(() => readKey(path));
      if (own?.id !== keyId) return "unknown-key";
      const isRight = verify(null, Buffer.from(text), own.publicKey(), Buffer.from(signature, "base64url"));
      return isRight ? "valid" : "wrong";
    },
  };
}

/** What was signed with the key of this home, with the public half of it for whoever checks it elsewhere. */
export type Signed = { readonly keyId: string; readonly publicKey: string; readonly signature: string };

/** The same key signs texts that leave the machine. Throws what the file system throws. */
export function signText(text: string, { home, randomBytes }: Pick<JournalKeyOptions, "home" | "randomBytes">): Signed {
  const path = join(home.data, "journal-key");
  const written = readKey(path) ?? makeKey(path, randomBytes);
  const { id, privateKey } = keyFrom(written);
  const signature = sign(null, Buffer.from(text), privateKey).toString("base64url");
  return { keyId: id, publicKey: webKeyIn(written).x, signature };
}

export function isSignedText(text: string, { keyId, publicKey, signature }: Signed): boolean {
  if (keyIdOf(publicKey) !== keyId) return false;
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
  } catch {
    // No such key.
    return false;
  }
}

function keyIdOf(publicKey: string): string {
  return createHash("sha256").update(publicKey).digest("hex").slice(0, idCharacters);
}

/** Kept as a JSON Web Key: of all forms the one that is read fastest, and its public half needs no making to be named. */
function keyFrom(text: string): Key {
  const key = webKeyIn(text);
  const privateKey = createPrivateKey({ key, format: "jwk" });
  return { id: keyIdOf(key.x), privateKey, publicKey: () => createPublicKey(privateKey) };
}

type WebKey = JsonWebKey & { readonly x: string };

function webKeyIn(text: string): WebKey {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (isJsonObject(value) && typeof value["x"] === "string") return { ...value, x: value["x"] };
  throw Object.assign(new Error("no key"), { code: "it is not a key" });
}

/** Undefined when there is no key yet. */
function readKey(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // Whoever widened the permissions did not mean it: with the key anybody can sign.
  if ((found.mode & 0o077) !== 0) chmodSync(path, ownerOnly);
  return readFileSync(path, "utf8");
}

/** A link is made or not, never half, and not where another process was faster: then that one's key is the key. */
function makeKey(path: string, randomBytes: JournalKeyOptions["randomBytes"]): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  const text = `${JSON.stringify(privateKey.export({ format: "jwk" }))}\n`;
  const temporary = temporaryFor(path, randomBytes(6));
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: ownerOnly, flush: true });
    linkSync(temporary, path);
    return text;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    return readFileSync(path, "utf8");
  } finally {
    rmSync(temporary, { force: true });
  }
}
