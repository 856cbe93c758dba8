import type { Batch } from '#contract/console/batches.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { annotationMessages } from '../messages.ts'

/** What became of the rows of an import: "46 added, 3 left out, 1 duplicate". */
export function ImportSummary({ batch: { counts, omitted } }: { batch: Pick<Batch, 'counts' | 'omitted'> }) {
  const t = useMessages(annotationMessages)
  const parts = [
    t('importedRows', { n: counts.succeeded }),
    ...(
      [
        ['failedRows', counts.failed + counts.stopped],
        ['unknownRows', counts.unknown],
        ['waitingRows', counts.waiting + counts.running],
        ['omittedRows', omitted?.invalid ?? 0],
        ['duplicateRows', omitted?.duplicate ?? 0],
      ] as const
    ).flatMap(([name, n]) => (n > 0 ? [t(name, { n })] : [])),
  ]
  return <>{parts.join(', ')}</>
}
