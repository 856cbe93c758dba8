import { Button } from '@mantine/core'
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
import { formatMeasure } from '../suiteFigures.ts'
import classes from './Sweep.module.css'
import { sweepMessages } from './sweepMessages.ts'
import { SweepPlot } from './SweepPlot.tsx'
import { type SweepRow, toCsvText } from './sweepRows.ts'
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
      {rows.some(({ isEstimate }) => isEstimate) ? <p className={classes.note}>{t('estimateNote')}</p> : null}
      {isDone ? (
        <div className={classes.buttons}>
          <Can entry={EXPORT_PERMISSION}>
            <Button variant="default" leftSection={<IconDownload size={14} />} onClick={() => void exportCsv()}>
              {t('exportCsv')}
            </Button>
          </Can>
        </div>
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
