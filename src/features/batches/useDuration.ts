import { useWords } from '../../ui/words.ts'
import { batchesWords } from './messages.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How long something takes, as roughly as an estimate knows it. */
export function useDuration(): (ms: number) => string {
  const t = useWords(batchesWords)
  return (ms) => {
    if (ms < 1_000) return t('underSecond')
    if (ms < MINUTE) return t('seconds', { seconds: Math.ceil(ms / 1_000) })
    return ms < HOUR ? t('minutes', { n: Math.ceil(ms / MINUTE) }) : t('hours', { n: (ms / HOUR).toFixed(1) })
  }
}
