import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Suite } from '#contract/console/suites.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { UTF8_BOM } from '#domain/csv.ts'
import { type BestSetting, findBestSetting, measureSetting } from '#domain/experiments/settingSweep.ts'
import { Can } from '../../../client/Can.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { Table, type TableColumn } from '../../../components/data/Table.tsx'
import { openFileSink } from '../../../components/hooks/fileSink.ts'
import { type Translate, useMessages } from '../../../components/i18n/useMessages.ts'
import { formatMeasure } from '../experiments/suiteFigures.ts'
import classes from './Sweep.module.css'
import { sweepMessages } from './sweepMessages.ts'
import { type SweepRow, toCsvText, formatNumbers } from './sweepRows.ts'
import type { SweptSetting } from './useSweep.ts'

/** What each setting finds: the best is marked only where chance does not explain the difference. */
export function SweepResult({ suite, rows, isDone }: { suite: Suite; rows: readonly SweptSetting[]; isDone: boolean }) {
  const t = useMessages(sweepMessages)
  const best = isDone ? findBestOfGroups(rows) : []
  const shown = rows.map((row, index): SweepRow => ({
    number: index + 1,
    label: toSettingLabel(t, row),
    of: row,
    isBest: best.some((one) => one.index === index),
    ...measureSetting(row.results),
  }))
  const columns: TableColumn<SweepRow>[] = [
    { header: '#', cell: ({ number }) => number, isNumeric: true },
    {
      header: t('setting'),
      grows: true,
      cell: ({ label, isBest }) => (
        <span title={label}>
          {label} {isBest ? <StatusBadge status={t('best')} isPlain /> : null}
        </span>
      ),
    },
    { header: t('source'), cell: ({ of }) => t(`sources.${of.source}`) },
    { header: t('questions'), cell: ({ questions }) => questions, isNumeric: true },
    { header: t('hit'), cell: ({ hit }) => formatPercent(hit), isNumeric: true },
    { header: t('mrr'), cell: ({ mrr }) => formatMeasure(mrr), isNumeric: true },
    { header: t('tokens'), cell: ({ tokens }) => (tokens === null ? null : Math.round(tokens)), isNumeric: true },
  ]
  const exportCsv = async () => {
    const sink = await openFileSink(`${suite.name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-settings.csv`, 'text/csv')
    await sink.write(UTF8_BOM + toCsvText(shown))
    await sink.close()
  }
  return (
    <>
      {isDone ? <BestNote rows={shown} best={best} /> : null}
      <SweepPlot rows={shown} />
      <Table label={t('table')} columns={columns} rows={shown} getKey={({ number }) => String(number)} />
      {rows.some(({ isEstimate }) => isEstimate) ? (
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

function BestNote({ rows, best }: { rows: readonly SweepRow[]; best: readonly BestSetting[] }) {
  const t = useMessages(sweepMessages)
  if (best.length === 0) return <p className={classes.conclusion}>{t('noBest')}</p>
  return best.map(({ index, test }) => (
    <p key={index} className={classes.conclusion} data-conclusion="better">
      {t('bestOf', { setting: rows[index]?.label ?? '', fixed: test.fixed, lost: test.regressed })}
    </p>
  ))
}

/** Dry runs and estimates are compared among themselves; the first of each is the current setting. */
function findBestOfGroups(rows: readonly SweptSetting[]): BestSetting[] {
  return [false, true].flatMap((isEstimate) => {
    const places = rows.flatMap((row, index) => (row.isEstimate === isEstimate ? [index] : []))
    const best = findBestSetting(places.map((index) => rows[index]?.results ?? []))
    return best ? [{ ...best, index: places[best.index] ?? 0 }] : []
  })
}

function toSettingLabel(
  t: Translate<typeof sweepMessages>,
  { settings, chunk_tokens, isEstimate }: SweptSetting,
): string {
  const { search_method, top_k, score_threshold, weights } = settings
  const parts = [
    chunk_tokens === null ? isEstimate && t('currentChunks') : t('chunks', { n: chunk_tokens }),
    search_method,
    top_k && `top_k ${top_k}`,
    score_threshold && `score_threshold ${score_threshold}`,
    weights && `weights ${weights}`,
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
