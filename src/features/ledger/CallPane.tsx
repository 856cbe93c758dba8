import { ActionIcon, Button } from '@mantine/core'
import { IconExternalLink, IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { formatExactTime } from '#domain/dateFormat.ts'
import { describePath, isForm } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { type Call, callEndpoints } from '#contract/console/calls.ts'
import { paths } from '#domain/paths.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { CopyCurl } from '../runs/inspector/CopyCurl.tsx'
import { RUN_ENTRIES } from '../runs/runEntries.ts'
import { RunInspector } from '../runs/inspector/RunInspector.tsx'
import { InspectorPane, useInspectorPane } from '../runs/inspector/InspectorPane.tsx'
import { parseInspectorTab } from '../runs/inspector/inspectorTabs.ts'
import { useTurn } from '../runs/useTurn.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import classes from './Ledger.module.css'
import { ledgerMessages } from './messages.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import { RawJson } from '../../components/data/json/RawJson.tsx'

/** One call of the list: who, when and what, its request and its reply; of a run all that the inspector has. */
export function CallPane({ call_id, onClose }: { call_id: string | null; onClose: () => void }) {
  const t = useMessages(ledgerMessages)
  const pane = useInspectorPane('ledger')
  const {
    data: call,
    error,
    refetch,
  } = useRead(callEndpoints.readCall, { params: { call_id: call_id ?? '' } }, { enabled: call_id !== null })
  return (
    <InspectorPane name="ledger" pane={{ ...pane, isOpen: call_id !== null, toggle: onClose }}>
      <div className={classes.pane}>
        {error && !call ? (
          <div className={classes.problem}>
            <ProblemAlert problem={error.problem} action={t('readWhat')} onRetry={() => void refetch()}>
              <Button variant="default" onClick={onClose}>
                {t('close')}
              </Button>
            </ProblemAlert>
          </div>
        ) : null}
        {!call && !error ? <SkeletonRows rows={4} height={48} /> : null}
        {call ? <CallDetailView key={call.id} call={call} onClose={onClose} /> : null}
      </div>
    </InspectorPane>
  )
}

function CallDetailView({ call, onClose }: { call: Call; onClose: () => void }) {
  const t = useMessages(ledgerMessages)
  const { workspaces } = useWorkspace()
  const workspaceOfCall = workspaces.find(({ id }) => id === call.workspace)
  const entry = platformEntries.get(call.entry)
  const path = entry ? describePath(entry.path, call.params) : ''
  const isRun = call.entry in RUN_ENTRIES
  const facts: [string, React.ReactNode][] = [
    [t('operation'), <code key="entry">{call.entry}</code>],
    [t('request'), <code key="path">{`${entry?.method ?? ''} ${path}`}</code>],
    [t('time'), formatExactTime(call.created_at)],
    [t('person'), call.person ?? t('console')],
    [
      t('app'),
      workspaceOfCall?.keys.find(({ id }) => id === call.key)?.label ?? t('deletedKey', { id: call.key.slice(0, 8) }),
    ],
    [t('answered'), call.http_status ?? t('notGiven')],
    [
      t('duration'),
      call.duration_ms === null ? t('none') : t('secondsShort', { seconds: formatSeconds(call.duration_ms) }),
    ],
    ...(call.note ? ([[t('reason'), call.note]] as [string, React.ReactNode][]) : []),
  ]
  return (
    <>
      <header className={classes.head}>
        <div className={classes.headline}>
          <h2 dir="auto">{call.title || call.entry}</h2>
          <StatusBadge status={call.status} />
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </div>
        <dl className={classes.facts}>
          {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{value}</dd>])}
        </dl>
        <div className={classes.actions}>
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
              base_url={workspaceOfCall?.base_url ?? null}
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
          <ProblemAlert problem={call.problem} action={t('callWhat', { entry: call.entry })} />
        </div>
      ) : null}
      {isRun ? <CallRunDetail call={call} /> : <CallDetail call={call} />}
    </>
  )
}

function CallRunDetail({ call }: { call: Call }) {
  const { get, set } = useSearchParamState()
  const { run } = useTurn(call.id)
  const source = Number(get('source') ?? NaN)
  return (
    <RunInspector
      run_id={call.id}
      run={run}
      workspace={call.workspace}
      tab={parseInspectorTab(get('tab'))}
      source={Number.isInteger(source) ? source : null}
      onTab={(tab) => set({ tab }, { replace: true })}
      onClose={null}
    />
  )
}

/** The request and the reply. */
function CallDetail({ call }: { call: Call }) {
  const t = useMessages(ledgerMessages)
  const { request, reply, problem, status } = call
  const isFile = isForm(platformEntries.get(call.entry)?.body)
  return (
    <div className={classes.parts} tabIndex={0} role="region" aria-label={t('call')}>
      {problem ? <ProblemAlert problem={problem} action={t('callWhat', { entry: call.entry })} /> : null}
      <section aria-label={t('request')}>
        <h3>{t('request')}</h3>
        {request === null || request === undefined ? (
          <p className={classes.note}>{t(isFile ? 'fileNotKept' : 'noBody')}</p>
        ) : (
          <RawJson value={request} label={t('request')} />
        )}
      </section>
      <section aria-label={t('reply')}>
        <h3>{t('reply')}</h3>
        {reply === null || reply === undefined ? (
          <p className={classes.note}>{t(isActiveStatus(status) ? 'noReplyYet' : 'noReply')}</p>
        ) : (
          <RawJson value={reply} label={t('reply')} />
        )}
      </section>
    </div>
  )
}
