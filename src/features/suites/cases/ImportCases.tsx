import { Button, Flex, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type Suite, suiteEndpoints, MAX_CASES, MAX_CASES_PER_REQUEST } from '#contract/console/suites.ts'
import { type CaseImport, parseCaseImport } from '#domain/caseImport/caseImport.ts'
import { openTable, type TableContent } from '#domain/tables/readTable.ts'
import { Can } from '../../../client/Can.tsx'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import { FileOrTextInput } from '../../../components/forms/FileOrTextInput.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { tableImportMessages } from '../../annotations/tableImport/messages.ts'
import { TableReadingChoice } from '../../annotations/tableImport/TableSource.tsx'
import type { TableReading } from '../../annotations/tableImport/tableWorker.ts'
import { suiteFileMessages } from '../suiteFileMessages.ts'
import { Table } from '../../../components/data/Table.tsx'
import { useWrite } from '../../../client/query.ts'

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
            <Group justify="space-between" gap="md" fz="sm" c="dimmed">
              <span>
                <Text span fz="inherit" fw={600} c="var(--text)" style={{ overflowWrap: 'anywhere' }}>
                  {loaded.name}
                </Text>{' '}
                {t('rowsRead', { rows: loaded.imported.rows, cases: count })}
              </span>
              <TableReadingChoice
                {...loaded}
                onChange={(reading) => loaded.file && void cases.loadFile(loaded.file, reading)}
              />
              <Button variant="default" disabled={isSending} onClick={cases.drop}>
                {t('otherCaseFile')}
              </Button>
            </Group>
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

const MAX_SHOWN_FAULTS = 50
const SHOWN_CASES = 5

/** The column mapping, the rows that are wrong, and the first cases. */
function CaseImportPreview({ imported: { columns, faults, cases } }: { imported: CaseImport }) {
  const t = useMessages(suiteFileMessages)
  return (
    <>
      {faults.length > 0 ? (
        <Flex component="section" direction="column" gap="xs" miw={0}>
          <Text component="h3" fz="sm" fw={600}>
            {t('faultsTitle', { n: faults.length })}
          </Text>
          <Stack
            component="ul"
            gap={4}
            mah={200}
            px={10}
            py="sm"
            bg="var(--failed-bg)"
            bdrs="md"
            c="var(--failed-fg)"
            fz="sm"
            style={{ overflowY: 'auto', overflowWrap: 'anywhere' }}
            aria-label={t('faultsTitle', { n: faults.length })}
            tabIndex={0}
          >
            {faults.slice(0, MAX_SHOWN_FAULTS).map(({ line, column, message }) => (
              <li key={`${line} ${column} ${message}`}>
                <b>{column === null ? t('faultAt', { line }) : t('faultColumn', { line, column })}</b> {message}
              </li>
            ))}
            {faults.length > MAX_SHOWN_FAULTS ? (
              <li>{t('moreFaults', { n: faults.length - MAX_SHOWN_FAULTS })}</li>
            ) : null}
          </Stack>
        </Flex>
      ) : null}
      {columns.length > 0 ? (
        <Flex component="section" direction="column" gap="xs" miw={0}>
          <Text component="h3" fz="sm" fw={600}>
            {t('becomes')}
          </Text>
          <Table
            label={t('becomes')}
            columns={[
              { header: t('fileColumn'), isMono: true, cell: ({ column }) => column },
              { header: t('becomesPart'), grows: true, cell: ({ part }) => t(`parts.${part}`) },
            ]}
            rows={columns}
            getKey={({ column }) => column}
          />
        </Flex>
      ) : null}
      {cases.length > 0 ? (
        <Flex component="section" direction="column" gap="xs" miw={0}>
          <Text component="h3" fz="sm" fw={600}>
            {t('firstCases')}
          </Text>
          <Table
            label={t('firstCases')}
            columns={[
              {
                header: t('name'),
                grows: true,
                cell: ({ case: { name, input } }) => name ?? input.query ?? JSON.stringify(input.inputs),
              },
              { header: t('answer'), grows: true, cell: ({ case: { expected } }) => expected.answer },
              {
                header: t('caseChecks'),
                grows: true,
                cell: ({ case: { checks } }) => checks.map(({ type }) => type).join(', ') || null,
              },
            ]}
            rows={cases.slice(0, SHOWN_CASES)}
            getKey={({ line }) => String(line)}
          />
        </Flex>
      ) : null}
    </>
  )
}

const MAX_FILE_MEGABYTES = 16

interface LoadedCases extends TableContent {
  name: string
  /** Null for rows that were pasted. */
  file: File | null
  imported: CaseImport
}

/** The file from which cases are imported, and what was sent of it. */
function useCaseImport(suite: Suite) {
  const [loaded, setLoaded] = useState<LoadedCases | null>(null)
  const [fileFault, setFileFault] = useState<string | null>(null)
  const [sent, setSent] = useState<{ done: number; added: number; duplicates: number; isDone: boolean } | null>(null)
  const add = useWrite(suiteEndpoints.addSuiteCases)

  const load = (name: string, file: File | null, opened: TableContent): void => {
    setFileFault(null)
    setSent(null)
    add.reset()
    setLoaded({ name, file, ...opened, imported: parseCaseImport(opened.content, suite.target) })
  }
  const loadFile = async (file: File, reading: TableReading | null = null): Promise<void> => {
    if (!reading) setLoaded(null)
    if (file.size > MAX_FILE_MEGABYTES * 1024 * 1024)
      return setFileFault(`The file is larger than ${MAX_FILE_MEGABYTES} MB. Split it.`)
    try {
      const bytes = new Uint8Array(await file.arrayBuffer())
      load(file.name, file, await openTable(bytes, { ...reading, maxRows: MAX_CASES }))
    } catch (error) {
      setFileFault(error instanceof Error ? error.message : String(error))
    }
  }
  /** In requests of at most as many cases as one may have. Those that a failed attempt has added are duplicates in the next. */
  const send = async (): Promise<void> => {
    const cases = loaded?.imported.cases.map((one) => one.case) ?? []
    let [added, duplicates] = [0, 0]
    for (let done = 0; done < cases.length;) {
      const part = cases.slice(done, done + MAX_CASES_PER_REQUEST)
      const reply = await add.mutateAsync({ params: { suite_id: suite.id }, body: { cases: part } }).catch(() => null)
      if (!reply) return
      done += part.length
      added += reply.added
      duplicates += reply.duplicates
      setSent({ done, added, duplicates, isDone: done === cases.length })
    }
  }
  return {
    loaded,
    fileFault,
    loadText: (name: string, content: string) => load(name, null, { content, encoding: null, workbook: null }),
    loadFile,
    drop: () => {
      setLoaded(null)
      setSent(null)
      add.reset()
    },
    send,
    sent,
    isSending: add.isPending,
    problem: add.error?.problem ?? null,
  }
}
