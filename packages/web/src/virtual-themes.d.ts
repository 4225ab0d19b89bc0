/** What the build makes of the themes of the terminal: their colors as variables of the page, and this list of them. */
declare module "virtual:themes" {
  export const themes: readonly { readonly name: string; readonly isDark: boolean }[];
}
declare module "virtual:themes.css" {}
declare module "virtual:chosen-themes.css" {}
