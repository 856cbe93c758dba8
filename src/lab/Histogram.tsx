import { useWords } from '../ui/words.ts'
import classes from './ChunkLab.module.css'
import type { Figures } from './figures.ts'
import { labWords } from './messages.ts'

/** How many chunks have which size. */
export function Histogram({ bins }: { bins: Figures['bins'] }) {
  const t = useWords(labWords)
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const said = bins.filter(({ count }) => count > 0).map(({ count, from, to }) => t('bin', { n: count, from, to }))
  return (
    <div className={classes.histogram} role="img" aria-label={t('histogram', { text: said.join(', ') })}>
      {bins.map(({ from, to, count }) => (
        <span key={from} title={t('bin', { n: count, from, to })}>
          <i style={{ height: count === 0 ? 0 : `${Math.max(4, (count / most) * 100)}%` }} />
          <small>{to.toLocaleString('en')}</small>
        </span>
      ))}
    </div>
  )
}
