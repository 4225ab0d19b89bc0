/** The AddressScheme contract: texts that have an address in the place of a path, such as `memory://build.md`. */
import type { Media } from "../content.ts";

export type AddressAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      /** Nobody here vouches for what it says, so it is shown as data. */
      readonly isForeign: boolean;
      /** Pictures beside the text. */
      readonly media?: readonly Media[];
    }
  /** A sentence for the model, with what there is instead. */
  | { readonly ok: false; readonly problem: string };

/** The call that asks. */
export type AddressCaller = { readonly sessionId: string; readonly signal: AbortSignal };

/** What stands behind `://` is its name; it never has a line selector. */
export interface AddressScheme {
  /** Without `://`, in small letters. */
  readonly name: string;
  /** What is found there, for a list: "the documentation of kedge". */
  readonly holds: string;
  /** The empty name stands for a list of what there is. */
  read(name: string, caller: AddressCaller): Promise<AddressAnswer>;
  /** Every name that can be read, for a search in all of them. Without it one text at a time is searched. */
  names?(caller: AddressCaller): Promise<readonly string[]>;
  /** A sentence if the text was not taken. Without it nothing can be written there. */
  write?(name: string, text: string, caller: AddressCaller): Promise<string | undefined>;
}

/** The schemes of a session as one of its calls sees them. */
export interface Addresses {
  /** In a fixed order, for sentences to the model. */
  readonly schemes: readonly Pick<AddressScheme, "name" | "holds">[];
  /** Undefined for a scheme that nobody serves; so are the others. */
  read(scheme: string, name: string): Promise<AddressAnswer> | undefined;
  names(scheme: string): Promise<readonly string[]> | undefined;
  write(scheme: string, name: string, text: string): Promise<string | undefined> | undefined;
}
