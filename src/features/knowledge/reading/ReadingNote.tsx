import { READING_LOSS_KINDS, type ReadingLoss } from '#domain/documentReading/readingLoss.ts'
import { useEncodingLabel } from '../../../components/forms/useEncodingLabel.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { readingMessages } from './messages.ts'
import classes from './ReadingNote.module.css'

/** As a platform delivers it. */
interface DeliveredLoss {
  kind: string
  count: number
  places?: { unit: string; numbers: number[] } | null | undefined
}

interface ReadingNoteProps {
  reading:
    | { encoding?: string | null | undefined; losses?: readonly DeliveredLoss[] | null | undefined }
    | null
    | undefined
}

/** The encoding of a file, and what was lost while it was read; nothing for a file that was read completely. */
export function ReadingNote({ reading }: ReadingNoteProps) {
  const t = useMessages(readingMessages)
  const toEncodingLabel = useEncodingLabel()
  const losses = reading?.losses ?? []
  const encoding = reading?.encoding
  const toWords = (loss: DeliveredLoss) => {
    const kind = READING_LOSS_KINDS.find((one) => one === loss.kind) ?? 'other'
    return t(`losses.${kind}`, { n: loss.count, kind: loss.kind })
  }
  const toPlaces = ({ count, places }: DeliveredLoss) => {
    const unit = PLACE_UNITS.find((one) => one === places?.unit)
    if (!unit || !places || places.numbers.length === 0) return ''
    const numbers = places.numbers.join(', ')
    const isAll = places.numbers.length >= count || places.numbers.length < MAX_LISTED_PLACES
    return ` (${t(`places.${unit}`, { n: places.numbers.length, numbers: isAll ? numbers : t('more', { numbers }) })})`
  }
  return (
    <>
      {encoding && encoding !== 'utf-8' ? (
        <p className={classes.encoding}>{t('encoding', { encoding: toEncodingLabel(encoding) })}</p>
      ) : null}
      {losses.length > 0 ? (
        <div className={classes.note} role="note" aria-label={t('title')}>
          <b>{t('title')}</b>
          <ul>
            {losses.map((loss) => (
              <li key={`${loss.kind} ${loss.places?.unit}`}>
                {toWords(loss)}
                {toPlaces(loss)}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </>
  )
}

const PLACE_UNITS = ['page', 'row', 'line'] satisfies NonNullable<ReadingLoss['places']>['unit'][]
/** As many as a reader lists. */
const MAX_LISTED_PLACES = 20
