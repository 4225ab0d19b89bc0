/** Turns errors of the connection and of the server into the one failure value; everything else is a bug and passes. */
import { type Failure, FailureError } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";

type Trouble =
  | "unreachable"
  | "lost"
  | "slow"
  | "busy"
  | "refused"
  | "missing"
  | "crowded"
  | "full"
  | "read-only"
  | "forbidden"
  | "damaged"
  | "certificate";

/** Codes of the server. Those that are not listed mean a mistake in our own statements. */
const troubleOfServer: ReadonlyMap<string, Trouble> = new Map([
  ["25006", "read-only"],
  ["25P03", "lost"],
  ["28000", "refused"],
  ["28P01", "refused"],
  ["3D000", "missing"],
  ["40001", "busy"],
  ["40P01", "busy"],
  ["42501", "forbidden"],
  ["53100", "full"],
  ["53200", "full"],
  ["53300", "crowded"],
  ["55P03", "busy"],
  ["57014", "slow"],
  ["57P01", "lost"],
  ["57P02", "lost"],
  ["57P03", "unreachable"],
  ["57P05", "lost"],
  ["58000", "damaged"],
  ["58030", "damaged"],
  ["XX001", "damaged"],
  ["XX002", "damaged"],
]);

/** What the client says of a connection, in its own words: it has no codes for them. */
const troubleOfClient: readonly (readonly [RegExp, Trouble])[] = [
  [/^Connection terminated due to connection timeout|^timeout expired/, "unreachable"],
  [/^timeout exceeded when trying to connect/, "busy"],
  [/^Connection terminated|not queryable|^Connection ended/, "lost"],
  [/^Query read timeout/, "slow"],
  [/SSL connection/, "certificate"],
  [/^SASL|password must be a string/i, "refused"],
];

const lostCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);

const serverCode = /^[0-9A-Z]{5}$/;

/** Gives back the error that should be thrown: a FailureError for trouble from outside, the same error for a bug. */
export function postgresError(error: unknown, name: string): unknown {
  if (error instanceof FailureError) return error;
  const trouble = troubleOf(error);
  return trouble === undefined ? error : new FailureError(failureOf(trouble, name), error);
}

/** True when the connection cannot be used again. A server that refused a statement has said so with a code. */
export function isConnectionLost(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble === "lost" || trouble === "unreachable" || (trouble === "slow" && codeOf(error) === undefined);
}

/** True when somebody else held what a statement needs for longer than it would wait. */
export function isLockedElsewhere(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined;
  // Every address of a host was tried.
  if (error instanceof AggregateError) return troubleOf(error.errors[0]);
  const code = codeOf(error);
  if (code === undefined) return troubleOfClient.find(([words]) => words.test(error.message))?.[1];
  if (code.startsWith("08") && serverCode.test(code)) return "lost";
  const known = troubleOfServer.get(code);
  if (known !== undefined) return known;
  if (lostCodes.has(code)) return "lost";
  if (code.startsWith("ERR_TLS") || code.startsWith("ERR_SSL") || /CERT|VERIFY/.test(code)) return "certificate";
  return "syscall" in error ? (error.syscall === "open" ? "certificate" : "unreachable") : undefined;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function failureOf(trouble: Trouble, name: string): Failure {
  const database = `The PostgreSQL database ${name}`;
  switch (trouble) {
    case "unreachable":
      return {
        ...failure(`${database} cannot be reached.`, "Check that the server is running and the URL is correct."),
        retryable: true,
      };
    case "lost":
      return {
        ...failure(`The connection to ${lowerFirst(database)} was lost.`, "Try again once the server can be reached."),
        retryable: true,
      };
    case "slow":
      return {
        ...failure(`${database} did not respond in time.`, "Try again, or check the server load."),
        retryable: true,
      };
    case "busy":
      return {
        ...failure(`${database} is busy.`, "Try again in a moment."),
        retryable: true,
      };
    case "crowded":
      return {
        ...failure(
          `${database} has no free connections.`,
          "Close another kedge process, or raise max_connections on the server.",
        ),
        retryable: true,
      };
    case "refused":
      return failure(`${database} refused the login.`, "Check the user and password in the URL.");
    case "missing":
      return failure(`${database} does not exist.`, "Create it with createdb, or fix the URL.");
    case "full":
      return failure(`${database} is out of disk space.`, "Free some space on the server and try again.");
    case "read-only":
      return failure(`${database} is read-only.`, "Use the URL of the primary server.");
    case "forbidden":
      return failure(
        `${database} denied access to this user.`,
        "Make the user owner of the database, or grant it CREATE.",
      );
    case "damaged":
      return failure(`${database} is damaged on its server.`, "Restore it from a backup of the server.");
    case "certificate":
      return failure(
        `The certificate of ${lowerFirst(database)} is not trusted.`,
        "Check sslmode and sslrootcert in the URL.",
      );
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
