import { Button, TextInput } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { paths } from '#domain/paths.ts'
import { CheckResult } from '../tableImport/CheckResult.tsx'
import { DuplicateRows } from '../tableImport/DuplicateRows.tsx'
import classes from '../tableImport/TableImport.module.css'
import { MappingFields } from '../tableImport/MappingFields.tsx'
import { tableImportMessages } from '../tableImport/messages.ts'
import { TableSource } from '../tableImport/TableSource.tsx'
import { toBatchSource } from '../tableImport/batchSource.ts'
import { useBatchCreation } from '../tableImport/useBatchCreation.ts'
import { useImportTable } from '../tableImport/useImportTable.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ANNOTATION_IMPORT_FIELDS } from './annotationImportFields.ts'
import { ImportHistory } from './ImportHistory.tsx'
import { annotationMessages } from '../messages.ts'
import { MAX_COMPARED_ANNOTATIONS, useExistingAnnotations } from './useExistingAnnotations.ts'

const IMPORT_LIMITS = { at_once: 4, per_minute: null, max_rows: null, max_tokens: null }

/** Imports a table of questions and answers: validates all rows, then the server creates one annotation per row. */
export function ImportAnnotations({ workspace, app }: { workspace: string; app: Key }) {
  const t = useMessages(annotationMessages)
  const words = useMessages(tableImportMessages)
  const navigate = useNavigate()
  const [skipsInvalidRows, setSkipsInvalidRows] = useState(false)
  const [skipsDuplicates, setSkipsDuplicates] = useState(true)
  const [name, setName] = useState<string | null>(null)
  const [hasTable, setHasTable] = useState(false)
  const {
    existing,
    version,
    isLoading,
    problem: compareProblem,
    retry,
  } = useExistingAnnotations(workspace, app, hasTable)
  const currentUpload = useImportTable({
    controls: ANNOTATION_IMPORT_FIELDS,
    needsInput: true,
    duplicateCheck: { keyField: 'question', valueField: 'answer', existing: existing?.pairs ?? [], version },
    isWaiting: isLoading,
  })
  if (hasTable !== (currentUpload.source !== null)) setHasTable(currentUpload.source !== null)
  const {
    make: createBatch,
    sent,
    problem,
  } = useBatchCreation(
    currentUpload.thread,
    (id) => void navigate(paths.annotations({ workspace, app: app.id, import: id })),
  )
  const { table, checked, source, mapping } = currentUpload
  const isBroken = table?.errors.some(({ row }) => row === undefined) ?? true
  const omitted = {
    invalid: checked?.invalidRows ?? 0,
    duplicate: skipsDuplicates ? (checked?.duplicateRows ?? 0) : 0,
  }
  const total =
    checked && !isBroken && (omitted.invalid === 0 || skipsInvalidRows) ? checked.validRows - omitted.duplicate : 0
  const importName = (name ?? source?.name ?? '').trim()
  const startImport = () =>
    void createBatch(
      {
        kind: 'annotations',
        key: app.id,
        name: importName.slice(0, 120),
        total,
        source: table && toBatchSource(importName, table, mapping),
        settings: null,
        omitted,
        bounds: IMPORT_LIMITS,
        dryRunRows: null,
        sourceKey: JSON.stringify([source?.version, mapping, skipsInvalidRows, skipsDuplicates]),
      },
      { skipFaulty: skipsInvalidRows, skipDuplicates: skipsDuplicates },
    )
  return (
    <div className={classes.page}>
      <p className={classes.why}>{t('importWhy')}</p>
      <ImportSection title={t('table')}>
        <TableSource
          {...currentUpload}
          onLoad={currentUpload.load}
          onEncoding={currentUpload.recode}
          onSheet={currentUpload.chooseSheet}
          onDrop={currentUpload.drop}
        />
      </ImportSection>
      {table ? (
        <>
          {table.rows > 0 ? (
            <ImportSection title={t('columns')}>
              <MappingFields
                fields={ANNOTATION_IMPORT_FIELDS}
                table={table}
                mapping={mapping}
                upload={null}
                onSource={currentUpload.choose}
              />
            </ImportSection>
          ) : null}
          <ImportSection title={t('importCheck')}>
            <CheckResult
              table={table}
              checked={checked}
              skipsInvalid={skipsInvalidRows}
              onSkipInvalid={setSkipsInvalidRows}
            />
            {checked && !isBroken ? (
              <DuplicateRows
                checked={checked}
                skipsDuplicates={skipsDuplicates}
                onSkipDuplicates={setSkipsDuplicates}
              />
            ) : null}
            {compareProblem ? (
              <ProblemAlert problem={compareProblem} action={t('compareWhat')} onRetry={retry}>
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
            value={name ?? source?.name ?? ''}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {problem ? (
            <ProblemAlert problem={problem} action={words('uploadWhat')}>
              <span>{words('uploadAgain')}</span>
            </ProblemAlert>
          ) : null}
          <div className={classes.foot}>
            <p role="status">{sent !== null ? words('sending', { sent, total }) : t('importConcurrency')}</p>
            <Button
              leftSection={<IconUpload size={14} />}
              disabled={total === 0 || importName === '' || sent !== null}
              onClick={startImport}
            >
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
