import { Link } from 'react-router'
import type { RunOrigin } from '#contract/console/runs.ts'
import { paths } from '#domain/paths.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './CallList.module.css'
import { callListMessages } from './messages.ts'
import { ORIGIN_LABELS } from './originLabels.ts'

/** Where a run was started; a batch or a board by its name, as a link. */
export function OriginChip({ origin, workspace }: { origin: RunOrigin; workspace: string }) {
  const t = useMessages(callListMessages)
  const kind = t(ORIGIN_LABELS[origin.kind])
  if (origin.id === null || origin.name === null) return <span className={classes.chip}>{kind}</span>
  const to = origin.kind === 'batch' ? paths.batch(origin.id, { workspace }) : paths.board(origin.id, { workspace })
  return (
    <Link className={classes.chip} to={to} title={t('fromNamed', { kind, name: origin.name })}>
      {kind} <span>{origin.name}</span>
    </Link>
  )
}
