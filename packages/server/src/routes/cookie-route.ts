/** The route by which a browser comes in: it hands in the code from the address it was opened with, and gets a cookie. */
import { z } from "@hono/zod-openapi";
import { cookieRoute } from "@kedge/protocol";
import type { AppParts } from "../http/app-parts.ts";
import { ProblemError } from "../http/failure-status.ts";
import { readBody } from "../http/read-body.ts";
import { checked, inputOfRoute } from "../http/route-input.ts";
import type { ServerApp } from "../http/server-environment.ts";
import { describeRoute } from "./describe-route.ts";

const codeLengthMax = 128;
const fields = z.strictObject({ code: z.string().min(1).max(codeLengthMax) });

/**
 * The one route that changes something and is no command: whoever calls it has no credential yet, so there is nobody to
 * carry a command out for, and all it changes is what the caller is known by.
 */
export function addCookieRoute(app: ServerApp, { admissions }: AppParts): void {
  describeRoute(app, cookieRoute, {
    operationId: "cookie.redeem",
    summary: "Trades a code of code.issue, once and within a minute, for a cookie.",
    ...{ input: inputOfRoute(cookieRoute, fields), isOfProcess: true, isOpenToAll: true, status: 204 },
  });
  app.post(cookieRoute.path, readBody, (context) => {
    const { code } = checked(fields, context.get("body"), "body");
    const cookie = admissions.redeemCode(code, context.env.incoming);
    if (cookie === undefined) {
      throw new ProblemError({
        ...{ status: 401, code: "unauthorized", message: "The code is unknown, was used, or is too old." },
        recovery: "Ask for another one with code.issue.",
      });
    }
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  });
}
