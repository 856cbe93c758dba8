import { Button, TextInput } from '@mantine/core'
import { IconFlask, IconPlayerPlay } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Bounds } from '#contract/batches.ts'
import type { Key, Workspace } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { ruleOfUpload } from '../../run/files.ts'
import { controlsOf } from '../../run/inputs.ts'
import { runWords } from '../../run/messages.ts'
import { ResponseMode } from '../../run/ResponseMode.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useRead } from '../../wire/query.ts'
import { BoundsFields } from './BoundsFields.tsx'
import { CheckResult } from '../../run/table/CheckResult.tsx'
import { MappingFields } from '../../run/table/MappingFields.tsx'
import classes from '../../run/table/Make.module.css'
import { besideControl } from '../../run/table/mapping.ts'
import { tableWords } from '../../run/table/messages.ts'
import { TableSource } from '../../run/table/TableSource.tsx'
import { useMake } from '../../run/table/useMake.ts'
import { useTable } from '../../run/table/useTable.ts'
import { useWords } from '../../ui/words.ts'
import { batchesWords } from './messages.ts'

const FREE: Bounds = { at_once: 4, per_minute: null, max_rows: null, max_tokens: null }
/** Rows of a dry run. */
const DRY = 3

/** A batch in the making: the table, its columns, the check of all its rows, the pace. */
export function NewBatch({ workspace, app }: { workspace: Workspace; app: Key }) {
  const t = useWords(batchesWords)
  const words = useWords(tableWords)
  const run = useWords(runWords)
  const navigate = useNavigate()
  const session = useRead(contract.console.session, {})
  const parameters = useRead(contract.workflows.parameters, { key: app.id })
  const rule = ruleOfUpload(parameters.data)
  const controls = [...controlsOf(parameters.data), ...(rule ? [besideControl(rule, words('filesBeside'))] : [])]
  const [leavesOut, setLeavesOut] = useState(false)
  const [bounds, setBounds] = useState(FREE)
  const [name, setName] = useState<string | null>(null)
  const [user, setUser] = useState<string | null>(null)
  const [response_mode, setMode] = useState<'streaming' | 'blocking'>('streaming')
  const its = useTable({
    controls,
    needsInput: app.kind === 'completion',
  })
  const { make, sent, problem } = useMake(
    its.thread,
    (batch_id) => void navigate(paths.batch(batch_id, { workspace: workspace.id })),
  )

  const { table, checked, source, mapping } = its
  const isBroken = table?.faults.some(({ row }) => row === undefined) ?? true
  const total = checked && !isBroken && (checked.bad === 0 || leavesOut) ? checked.good : 0
  const theName = (name ?? source?.name ?? '').trim()
  const theUser = (user ?? session.data?.person.default_user ?? '').trim()
  const lack = theUser === '' ? 'needsUser' : theName === '' ? 'needsName' : null
  const isReady = total > 0 && lack === null && sent === null
  const begin = (only: number | null) =>
    void make(
      {
        kind: 'run',
        key: app.id,
        name: theName.slice(0, 120),
        total,
        settings: { user: theUser, response_mode },
        bounds,
        only,
        stamp: JSON.stringify([source?.version, mapping, leavesOut, theUser, response_mode]),
      },
      leavesOut,
    )
  return (
    <div className={classes.page}>
      <Section title={words('table')}>
        <TableSource {...its} onLoad={its.load} onEncoding={its.recode} onDrop={its.drop} />
      </Section>
      {table ? (
        <>
          {table.rows > 0 ? (
            <Section title={words('columns')}>
              {parameters.error && !parameters.data ? (
                <ProblemNote
                  problem={parameters.error.problem}
                  title={words('noParameters', { reason: parameters.error.problem.message })}
                  onRetry={() => void parameters.refetch()}
                />
              ) : (
                <MappingFields
                  controls={controls}
                  table={table}
                  mapping={mapping}
                  upload={app.offers.includes('uploadFile') ? { key: app.id, user: theUser } : null}
                  onOrigin={its.choose}
                />
              )}
            </Section>
          ) : null}
          <Section title={words('check')}>
            <CheckResult table={table} checked={checked} leavesOut={leavesOut} onLeaveOut={setLeavesOut} />
          </Section>
          <Section title={t('pace')}>
            <div className={classes.names}>
              <TextInput
                label={t('batchName')}
                maxLength={120}
                value={name ?? source?.name ?? ''}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <TextInput
                label={run('user')}
                maxLength={255}
                value={user ?? session.data?.person.default_user ?? ''}
                onChange={(event) => setUser(event.currentTarget.value)}
              />
              <ResponseMode value={response_mode} onChange={setMode} />
            </div>
            <BoundsFields bounds={bounds} onBounds={setBounds} />
          </Section>
          {problem ? (
            <ProblemNote problem={problem} what={words('makeWhat')}>
              <span>{words('makeAgain')}</span>
            </ProblemNote>
          ) : null}
          <div className={classes.foot}>
            <p role="status">
              {sent !== null ? words('sending', { sent, total }) : lack ? t(lack) : total > DRY ? t('dryWhy') : ''}
            </p>
            <Button
              data-once
              variant={total > DRY ? 'default' : 'filled'}
              leftSection={<IconPlayerPlay size={14} />}
              disabled={!isReady}
              onClick={() => begin(null)}
            >
              {t('runAll', { n: total })}
            </Button>
            {total > DRY ? (
              <Button data-once leftSection={<IconFlask size={14} />} disabled={!isReady} onClick={() => begin(DRY)}>
                {t('dryRun', { n: DRY })}
              </Button>
            ) : null}
          </div>
        </>
      ) : null}
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
