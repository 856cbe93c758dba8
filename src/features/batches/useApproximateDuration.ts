import { useMessages } from '../../components/i18n/useMessages.ts'
import { batchMessages } from './messages.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Formats a duration with the precision of an estimate. */
export function useApproximateDuration(): (ms: number) => string {
  const t = useMessages(batchMessages)
  return (ms) => {
    if (ms < MINUTE_MS) return t('secondsShort', { seconds: Math.max(1, Math.ceil(ms / 1_000)) })
    return ms < HOUR_MS ? t('minutes', { n: Math.ceil(ms / MINUTE_MS) }) : t('hours', { n: (ms / HOUR_MS).toFixed(1) })
  }
}
