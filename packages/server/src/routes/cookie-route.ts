/** The route by which a browser comes in: it hands in the code from the address it was opened with, and gets a cookie. */
import { routeOf } from "@kedge/protocol";
import { cookieRow } from "@kedge/protocol/rows";
import type { AppParts } from "../http/app-parts.ts";
import { ProblemError } from "../http/failure-status.ts";
import { readBody } from "../http/read-body.ts";
import type { ServerRoutes } from "../http/server-routes.ts";

/**
 * The one route that changes something and is no command: whoever calls it has no credential yet, so there is nobody to
 * carry a command out for, and all it changes is what the caller is known by.
 */
export function addCookieRoute(routes: ServerRoutes, { admissions }: AppParts): void {
  const route = routeOf(cookieRow);
  routes.app.use(route.path, readBody);
  routes.add(
    {
      route,
      operationId: "cookie.redeem",
      summary: "Exchange a code from code.issue for a cookie, once and within a minute.",
      fields: cookieRow.fields,
      ...{ isOfProcess: true, isOpenToAll: true, status: 204 },
    },
    (context, { code }) => {
      const cookie = admissions.redeemCode(code, context.env.incoming);
      if (cookie === undefined) {
        throw new ProblemError({
          ...{ status: 401, code: "unauthorized", message: "The code is unknown, already used, or expired." },
          recovery: "Request another one with code.issue.",
        });
      }
      return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
    },
  );
}
