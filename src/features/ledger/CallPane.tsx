import { ActionIcon, Button } from '@mantine/core'
import { IconExternalLink, IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Call } from '#contract/calls.ts'
import { fill, isForm } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/entries.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { CopyCurl } from '../../run/CopyCurl.tsx'
import { ENTRIES } from '../../run/entries.ts'
import { seconds } from '../../run/figures.ts'
import { Inspector } from '../../run/Inspector.tsx'
import { InspectorPane } from '../../run/InspectorPane.tsx'
import { TABS } from '../../run/tabs.ts'
import { useInspectorPane } from '../../run/useInspectorPane.ts'
import { useTurn } from '../../run/useTurn.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { CallParts } from './CallParts.tsx'
import classes from './Ledger.module.css'
import { ledgerWords } from './messages.ts'

/** One call of the list: who, when and what, its request and its reply; of a run all that the inspector has. */
export function CallPane({ call_id, onClose }: { call_id: string | null; onClose: () => void }) {
  const t = useWords(ledgerWords)
  const pane = useInspectorPane('ledger')
  const { data, error, refetch } = useRead(
    contract.console.readCall,
    { params: { call_id: call_id ?? '' } },
    { enabled: call_id !== null },
  )
  const call = data?.id === call_id ? data : null
  return (
    <InspectorPane name="ledger" pane={{ ...pane, isOpen: call_id !== null, toggle: onClose }}>
      <div className={classes.pane}>
        {error && !call ? (
          <div className={classes.problem}>
            <ProblemNote problem={error.problem} what={t('readWhat')} onRetry={() => void refetch()}>
              <Button variant="default" onClick={onClose}>
                {t('close')}
              </Button>
            </ProblemNote>
          </div>
        ) : null}
        {!call && !error ? <SkeletonRows rows={4} height={48} /> : null}
        {call ? <Known key={call.id} call={call} onClose={onClose} /> : null}
      </div>
    </InspectorPane>
  )
}

function Known({ call, onClose }: { call: Call; onClose: () => void }) {
  const t = useWords(ledgerWords)
  const { workspaces } = useWorkspace()
  const home = workspaces.find(({ id }) => id === call.workspace)
  const entry = platformEntries.get(call.entry)
  const path = entry ? fill(entry.path, call.params) : ''
  const isRun = call.entry in ENTRIES
  const facts: [string, React.ReactNode][] = [
    [t('operation'), <code key="entry">{call.entry}</code>],
    [t('request'), <code key="path">{`${entry?.method ?? ''} ${path}`}</code>],
    [t('time'), new Date(call.created_at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })],
    [t('person'), call.person ?? t('console')],
    [t('app'), home?.keys.find(({ id }) => id === call.key)?.label ?? t('deletedKey', { id: call.key.slice(0, 8) })],
    [t('answered'), call.http_status ?? t('notAnswered')],
    [t('duration'), call.duration_ms === null ? t('none') : t('secondsShort', { seconds: seconds(call.duration_ms) })],
    ...(call.note ? ([[t('why'), call.note]] as [string, React.ReactNode][]) : []),
  ]
  return (
    <>
      <header className={classes.head}>
        <div className={classes.headline}>
          <h2 dir="auto">{call.title || call.entry}</h2>
          <StateBadge word={call.status} />
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </div>
        <dl className={classes.facts}>
          {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{value}</dd>])}
        </dl>
        <div className={classes.deeds}>
          {isRun ? (
            <Button
              variant="default"
              leftSection={<IconExternalLink size={14} />}
              component={Link}
              to={paths.run(call.id, { workspace: call.workspace })}
            >
              {t('openRun')}
            </Button>
          ) : null}
          {entry ? (
            <CopyCurl
              base_url={home?.base_url ?? null}
              method={entry.method}
              path={path}
              body={call.request}
              streaming={call.frames > 0}
              file={isForm(entry.body)}
            />
          ) : null}
        </div>
      </header>
      {isRun && call.problem ? (
        <div className={classes.problem}>
          <ProblemNote problem={call.problem} what={t('callWhat', { entry: call.entry })} />
        </div>
      ) : null}
      {isRun ? <RunParts call={call} /> : <CallParts call={call} />}
    </>
  )
}

function RunParts({ call }: { call: Call }) {
  const { get, set } = useListState()
  const { run } = useTurn(call.id)
  const source = Number(get('source') ?? NaN)
  return (
    <Inspector
      run_id={call.id}
      run={run}
      workspace={call.workspace}
      tab={TABS.find((one) => one === get('tab')) ?? TABS[0]}
      source={Number.isInteger(source) ? source : null}
      onTab={(tab) => set({ tab }, { replace: true })}
      onClose={null}
    />
  )
}
