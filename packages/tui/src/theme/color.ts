/** Colours as theme files name them, and what can be reckoned from them: luminance, contrast, the nearest of fewer colours. */

export type Rgb = { readonly red: number; readonly green: number; readonly blue: number };

/** `default` leaves the colour to the terminal; an index is one of its 256, of which the first 16 are the user's own. */
export type ThemeColor =
  | { readonly kind: "rgb"; readonly rgb: Rgb }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "default" };

/** `#rgb` or `#rrggbb`. */
export function parseHex(text: string): Rgb | undefined {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const full = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const value = Number.parseInt(full, 16);
  return { red: value >> 16, green: (value >> 8) & 255, blue: value & 255 };
}

/** Relative luminance, from 0 for black to 1 for white. */
export function luminance({ red, green, blue }: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** From 1 for the same luminance to 21 for black on white. */
export function contrast(first: Rgb, second: Rgb): number {
  const [one, other] = [luminance(first), luminance(second)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** On this page dark text is harder to read than light text. */
export function isDarkColor(rgb: Rgb): boolean {
  const black = { red: 0, green: 0, blue: 0 };
  const white = { red: 255, green: 255, blue: 255 };
  return contrast(rgb, white) > contrast(rgb, black);
}

/** The 16 first ones as most terminals have them; users may have set others. */
const terminalColors: readonly Rgb[] = [
  "#000000",
  "#cd0000",
  "#00cd00",
  "#cdcd00",
  "#0000ee",
  "#cd00cd",
  "#00cdcd",
  "#e5e5e5",
  "#7f7f7f",
  "#ff0000",
  "#00ff00",
  "#ffff00",
  "#5c5cff",
  "#ff00ff",
  "#00ffff",
  "#ffffff",
].map((hex) => parseHex(hex) as Rgb); // The table holds nothing but full hex values.

const cubeLevels = [0, 95, 135, 175, 215, 255] as const;
const cubeStart = 16;
const grayStart = 232;

/** What the terminal shows for one of its 256 colours. */
export function rgbOfIndex(index: number): Rgb {
  const terminal = terminalColors[index];
  if (terminal !== undefined) return terminal;
  if (index >= grayStart) {
    const level = 8 + (index - grayStart) * 10;
    return { red: level, green: level, blue: level };
  }
  const place = index - cubeStart;
  const level = (step: number) => cubeLevels[step % 6] ?? 0;
  return { red: level(Math.floor(place / 36)), green: level(Math.floor(place / 6)), blue: level(place) };
}

/** Of the 240 that no user changes; the first 16 are left alone because nobody knows how they look. */
export function nearestIndex(rgb: Rgb): number {
  return nearest(rgb, cubeStart, 256);
}

export function nearestTerminalIndex(rgb: Rgb): number {
  return nearest(rgb, 0, cubeStart);
}

function nearest(rgb: Rgb, start: number, end: number): number {
  let found = start;
  let least = Number.POSITIVE_INFINITY;
  for (let index = start; index < end; index += 1) {
    const away = distance(rgb, rgbOfIndex(index));
    if (away < least) [found, least] = [index, away];
  }
  return found;
}

/** Weighted by how much of a difference eyes see in each channel. */
function distance(first: Rgb, second: Rgb): number {
  return (
    2 * (first.red - second.red) ** 2 + 4 * (first.green - second.green) ** 2 + 3 * (first.blue - second.blue) ** 2
  );
}

const blueHue = 215;
const lightnessSteps = 200;

/** The same luminance in blue, so that it reads as well as before on every background. */
export function towardBlue(rgb: Rgb): Rgb {
  const wanted = luminance(rgb);
  let best = rgb;
  let least = Number.POSITIVE_INFINITY;
  for (let step = 0; step <= lightnessSteps; step += 1) {
    const candidate = fromHueLightness(blueHue, step / lightnessSteps);
    const away = Math.abs(luminance(candidate) - wanted);
    if (away < least) [best, least] = [candidate, away];
  }
  return best;
}

/** With three quarters of the saturation there could be. */
function fromHueLightness(hue: number, lightness: number): Rgb {
  const strength = 0.75 * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const turn = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - strength * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))));
  };
  return { red: channel(0), green: channel(8), blue: channel(4) };
}
