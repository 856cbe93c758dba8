import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { Can } from '../../../client/Can.tsx'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import { FileOrTextInput } from '../../../components/forms/FileOrTextInput.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { tableImportMessages } from '../../annotations/tableImport/messages.ts'
import { TableReadingChoice } from '../../annotations/tableImport/TableReadingChoice.tsx'
import { CaseImportPreview } from './CaseImportPreview.tsx'
import { suiteFileMessages } from './suiteFileMessages.ts'
import classes from './SuiteFiles.module.css'
import { useCaseImport } from './useCaseImport.ts'

/** Imports cases from a file: what becomes of it is shown first, and nothing is added before it is confirmed. */
export function ImportCases({ suite, onClose }: { suite: Suite; onClose: () => void }) {
  const t = useMessages(suiteFileMessages)
  const tTable = useMessages(tableImportMessages)
  const { loaded, sent, isSending, problem, ...cases } = useCaseImport(suite)
  const [pasted, setPasted] = useState('')
  const count = loaded?.imported.cases.length ?? 0
  const withoutCheck =
    suite.checks.length > 0 ? 0 : (loaded?.imported.cases.filter((one) => one.case.checks.length === 0).length ?? 0)
  return (
    <Dialog onClose={onClose} size="xl" title={t('importCases')}>
      <div className={fields.form}>
        {loaded ? (
          <>
            <div className={classes.file}>
              <span>
                <b>{loaded.name}</b> {t('rowsRead', { rows: loaded.imported.rows, cases: count })}
              </span>
              <TableReadingChoice
                {...loaded}
                onChange={(reading) => loaded.file && void cases.loadFile(loaded.file, reading)}
              />
              <Button variant="default" disabled={isSending} onClick={cases.drop}>
                {t('otherCaseFile')}
              </Button>
            </div>
            {loaded.workbook && loaded.workbook.formulas.count > 0 ? (
              <p className={fields.note}>{tTable('note.savedResults', loaded.workbook.formulas)}</p>
            ) : null}
            <CaseImportPreview imported={loaded.imported} />
            {withoutCheck > 0 ? <p className={fields.note}>{t('withoutCheck', { n: withoutCheck })}</p> : null}
          </>
        ) : (
          <>
            <p className={fields.note}>{t('importWhy')}</p>
            <FileOrTextInput
              labels={{ drop: t('dropCaseFile'), paste: t('pasteCases'), usePasted: t('readCases') }}
              pasted={pasted}
              onPasted={setPasted}
              onFile={(file) => void cases.loadFile(file)}
              onText={(text) => cases.loadText(t('pastedCases'), text)}
            />
          </>
        )}
        {cases.fileFault ? <p role="alert">{t('caseFileUnreadable', { reason: cases.fileFault })}</p> : null}
        {problem ? <ProblemAlert problem={problem} action={t('importWhat')} isInForm /> : null}
        {sent ? (
          <p role="status" className={fields.note}>
            {sent.isDone
              ? t('importedCases', { added: sent.added, duplicates: sent.duplicates })
              : t('addingImported', { done: sent.done, total: count })}
          </p>
        ) : null}
        <div className={fields.buttons}>
          {sent?.isDone ? (
            <Button onClick={onClose}>{t('close')}</Button>
          ) : (
            <>
              <Can entry={suiteEndpoints.addSuiteCases}>
                <Button loading={isSending} disabled={count === 0} onClick={() => void cases.send()}>
                  {t('addImported', { n: count })}
                </Button>
              </Can>
              <Button variant="default" onClick={onClose}>
                {t('cancel')}
              </Button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  )
}
