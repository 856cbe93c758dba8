/** The mark: lines of text, and a lens over them. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true" focusable="false">
      <g stroke="var(--text-3)" strokeWidth="2" strokeLinecap="round">
        <path d="M1.6 3h16.8M1.6 8.3h4.8M1.6 13.6h3.2M1.6 18.9h4.8" />
      </g>
      <circle cx="14.6" cy="14" r="7.9" fill="var(--primary-tint)" stroke="var(--primary)" strokeWidth="2.2" />
      <path d="M11.4 12.4h6.4M11.4 15.8h3.6" stroke="var(--primary)" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  )
}
