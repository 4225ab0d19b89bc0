/** Icons of the controls, drawn as lines in the color of the text around them. */
const paths = {
  menu: "M3 5h14M3 10h14M3 15h14",
  plus: "M10 4v12M4 10h12",
  close: "M5 5l10 10M15 5L5 15",
  send: "M10 16V4M5 9l5-5 5 5",
  stop: "M6 6h8v8H6z",
  attach:
    "M12.500 7.500l-5 5a1.400 1.400 0 102 2l5.300-5.300a3 3 0 00-4.300-4.300L5 10.400a4.600 4.600 0 006.500 6.500L16 12.400",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  undo: "M4 8h8a4 4 0 010 8H8M4 8l3.500-3.500M4 8l3.500 3.500",
  redo: "M16 8H8a4 4 0 000 8h4M16 8l-3.500-3.500M16 8l-3.500 3.500",
  fork: "M6 5v4a3 3 0 003 3h2a3 3 0 003 3M6 5a1.500 1.500 0 100-.01M14 15a1.500 1.500 0 100 .01M6 9v7",
  link: "M8.500 11.500a3 3 0 004.300 0l2.500-2.500a3 3 0 00-4.300-4.300l-1 1M11.500 8.500a3 3 0 00-4.300 0L4.700 11a3 3 0 004.300 4.300l1-1",
  rewind: "M10 5a5 5 0 11-4.700 3.300M5 4v4.300h4.300M10 8v2.500l2 1.500",
  panel: "M3 4h14v12H3zM12.500 4v12",
  search: "M9 4a5 5 0 100 10A5 5 0 009 4zM13 13l4 4",
  copy: "M7 7h9v9H7zM4 13V4h9",
  settings: "M4 6h6M14 6h2M4 14h2M10 14h6M12 4v4M8 12v4",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
