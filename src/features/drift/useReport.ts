import type { Workspace } from '#contract/console.ts'
import type { DriftRow, NeverRow } from '#contract/drifts.ts'
import { useWords } from '../../ui/words.ts'
import type { CopyReportProps } from './CopyReport.tsx'
import { NEVER_WORDS, placeOf, SEEN_WORDS } from './kinds.ts'
import { driftWords } from './messages.ts'
import { jsonOf, type Line, markdownOf } from './report.ts'
import { shortOf } from './SeenTable.tsx'

/** Makes a report of rows of one list, with the words of the screen. */
export function useReport(workspace: Workspace | undefined) {
  const t = useWords(driftWords)
  const origin = () => ({
    title: t('title'),
    workspace: workspace?.name ?? '',
    base_url: workspace?.base_url ?? '',
    at: new Date().toISOString(),
  })
  const lineOf = (row: DriftRow | NeverRow): Line => {
    const where: Line['cells'] = [
      [t('what'), placeOf(t, row)],
      [t('kind'), 'sample' in row ? t(SEEN_WORDS[row.kind]) : t(NEVER_WORDS[row.kind])],
      [t('operation'), row.operation],
    ]
    if (!('sample' in row)) return { cells: where }
    const seen: Line['cells'] = [
      [t('value'), shortOf(row.sample) ?? ''],
      [t('times'), String(row.count)],
      [t('firstSeen'), row.first_seen],
      [t('lastSeen'), row.last_seen],
    ]
    return { cells: [...where, ...seen], sample: row.sample }
  }
  return (rows: readonly (DriftRow | NeverRow)[]): CopyReportProps => ({
    count: rows.length,
    markdown: () => markdownOf(origin(), rows.map(lineOf)),
    json: () => jsonOf(origin(), rows),
  })
}
