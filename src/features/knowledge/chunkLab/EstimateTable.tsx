import { type ChunkEstimate, getEstimatedWordCount, type MeasuredChunks } from '#domain/chunking/chunkEstimate.ts'
import { FieldLabel } from '../../../components/forms/FieldLabel.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { Text } from '@mantine/core'
import classes from './ChunkLab.module.css'
import { chunkLabMessages } from './messages.ts'

export interface EstimateTableProps {
  label: string
  estimate: ChunkEstimate
  /** Undefined while the platform has counted nothing. */
  measuredChunks: MeasuredChunks | undefined
}

export function EstimateTable({ label, estimate, measuredChunks }: EstimateTableProps) {
  const t = useMessages(chunkLabMessages)
  const rows = [
    ['segments', t('segments'), estimate.segments, measuredChunks?.segments],
    ...(estimate.children > 0
      ? [['children', t('childChunks'), estimate.children, measuredChunks?.children] as const]
      : []),
    ['tokens', <FieldLabel key="tokens" name="tokens" />, estimate.tokens, measuredChunks?.tokens],
    ['words', <FieldLabel key="words" name="word_count" />, getEstimatedWordCount(estimate), measuredChunks?.words],
  ] as const
  return (
    <table className={classes.counted} aria-label={label}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('estimated')}</th>
          <th scope="col">{t('counted')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([id, name, estimated, counted]) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <Text component="td" fz="sm" c="dimmed">
              {estimated.toLocaleString('en')}
            </Text>
            <Text
              component="td"
              fz="sm"
              fw={counted == null ? 400 : 550}
              c={counted == null ? 'var(--text-3)' : 'var(--text)'}
            >
              {counted?.toLocaleString('en') ?? t(measuredChunks ? 'notGiven' : 'notYet')}
            </Text>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
