import { componentMessages } from '../i18n/messages.ts'
import classes from './SkeletonRows.module.css'
import { useMessages } from '../i18n/useMessages.ts'

/** Placeholder rows with a fade towards the bottom; visible only if loading takes a while. */
export function SkeletonRows({ rows = 8, height = 36 }: { rows?: number; height?: number }) {
  const t = useMessages(componentMessages)
  return (
    <div className={classes.rows} role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} style={{ height, opacity: 1 - index / rows }} className={classes.row}>
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}
