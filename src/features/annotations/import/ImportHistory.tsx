import type { ReactNode } from 'react'
import { batchEndpoints } from '#contract/console/batches.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import classes from '../tableImport/TableImport.module.css'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import own from '../Annotations.module.css'
import { annotationMessages } from '../messages.ts'
import { ImportSummary } from './ImportSummary.tsx'

export interface ImportHistoryProps {
  workspace: string
  app: string
  renderLink: (batch_id: string, label: string) => ReactNode
}

/** Earlier imports into an app, newest first. */
export function ImportHistory({ workspace, app, renderLink }: ImportHistoryProps) {
  const t = useMessages(annotationMessages)
  const { data, error, refetch } = useRead(batchEndpoints.listBatches, {
    query: { workspace, key: app, kind: 'annotations', limit: 20 },
  })
  if (error) return <ProblemAlert problem={error.problem} action={t('importsWhat')} onRetry={() => void refetch()} />
  if (data?.total === 0) return <p className={classes.why}>{t('importsNone')}</p>
  return (
    <ul className={own.imports}>
      {data?.data.map((batch) => (
        <li key={batch.id}>
          <StatusBadge {...getBatchStatus(batch)} isPlain />
          {renderLink(batch.id, batch.name)}
          <span>
            <ImportSummary batch={batch} />
          </span>
          <RelativeTime at={batch.created_at} />
        </li>
      ))}
    </ul>
  )
}
