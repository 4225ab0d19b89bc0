/** What the build knows about itself. Run from source, it says so instead. */

declare const KEDGE_VERSION: string | undefined;
declare const KEDGE_BUILD_ID: string | undefined;

/** The version of package.json. */
export const version: string = typeof KEDGE_VERSION === "undefined" ? "0.0.0-source" : KEDGE_VERSION;

/** The digest of the bundled program, which is another one after every change of it; undefined where there is none. */
export const buildId: string | undefined = typeof KEDGE_BUILD_ID === "undefined" ? undefined : KEDGE_BUILD_ID;
