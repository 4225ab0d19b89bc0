/** The route by which a device comes in: it hands in the code from the terminal, and gets a credential of its own. */
import { routeOf } from "@kedge/protocol";
import { pairRow } from "@kedge/protocol/rows";
import { deviceCookie } from "../admission/caller-check.ts";
import { answerJson } from "../http/answer-json.ts";
import type { AppParts } from "../http/app-parts.ts";
import { ProblemError } from "../http/failure-status.ts";
import { readBody } from "../http/read-body.ts";
import type { ServerRoutes } from "../http/server-routes.ts";

export function addPairRoute(routes: ServerRoutes, { devices, isForDevices }: AppParts): void {
  const route = routeOf(pairRow);
  routes.app.use(route.path, readBody);
  routes.add(
    {
      route,
      operationId: "device.pair",
      summary: "Exchange a code from pairing.issue for the credential of a device, once and within five minutes.",
      ...{ fields: pairRow.fields, answer: pairRow.answer, isOfProcess: true, isOpenToAll: true },
    },
    (context, { code, name, wants = "cookie" }) => {
      if (!isForDevices) throw new ProblemError(notHere);
      const { incoming } = context.env;
      const { secret, ...device } = devices.pair({ code, name, peer: incoming.socket.remoteAddress ?? "" });
      if (wants === "token") return answerJson({ ...device, token: secret });
      return answerJson(device, 200, { "set-cookie": deviceCookie(incoming, secret) });
    },
  );
}

const notHere = {
  ...{ status: 404, code: "not_found", message: "This address does not pair devices." },
  recovery: "Use the address that kedge serve --lan or --tailnet prints.",
} as const;
