import type { CaseImport } from '#domain/caseImport/caseImport.ts'
import { Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { suiteFileMessages } from './suiteFileMessages.ts'
import classes from './SuiteFiles.module.css'

const MAX_SHOWN_FAULTS = 50
const SHOWN_CASES = 5

/** What becomes of each column, the rows that are wrong, and the first cases. */
export function CaseImportPreview({ imported: { columns, faults, cases } }: { imported: CaseImport }) {
  const t = useMessages(suiteFileMessages)
  return (
    <>
      {faults.length > 0 ? (
        <section className={classes.section}>
          <h3>{t('faultsTitle', { n: faults.length })}</h3>
          <ul className={classes.faults} aria-label={t('faultsTitle', { n: faults.length })} tabIndex={0}>
            {faults.slice(0, MAX_SHOWN_FAULTS).map(({ line, column, message }) => (
              <li key={`${line} ${column} ${message}`}>
                <b>{column === null ? t('faultAt', { line }) : t('faultColumn', { line, column })}</b> {message}
              </li>
            ))}
            {faults.length > MAX_SHOWN_FAULTS ? (
              <li>{t('moreFaults', { n: faults.length - MAX_SHOWN_FAULTS })}</li>
            ) : null}
          </ul>
        </section>
      ) : null}
      {columns.length > 0 ? (
        <section className={classes.section}>
          <h3>{t('becomes')}</h3>
          <Table
            label={t('becomes')}
            columns={[
              { header: t('fileColumn'), isMono: true, cell: ({ column }) => column },
              { header: t('becomesPart'), grows: true, cell: ({ part }) => t(`parts.${part}`) },
            ]}
            rows={columns}
            getKey={({ column }) => column}
          />
        </section>
      ) : null}
      {cases.length > 0 ? (
        <section className={classes.section}>
          <h3>{t('firstCases')}</h3>
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
        </section>
      ) : null}
    </>
  )
}
