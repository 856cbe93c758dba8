import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Sweep, SweptSetting } from '#contract/console/experiments/sweeps.ts'
import type { Suite } from '#contract/console/suites.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { UTF8_BOM } from '#domain/csv.ts'
import { Can } from '../../../client/Can.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { Table, type TableColumn } from '../../../components/data/Table.tsx'
import { openFileSink } from '../../../components/hooks/fileSink.ts'
import { type Translate, useMessages } from '../../../components/i18n/useMessages.ts'
import { formatMeasure } from '../experiments/suiteFigures.ts'
import classes from './Sweep.module.css'
import { sweepMessages } from './sweepMessages.ts'
import { type SweepRow, toCsvText, formatNumbers } from './sweepRows.ts'
import blocks from '../../../components/layout/Blocks.module.css'

/** What each setting finds: the best is marked only where chance does not explain the difference. */
export function SweepResult({ suite, sweep: { batch, settings } }: { suite: Suite; sweep: Sweep }) {
  const t = useMessages(sweepMessages)
  const isDone = batch.state === 'ended'
  const rows = settings
    .filter(({ source, problem }) => source !== null || problem !== null)
    .map((setting): SweepRow => ({ ...setting, label: toSettingLabel(t, setting) }))
  const columns: TableColumn<SweepRow>[] = [
    { header: '#', cell: ({ number }) => number, isNumeric: true },
    {
      header: t('setting'),
      grows: true,
      cell: ({ label, best, problem }) => (
        <span title={problem ? `${label}: ${problem.message}` : label}>
          {label} {best ? <StatusBadge status={t('best')} isPlain /> : null} {problem ? `· ${problem.message}` : null}
        </span>
      ),
    },
    {
      header: t('source'),
      cell: ({ source, state }) => (source ? t(`sources.${source}`) : <StatusBadge status={state} isPlain />),
    },
    { header: t('questions'), cell: ({ questions, source }) => (source ? questions : null), isNumeric: true },
    { header: t('hit'), cell: ({ hit }) => formatPercent(hit), isNumeric: true },
    { header: t('mrr'), cell: ({ mrr }) => formatMeasure(mrr), isNumeric: true },
    { header: t('tokens'), cell: ({ tokens }) => (tokens === null ? null : Math.round(tokens)), isNumeric: true },
  ]
  const exportCsv = async () => {
    const sink = await openFileSink(`${suite.name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-settings.csv`, 'text/csv')
    await sink.write(UTF8_BOM + toCsvText(rows))
    await sink.close()
  }
  return (
    <>
      {isDone ? <BestNote rows={rows} /> : null}
      <SweepPlot rows={rows} />
      <Table label={t('table')} columns={columns} rows={rows} getKey={({ number }) => String(number)} />
      {rows.some(({ values }) => values.is_estimate) ? (
        <Text fz="sm" c="dimmed">
          {t('estimateNote')}
        </Text>
      ) : null}
      {isDone ? (
        <Group gap="sm">
          <Can entry={EXPORT_PERMISSION}>
            <Button variant="default" leftSection={<IconDownload size={14} />} onClick={() => void exportCsv()}>
              {t('exportCsv')}
            </Button>
          </Can>
        </Group>
      ) : null}
    </>
  )
}

function BestNote({ rows }: { rows: readonly SweepRow[] }) {
  const t = useMessages(sweepMessages)
  if (rows.every(({ best }) => best === null)) return <p className={blocks.noted}>{t('noBest')}</p>
  return rows.map(({ number, label, best }) =>
    best ? (
      <p key={number} className={blocks.noted} data-tone="succeeded">
        {t('bestOf', { setting: label, fixed: best.fixed, lost: best.regressed })}
      </p>
    ) : null,
  )
}

function toSettingLabel(t: Translate<typeof sweepMessages>, { values }: SweptSetting): string {
  const { chunk_tokens, is_estimate, search_method, top_k, score_threshold, weights } = values
  const parts = [
    chunk_tokens === null ? is_estimate && t('currentChunks') : t('chunks', { n: chunk_tokens }),
    search_method,
    top_k !== undefined && `top_k ${top_k}`,
    score_threshold !== undefined && `score_threshold ${score_threshold}`,
    weights !== undefined && `weights ${weights}`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : t('current')
}

const formatPercent = (share: number | null): string | null => (share === null ? null : `${(share * 100).toFixed(1)} %`)

const WIDTH_PX = 560
const HEIGHT_PX = 200
const MARGIN_PX = { left: 40, right: 16, top: 12, bottom: 34 }
const POINT_RADIUS_PX = 9
/** What each further character of a point's numbers needs to both sides. */
const DIGIT_RADIUS_PX = 3.5

/** Each setting as a point with its number: how much is found, for how many tokens. */
function SweepPlot({ rows }: { rows: readonly SweepRow[] }) {
  const t = useMessages(sweepMessages)
  const points = rows.flatMap(({ number, label, hit, tokens, best, values: { is_estimate: isEstimate } }) =>
    hit === null || tokens === null ? [] : [{ number, label, hit, tokens, isBest: best !== null, isEstimate }],
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
