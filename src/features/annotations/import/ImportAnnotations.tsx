import { Button, TextInput } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { batchEndpoints } from '#contract/console/batches.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { CheckResult } from '../tableImport/CheckResult.tsx'
import classes from '../tableImport/TableImport.module.css'
import { MappingFields } from '../tableImport/MappingFields.tsx'
import { tableImportMessages } from '../tableImport/messages.ts'
import { TableSource } from '../tableImport/TableSource.tsx'
import { DisabledFieldset } from '../../../components/forms/DisabledFieldset.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ANNOTATION_IMPORT_FIELDS } from '../tableImport/columnMapping.ts'
import { MAX_COMPARED_ANNOTATIONS, useAnnotationImport } from './useAnnotationImport.ts'
import { annotationMessages } from '../messages.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useRead } from '../../../client/query.ts'
import own from '../Annotations.module.css'
import { ImportSummary } from './ImportResult.tsx'

/** Imports a table of questions and answers: validates all rows, then the server creates one annotation per row. */
export function ImportAnnotations({ workspace, app }: { workspace: string; app: Key }) {
  const t = useMessages(annotationMessages)
  const words = useMessages(tableImportMessages)
  const { imported, existing, compareProblem, retryComparison, ...state } = useAnnotationImport(workspace, app)
  const { name, setName, canStart, sent, problem, startImport } = state
  const { table, total } = imported
  return (
    <div className={classes.page}>
      <p className={classes.why}>{t('importWhy')}</p>
      <DisabledFieldset isDisabled={sent !== null}>
        <ImportSection title={t('table')}>
          <TableSource {...imported} />
        </ImportSection>
        {table ? (
          <>
            {table.rows > 0 ? (
              <ImportSection title={t('columns')}>
                <MappingFields fields={ANNOTATION_IMPORT_FIELDS} imported={imported} upload={null} />
              </ImportSection>
            ) : null}
            <ImportSection title={t('importCheck')}>
              <CheckResult {...imported} />
              {compareProblem ? (
                <ProblemAlert problem={compareProblem} action={t('compareWhat')} onRetry={retryComparison}>
                  <span>{t('notCompared')}</span>
                </ProblemAlert>
              ) : existing ? (
                <p className={classes.why}>
                  {t(app.offers.includes('listAnnotations') ? 'comparedListed' : 'comparedSeen', {
                    n: existing.pairs.length,
                  })}{' '}
                  {existing.total > MAX_COMPARED_ANNOTATIONS ? t('comparedPart', { total: existing.total }) : null}
                </p>
              ) : null}
            </ImportSection>
            <TextInput
              label={t('importName')}
              maxLength={120}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </>
        ) : null}
      </DisabledFieldset>
      {table ? (
        <>
          {problem ? (
            <ProblemAlert problem={problem} action={words('uploadWhat')}>
              <span>{words('uploadAgain')}</span>
            </ProblemAlert>
          ) : null}
          <div className={classes.foot}>
            <p role="status">{sent !== null ? words('sending', { sent, total }) : t('importConcurrency')}</p>
            <Button leftSection={<IconUpload size={14} />} disabled={!canStart} onClick={startImport}>
              {t('importAll', { n: total })}
            </Button>
          </div>
        </>
      ) : (
        <ImportSection title={t('imports')}>
          <ImportHistory
            workspace={workspace}
            app={app.id}
            renderLink={(id, label) => <Link to={paths.batch(id, { workspace })}>{label}</Link>}
          />
        </ImportSection>
      )}
    </div>
  )
}

function ImportSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

interface ImportHistoryProps {
  workspace: string
  app: string
  renderLink: (batch_id: string, label: string) => ReactNode
}

/** Earlier imports into an app, newest first. */
function ImportHistory({ workspace, app, renderLink }: ImportHistoryProps) {
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
