/** Charts as plain SVG: bars over time, and a whole that is divided. Every figure is also in the page as text. */

export type Column = { readonly label: string; readonly value: number; readonly text: string };

const width = 640;
const height = 150;
const baseline = height - 22;
const top = 14;

export function ColumnChart({ title, columns }: { readonly title: string; readonly columns: readonly Column[] }) {
  const max = Math.max(...columns.map(({ value }) => value), 0);
  const step = width / Math.max(1, columns.length);
  const bar = Math.max(2, Math.min(36, step * 0.7));
  const every = Math.ceil(columns.length / 8);
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={chartText(title, columns)}>
      <line class="axis" x1={0} x2={width} y1={baseline + 0.5} y2={baseline + 0.5} />
      {columns.map(({ label, value, text }, index) => {
        const tall = max === 0 ? 0 : ((baseline - top) * value) / max;
        const x = index * step + (step - bar) / 2;
        return (
          <g key={label}>
            <rect class="bar" x={x} y={baseline - tall} width={bar} height={tall} rx={2}>
              <title>{`${label}: ${text}`}</title>
            </rect>
            {index % every === 0 && (
              <text x={index * step + step / 2} y={height - 6} text-anchor="middle">
                {label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function chartText(title: string, columns: readonly Column[]): string {
  return `${title}. ${columns.map(({ label, text }) => `${label}: ${text}`).join("; ")}`;
}

export type Share = { readonly name: string; readonly value: number; readonly text: string; readonly isRest?: boolean };

const fills = 6;

/** Parts of a whole beside each other; `isRest` is what is left of it. */
export function ShareBar({ title, shares }: { readonly title: string; readonly shares: readonly Share[] }) {
  const sum = shares.reduce((total, { value }) => total + value, 0);
  let at = 0;
  const pieces = shares.map((share, index) => {
    const wide = sum === 0 ? 0 : (width * share.value) / sum;
    const piece = { ...share, x: at, wide, fill: share.isRest ? fills : index % fills };
    at += wide;
    return piece;
  });
  return (
    <>
      <svg class="chart shares" viewBox={`0 0 ${width} 18`} preserveAspectRatio="none" role="img" aria-label={title}>
        {pieces.map(({ name, x, wide, fill }) => (
          <rect key={name} class={`fill-${fill}`} x={x} y={0} width={wide} height={18} />
        ))}
      </svg>
      <ul class="legend">
        {pieces.map(({ name, text, fill }) => (
          <li key={name}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class={`fill-${fill}`} width={10} height={10} rx={2} />
            </svg>
            {name} <span class="row-state">{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
