/** Lines of text, and under the lens the frames of a stream, one of them marked. */
export function LensIllustration() {
  return (
    <svg viewBox="0 0 420 390" width="420" height="390" fill="none" aria-hidden="true" focusable="false">
      <g stroke="var(--line-2)" strokeWidth="6" strokeLinecap="round">
        {LINE_WIDTHS_PX.map((to, index) => (
          <path key={index} d={`M12 ${16 + index * 30}H${to}`} />
        ))}
      </g>
      <clipPath id="lens">
        <circle cx="246" cy="184" r="124" />
      </clipPath>
      <circle cx="246" cy="184" r="128" fill="var(--surface)" stroke="var(--primary)" strokeWidth="7" />
      <circle cx="246" cy="184" r="119" stroke="var(--primary-line)" strokeWidth="1.5" />
      <g clipPath="url(#lens)" fontFamily="var(--mantine-font-family-monospace)" fontSize="15.5" fill="var(--text-2)">
        <text x="134" y="122">
          {'id: 40'}
        </text>
        <text x="134" y="152">
          {'data: {"event":"message"'}
        </text>
        <rect x="226" y="164" width="123" height="27" rx="3" fill="var(--mark)" />
        <text x="134" y="183" fill="var(--text)" fontWeight="600">
          {'"answer":"'}
          <tspan fill="var(--mark-text)">{'below 0.35 mm'}</tspan>
          {'"'}
        </text>
        <text x="134" y="216">
          {'id: 42'}
        </text>
        <text x="134" y="246">
          {'data: {"event":"message"'}
        </text>
      </g>
    </svg>
  )
}

const LINE_WIDTHS_PX = [310, 385, 240, 352, 415, 300, 340, 395, 290, 330, 378, 344, 252]
