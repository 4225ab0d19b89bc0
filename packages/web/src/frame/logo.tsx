/** The logo of the program. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="7.500" r="3" />
      <path d="M16 10.500V26M10.500 14.500h11M6 18.500c.7 4.600 4.700 7.500 10 7.500s9.300-2.900 10-7.500" />
    </svg>
  );
}
