import { Box, Text } from '@mantine/core'
import { READING_LOSS_KINDS, type ReadingLoss } from '#domain/documentReading/readingLoss.ts'
import { useEncodingLabel } from '../../../components/forms/useEncodingLabel.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { readingMessages } from './messages.ts'

/** As a platform delivers it. */
type DeliveredLoss = { kind: string; count: number; places?: { unit: string; numbers: number[] } | null | undefined }
type DeliveredReading = { encoding?: string | null | undefined; losses?: readonly DeliveredLoss[] | null | undefined }

const PLACE_UNITS = ['page', 'row', 'line'] satisfies NonNullable<ReadingLoss['places']>['unit'][]
/** As many as a reader lists. */
const MAX_LISTED_PLACES = 20

const LOSSES_STYLE = {
  borderBottom: '1px solid var(--line)',
  borderLeft: '3px solid var(--interrupted-solid)',
  overflowWrap: 'anywhere',
} as const

/** The encoding of a file, and what was lost while it was read; nothing for a file that was read completely. */
export function ReadingNote({ reading }: { reading: DeliveredReading | null | undefined }) {
  const t = useMessages(readingMessages)
  const toEncodingLabel = useEncodingLabel()
  const { encoding, losses } = reading ?? {}
  const formatLoss = ({ kind, count, places }: DeliveredLoss) => {
    const what = t(`losses.${READING_LOSS_KINDS.find((one) => one === kind) ?? 'other'}`, { n: count, kind })
    const unit = PLACE_UNITS.find((one) => one === places?.unit)
    if (!unit || !places || places.numbers.length === 0) return what
    const { length: n } = places.numbers
    const list = places.numbers.join(', ')
    const numbers = n < count && n >= MAX_LISTED_PLACES ? t('more', { numbers: list }) : list
    return `${what} (${t(`places.${unit}`, { n, numbers })})`
  }
  return (
    <>
      {encoding && encoding !== 'utf-8' ? (
        <Text px="lg" py="sm" fz="sm" c="dimmed" style={{ borderBottom: '1px solid var(--line)' }}>
          {t('encoding', { encoding: toEncodingLabel(encoding) })}
        </Text>
      ) : null}
      {losses && losses.length > 0 ? (
        <Box px="lg" py="sm" fz="sm" role="note" aria-label={t('title')} style={LOSSES_STYLE}>
          <b>{t('title')}</b>
          <Box component="ul" pl="lg" style={{ listStyle: 'revert' }}>
            {losses.map((loss) => (
              <li key={`${loss.kind} ${loss.places?.unit}`}>{formatLoss(loss)}</li>
            ))}
          </Box>
        </Box>
      ) : null}
    </>
  )
}
