import { Button, TextInput } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Key } from '#contract/console.ts'
import { paths } from '../../paths.ts'
import { CheckResult } from '../../run/table/CheckResult.tsx'
import classes from '../../run/table/Make.module.css'
import { MappingFields } from '../../run/table/MappingFields.tsx'
import { tableWords } from '../../run/table/messages.ts'
import { TableSource } from '../../run/table/TableSource.tsx'
import { useMake } from '../../run/table/useMake.ts'
import { useTable } from '../../run/table/useTable.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { IMPORT_CONTROLS } from './importColumns.ts'
import { Imports } from './Imports.tsx'
import { annotationsWords } from './messages.ts'

const BOUNDS = { at_once: 4, per_minute: null, max_rows: null, max_tokens: null }

/** A table of questions and answers, checked whole and handed to the server, which creates one annotation a row. */
export function ImportAnnotations({ workspace, app }: { workspace: string; app: Key }) {
  const t = useWords(annotationsWords)
  const words = useWords(tableWords)
  const navigate = useNavigate()
  const [leavesOut, setLeavesOut] = useState(false)
  const [name, setName] = useState<string | null>(null)
  const its = useTable({
    controls: IMPORT_CONTROLS,
    needsInput: true,
  })
  const { make, sent, problem } = useMake(its.thread, (id) => void navigate(paths.batch(id, { workspace })))
  const { table, checked, source, mapping } = its
  const isBroken = table?.faults.some(({ row }) => row === undefined) ?? true
  const total = checked && !isBroken && (checked.bad === 0 || leavesOut) ? checked.good : 0
  const theName = (name ?? source?.name ?? '').trim()
  const begin = () =>
    void make(
      {
        kind: 'annotations',
        key: app.id,
        name: theName.slice(0, 120),
        total,
        settings: null,
        bounds: BOUNDS,
        only: null,
        stamp: JSON.stringify([source?.version, mapping, leavesOut]),
      },
      leavesOut,
    )
  return (
    <div className={classes.page}>
      <p className={classes.why}>{t('importWhy')}</p>
      <Section title={t('importTable')}>
        <TableSource {...its} onLoad={its.load} onEncoding={its.recode} onDrop={its.drop} />
      </Section>
      {table ? (
        <>
          {table.rows > 0 ? (
            <Section title={t('importColumns')}>
              <MappingFields
                controls={IMPORT_CONTROLS}
                table={table}
                mapping={mapping}
                upload={null}
                onOrigin={its.choose}
              />
            </Section>
          ) : null}
          <Section title={t('importCheck')}>
            <CheckResult table={table} checked={checked} leavesOut={leavesOut} onLeaveOut={setLeavesOut} />
          </Section>
          <TextInput
            label={t('importName')}
            maxLength={120}
            value={name ?? source?.name ?? ''}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {problem ? (
            <ProblemNote problem={problem} what={words('makeWhat')}>
              <span>{words('makeAgain')}</span>
            </ProblemNote>
          ) : null}
          <div className={classes.foot}>
            <p role="status">{sent !== null ? words('sending', { sent, total }) : t('importGoes')}</p>
            <Button
              leftSection={<IconUpload size={14} />}
              disabled={total === 0 || theName === '' || sent !== null}
              onClick={begin}
            >
              {t('importAll', { n: total })}
            </Button>
          </div>
        </>
      ) : (
        <Section title={t('imports')}>
          <Imports
            workspace={workspace}
            app={app.id}
            linkOf={(id, label) => <Link to={paths.batch(id, { workspace })}>{label}</Link>}
          />
        </Section>
      )}
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
