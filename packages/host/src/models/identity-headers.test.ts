/** What kedge tells vendors about itself. */
import { expect, test } from "vitest";
import { identityHeaders } from "./identity-headers.ts";

const parts = { kedgeVersion: "1.2.3", app: "tui" } as const;
const plain = { "user-agent": "kedge/1.2.3", "x-app": "tui" };

test("program and interface, and the container where there is one", () => {
  expect(identityHeaders({ ...parts, environment: { USER: "ann" } })).toEqual(plain);
  const environment = { KEDGE_CONTAINER_ID: "pod-7" };
  expect(identityHeaders({ ...parts, environment })).toEqual({ ...plain, "x-kedge-container-id": "pod-7" });
});

test("a container id that would add header lines is refused", () => {
  const environment = { KEDGE_CONTAINER_ID: "a\r\nx-evil: 1" };
  expect(() => identityHeaders({ ...parts, environment })).toThrow("KEDGE_CONTAINER_ID is not a valid container id.");
});
