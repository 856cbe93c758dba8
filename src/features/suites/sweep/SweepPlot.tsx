import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Sweep.module.css'
import { sweepMessages } from './sweepMessages.ts'
import { formatNumbers, type SweepRow } from './sweepRows.ts'

const WIDTH_PX = 560
const HEIGHT_PX = 200
const MARGIN_PX = { left: 40, right: 16, top: 12, bottom: 34 }
const POINT_RADIUS_PX = 9
/** What each further character of a point's numbers needs to both sides. */
const DIGIT_RADIUS_PX = 3.5

/** Each setting as a point with its number: how much is found, for how many tokens. */
export function SweepPlot({ rows }: { rows: readonly SweepRow[] }) {
  const t = useMessages(sweepMessages)
  const points = rows.flatMap(({ number, label, hit, tokens, isBest, of }) =>
    hit === null || tokens === null ? [] : [{ number, label, hit, tokens, isBest, isEstimate: of.isEstimate }],
  )
  if (points.length === 0) return null
  const maxTokens = Math.max(1, ...points.map(({ tokens }) => tokens)) * 1.05
  const toX = (tokens: number) => MARGIN_PX.left + (tokens / maxTokens) * (WIDTH_PX - MARGIN_PX.left - MARGIN_PX.right)
  const toY = (hit: number) => HEIGHT_PX - MARGIN_PX.bottom - hit * (HEIGHT_PX - MARGIN_PX.top - MARGIN_PX.bottom)
  const describe = ({ number, label, hit, tokens }: (typeof points)[number]) =>
    t('point', { number, setting: label, hit: Math.round(hit * 100), tokens: Math.round(tokens) })
  // Settings at the same place are one point with all their numbers.
  const places = Map.groupBy(points, ({ hit, tokens }) => `${Math.round(toX(tokens))} ${Math.round(toY(hit))}`)
  const groups = [...places.values()].map((group) => ({
    x: toX(group[0]?.tokens ?? 0),
    y: toY(group[0]?.hit ?? 0),
    numbers: formatNumbers(group.map(({ number }) => number)),
    title: group.map(describe).join('\n'),
    isBest: group.some(({ isBest }) => isBest),
    isEstimate: group.every(({ isEstimate }) => isEstimate),
  }))
  return (
    <svg
      className={classes.plot}
      viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`}
      role="img"
      aria-label={t('plot', { text: points.map(describe).join('; ') })}
    >
      {[0, 0.5, 1].map((hit) => (
        <g key={hit}>
          <line x1={MARGIN_PX.left} x2={WIDTH_PX - MARGIN_PX.right} y1={toY(hit)} y2={toY(hit)} />
          <text x={MARGIN_PX.left - 6} y={toY(hit) + 4} textAnchor="end">
            {hit * 100}
          </text>
        </g>
      ))}
      {[0, 0.5, 1].map((share) => (
        <text key={share} x={toX(maxTokens * share)} y={HEIGHT_PX - MARGIN_PX.bottom + 14} textAnchor="middle">
          {Math.round(maxTokens * share)}
        </text>
      ))}
      <text x={WIDTH_PX - MARGIN_PX.right} y={HEIGHT_PX - 4} textAnchor="end">
        {t('plotX')}
      </text>
      <text x={MARGIN_PX.left} y={HEIGHT_PX - 4}>
        {t('plotY')}
      </text>
      {groups.map(({ x, y, numbers, ...group }) => (
        <g
          key={numbers}
          data-best={group.isBest || undefined}
          data-estimate={group.isEstimate || undefined}
          transform={`translate(${x} ${y})`}
        >
          <title>{group.title}</title>
          <ellipse rx={POINT_RADIUS_PX + (numbers.length - 1) * DIGIT_RADIUS_PX} ry={POINT_RADIUS_PX} />
          <text y={4} textAnchor="middle">
            {numbers}
          </text>
        </g>
      ))}
    </svg>
  )
}
