/** What the build knows about itself. Run from source, it says so instead. */

declare const KEDGE_VERSION: string | undefined;
declare const KEDGE_BUILD_ID: string | undefined;

/** The version of package.json. */
export const version: string = typeof KEDGE_VERSION === "undefined" ? "0.0.0-source" : KEDGE_VERSION;

/** The digest of the bundled program. */
export const buildId: string = typeof KEDGE_BUILD_ID === "undefined" ? "source" : KEDGE_BUILD_ID;
