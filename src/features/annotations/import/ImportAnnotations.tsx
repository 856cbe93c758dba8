import { Button, TextInput } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { CheckResult } from '../tableImport/CheckResult.tsx'
import classes from '../tableImport/TableImport.module.css'
import { MappingFields } from '../tableImport/MappingFields.tsx'
import { tableImportMessages } from '../tableImport/messages.ts'
import { TableSource } from '../tableImport/TableSource.tsx'
import { DisabledFieldset } from '../../../components/forms/DisabledFieldset.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ANNOTATION_IMPORT_FIELDS } from './annotationImportFields.ts'
import { ImportHistory } from './ImportHistory.tsx'
import { annotationMessages } from '../messages.ts'
import { useAnnotationImport } from './useAnnotationImport.ts'
import { MAX_COMPARED_ANNOTATIONS } from './useExistingAnnotations.ts'

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
