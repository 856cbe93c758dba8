import { ActionIcon, Button } from '@mantine/core'
import { IconLayoutSidebarRight, IconPencil } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Key, Workspace } from '#contract/console/consoleEndpoints.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { SegmentedControl } from '../../../components/forms/SegmentedControl.tsx'
import { AnnotateButton } from '../../runs/annotate/AnnotateButton.tsx'
import { contract } from '#contract/index.ts'
import { paths } from '#domain/paths.ts'
import { RUN_ENTRIES, type InputsEntryName, STOP_ENTRIES } from '../../runs/runEntries.ts'
import { toFileEntries } from '../../runs/inputs/inputFiles.ts'
import { AppHistory } from '../history/AppHistory.tsx'
import { toExtraValues, toInputFields, toFormValues } from '../../runs/inputs/inputFields.ts'
import { RunInspector } from '../../runs/inspector/RunInspector.tsx'
import { InspectorBar } from '../../runs/inspector/InspectorBar.tsx'
import { InspectorPane } from '../../runs/inspector/InspectorPane.tsx'
import { RunReply } from '../../runs/detail/RunReply.tsx'
import { StopRunButton } from '../../runs/detail/StopRunButton.tsx'
import { INSPECTOR_TABS } from '../../runs/inspector/inspectorTabs.ts'
import { AskPlatform } from '../../runs/platformDetail/AskPlatform.tsx'
import { isTurnOver, type TurnQuestion } from '../../runs/turn.ts'
import { useInspectorPane } from '../../runs/inspector/useInspectorPane.ts'
import { useTurn } from '../../runs/useTurn.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useShortcuts } from '../../../components/hooks/useShortcuts.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { runStore } from '../../../client/useRun.ts'
import { type InputsDraft, isDraftEmpty, useInputsDraft } from './inputsDraft.ts'
import { InputSetsBar } from './InputSetsBar.tsx'
import { type AppRunRequest, InputsPane } from './InputsPane.tsx'
import { inputsPlaygroundMessages } from './messages.ts'
import classes from './InputsPlayground.module.css'
import { toInputSet } from './inputSet.ts'
import { useInputSets } from './useInputSets.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'

export interface InputsPlaygroundProps {
  entry: InputsEntryName
  /** The name of the screen, and what is said before there is an output. */
  title: string
  emptyText: string
  workspace: Workspace
  app: Key
  apps: readonly Key[]
  /** The playground of an app, with a set of kept inputs in its form. */
  getPath: (app: string, set?: string) => string
}

/** The playground of one app with inputs: its inputs or its history, the output of one run, the inspector. */
export function InputsPlayground({ entry, title, emptyText, workspace, app, apps, getPath }: InputsPlaygroundProps) {
  const t = useMessages(inputsPlaygroundMessages)
  const navigate = useNavigate()
  const { search } = useLocation()
  const { get, set } = useSearchParamState()
  const session = useRead(contract.console.session, {})
  const parameters = useRead(contract.workflows.parameters, { key: app.id })
  const [storedDraft, setStoredDraft] = useInputsDraft(app.id)
  const inputSets = useInputSets(workspace.id, app.id)
  // A link to kept inputs fills in a form that nothing stands in, and no other.
  const chosenInputs = inputSets.selected && isDraftEmpty(storedDraft) ? toInputSet(inputSets.selected.value) : null
  const draft = { ...storedDraft, ...chosenInputs }
  const setDraft = (change: Partial<InputsDraft>) => setStoredDraft({ ...chosenInputs, ...change })
  const pane = useInspectorPane(entry)
  const run_id = get('run') ?? null
  const { turn, run, isLoading, problem, retry } = useTurn(run_id)
  const tab = INSPECTOR_TABS.find((one) => one === get('tab')) ?? INSPECTOR_TABS[0]
  const source = Number(get('source') ?? NaN)
  const can = usePermission()
  const canRun = can(RUN_ENTRIES[entry])
  const showsHistory = !canRun || get('pane') === 'history'

  const output = useRef<HTMLElement>(null)
  const startRun = (body: AppRunRequest, parent: string | null) => {
    const id = runStore.start(RUN_ENTRIES[entry], { key: app.id, body, parent })
    set({ run: id, source: null, node: null })
  }
  const isSent = run_id !== null && runStore.view(run_id)?.sent !== null
  useEffect(() => {
    // In one column the output stands below the form.
    if (pane.isNarrow && isSent) output.current?.scrollIntoView({ block: 'start' })
  }, [pane.isNarrow, isSent, run_id])
  const resend = ({ body, inputs, user, response_mode }: TurnQuestion) =>
    startRun({ ...body, inputs, user, response_mode }, run_id)
  const edit = ({ inputs, user, response_mode, body }: TurnQuestion) => {
    const controls = toInputFields(parameters.data)
    const filled = { ...toFormValues(controls, inputs), ...toExtraValues(controls, inputs) }
    const parent = run_id ? { run_id, filled } : null
    setDraft({ filled, user, response_mode, files: body.files ? toFileEntries(body.files) : [], parent })
    set({ pane: null })
  }
  const openInspector = (change: Parameters<typeof set>[0]) => {
    // The parts of the run stand where a chosen node does.
    set({ node: null, ...change }, { replace: true })
    pane.open()
  }
  useShortcuts([
    [']', pane.toggle],
    ...INSPECTOR_TABS.map((one, index): [string, () => void] => [String(index + 1), () => openInspector({ tab: one })]),
  ])

  const choice =
    apps.length > 1 ? (
      <select
        className={classes.app}
        aria-label={t('app')}
        value={app.id}
        onChange={(event) => void navigate(getPath(event.currentTarget.value))}
      >
        {apps.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    ) : (
      <span className={classes.label}>{app.label}</span>
    )
  return (
    <Page
      title={title}
      titleSuffix={choice}
      actions={
        <>
          {can(contract.console.createSavedItem) ? (
            <Button
              variant="default"
              component={Link}
              to={paths.compare({
                workspace: workspace.id,
                with: app.id,
                run: run && turn && isTurnOver(turn) ? run.id : null,
              })}
            >
              {t('compare')}
            </Button>
          ) : null}
          {can(contract.console.createBatch) ? (
            <Button variant="default" component={Link} to={paths.newBatch({ workspace: workspace.id, app: app.id })}>
              {t('batch')}
            </Button>
          ) : null}
          {run_id ? (
            <>
              <span className={classes.id}>
                <IdChip id={run_id} />
              </span>
              <Button variant="default" component={Link} to={paths.run(run_id, { workspace: workspace.id })}>
                {t('openRun')}
              </Button>
            </>
          ) : null}
          {pane.fitsBeside && !pane.isOpen ? (
            <Tooltip label={t('openInspector')}>
              <ActionIcon aria-label={t('openInspector')} onClick={pane.open}>
                <IconLayoutSidebarRight size={17} />
              </ActionIcon>
            </Tooltip>
          ) : null}
        </>
      }
    >
      <title>{`${title} · ${app.label} · Loupe`}</title>
      <div className={classes.desk}>
        <div className={classes.left}>
          <div className={classes.choice}>
            {canRun ? (
              <SegmentedControl
                size="xs"
                fullWidth
                aria-label={t('pane')}
                value={showsHistory ? 'history' : 'inputs'}
                onChange={(value) => set({ pane: value === 'history' ? value : null }, { replace: true })}
                data={[
                  { value: 'inputs', label: t('inputs') },
                  { value: 'history', label: t('history') },
                ]}
              />
            ) : session.data ? (
              <PermissionNote {...getRequiredAccess(RUN_ENTRIES[entry])} />
            ) : null}
          </div>
          {showsHistory ? (
            <AppHistory
              entry={entry}
              workspace={workspace.id}
              app={app}
              selected={run_id}
              getLink={(id) => {
                const to = new URLSearchParams(search)
                to.set('run', id)
                to.delete('source')
                to.delete('node')
                return `?${to.toString()}`
              }}
            />
          ) : (
            <>
              <InputSetsBar
                workspace={workspace.id}
                app={app.id}
                inputSets={inputSets}
                current={{ filled: draft.filled, files: draft.files }}
                onUse={setDraft}
                getLink={(id) => new URL(getPath(app.id, id), location.href).href}
              />
              <InputsPane
                entry={entry}
                app={app}
                parameters={parameters.data}
                refusal={
                  parameters.error && !parameters.data
                    ? { reason: parameters.error.problem.message, retry: () => void parameters.refetch() }
                    : null
                }
                draft={draft}
                onDraft={setDraft}
                defaultUser={session.data?.person.default_user ?? ''}
                onRun={startRun}
              />
            </>
          )}
        </div>
        <section
          className={classes.output}
          data-wide={entry === 'workflows.run' || undefined}
          aria-label={t('output')}
          ref={output}
          tabIndex={0}
        >
          {isLoading ? <SkeletonRows rows={5} height={72} /> : null}
          {problem ? <ProblemAlert problem={problem} action={t('loadThisRun')} onRetry={retry} /> : null}
          {run_id === null ? (
            <EmptyState title={t('emptyTitle')}>{canRun ? emptyText : t('emptyReader')}</EmptyState>
          ) : null}
          {turn ? (
            <RunReply
              key={turn.run_id}
              turn={turn}
              workspace={workspace.id}
              source={Number.isInteger(source) ? source : null}
              onCite={(position) => openInspector({ tab: 'sources', source: position })}
              onInspect={pane.open}
              onResend={() => resend(turn.question)}
              onEdit={() => {
                runStore.remove(turn.run_id)
                set({ run: null })
              }}
              askPlatform={<AskPlatform turn={turn} app={app} />}
              stopButton={
                <StopRunButton
                  app={app}
                  entry={STOP_ENTRIES[entry]}
                  task_id={turn.answer.task_id}
                  user={turn.question.user}
                />
              }
              actions={
                <>
                  <AnnotateButton turn={turn} app={app} workspace={workspace.id} />
                  {canRun ? (
                    <Tooltip label={t('editInputs')}>
                      <ActionIcon aria-label={t('editInputs')} onClick={() => edit(turn.question)}>
                        <IconPencil size={15} />
                      </ActionIcon>
                    </Tooltip>
                  ) : null}
                </>
              }
            />
          ) : null}
        </section>
        {!pane.fitsBeside && turn ? <InspectorBar turn={turn} onOpen={pane.open} /> : null}
        <InspectorPane name={entry} pane={pane}>
          <RunInspector
            run_id={run_id}
            run={run}
            workspace={workspace.id}
            tab={tab}
            source={Number.isInteger(source) ? source : null}
            onTab={(one) => set({ tab: one }, { replace: true })}
            onClose={pane.toggle}
          />
        </InspectorPane>
      </div>
    </Page>
  )
}
