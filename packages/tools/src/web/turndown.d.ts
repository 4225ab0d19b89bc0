/** The part of turndown that is used here; the package comes without types. */
declare module "turndown" {
  export type TurndownRule = {
    readonly filter: string | readonly string[] | ((node: never) => boolean);
    readonly replacement: (content: string, node: never) => string;
  };
  export default class TurndownService {
    constructor(options: { readonly [name: string]: string });
    addRule(name: string, rule: TurndownRule): this;
    turndown(root: unknown): string;
  }
}
