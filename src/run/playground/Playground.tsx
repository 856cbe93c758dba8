import { ActionIcon, Button } from '@mantine/core'
import { IconLayoutSidebarRight, IconPencil } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Key, Workspace } from '#contract/console.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { Annotate } from '../annotate/Annotate.tsx'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { ENTRIES, type PlaygroundEntry, STOPS } from '../entries.ts'
import { entriesOf } from '../files.ts'
import { History } from '../history/History.tsx'
import { beyondFrom, controlsOf, filledFrom } from '../inputs.ts'
import { Inspector } from '../Inspector.tsx'
import { InspectorBar } from '../InspectorBar.tsx'
import { InspectorPane } from '../InspectorPane.tsx'
import { Reply } from '../Reply.tsx'
import { StopRun } from '../StopRun.tsx'
import { TABS } from '../tabs.ts'
import { AskPlatform } from '../timeline/AskPlatform.tsx'
import { isOver, type Question } from '../turn.ts'
import { useInspectorPane } from '../useInspectorPane.ts'
import { useTurn } from '../useTurn.ts'
import { Empty } from '../../ui/Empty.tsx'
import { IdChip } from '../../ui/IdChip.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useLetterKeys } from '../../ui/useLetterKeys.ts'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { runs } from '../../wire/useRun.ts'
import { type Draft, isUntouched, useDraft } from './draft.ts'
import { InputSetsBar } from './InputSetsBar.tsx'
import { type Asked, InputsPane } from './InputsPane.tsx'
import { playgroundWords } from './messages.ts'
import classes from './Playground.module.css'
import { setOf } from './sets.ts'
import { useInputSets } from './useInputSets.ts'
import { useMay } from '../../wire/useMay.ts'
import { RoleNote } from '../../ui/RoleNote.tsx'

export interface PlaygroundProps {
  entry: PlaygroundEntry
  /** The name of the screen, and what is said before there is an output. */
  title: string
  emptyText: string
  workspace: Workspace
  app: Key
  apps: readonly Key[]
  /** The playground of an app, with a set of kept inputs in its form. */
  pathOf: (app: string, set?: string) => string
}

/** The playground of one app with inputs: its inputs or its history, the output of one run, the inspector. */
export function Playground({ entry, title, emptyText, workspace, app, apps, pathOf }: PlaygroundProps) {
  const t = useWords(playgroundWords)
  const navigate = useNavigate()
  const { search } = useLocation()
  const { get, set } = useListState()
  const session = useRead(contract.console.session, {})
  const parameters = useRead(contract.workflows.parameters, { key: app.id })
  const [typed, setTyped] = useDraft(app.id)
  const kept = useInputSets(workspace.id, app.id)
  // A link to kept inputs fills in a form that nothing stands in, and no other.
  const given = kept.chosen && isUntouched(typed) ? setOf(kept.chosen.value) : null
  const draft = { ...typed, ...given }
  const setDraft = (change: Partial<Draft>) => setTyped({ ...given, ...change })
  const pane = useInspectorPane(entry)
  const run_id = get('run') ?? null
  const { turn, run, isLoading, problem, retry } = useTurn(run_id)
  const tab = TABS.find((one) => one === get('tab')) ?? TABS[0]
  const source = Number(get('source') ?? NaN)
  const may = useMay()
  const mayRun = may(ENTRIES[entry])
  const showsHistory = !mayRun || get('pane') === 'history'

  const output = useRef<HTMLElement>(null)
  const begin = (body: Asked, parent: string | null) => {
    const id = runs.begin(ENTRIES[entry], { key: app.id, body, parent })
    set({ run: id, source: null, node: null })
  }
  const isSent = run_id !== null && runs.view(run_id)?.sent !== null
  useEffect(() => {
    // In one column the output stands below the form.
    if (pane.isNarrow && isSent) output.current?.scrollIntoView({ block: 'start' })
  }, [pane.isNarrow, isSent, run_id])
  const again = ({ body, inputs, user, response_mode }: Question) =>
    begin({ ...body, inputs, user, response_mode }, run_id)
  const edit = ({ inputs, user, response_mode, body }: Question) => {
    const controls = controlsOf(parameters.data)
    const filled = { ...filledFrom(controls, inputs), ...beyondFrom(controls, inputs) }
    const parent = run_id ? { run_id, filled } : null
    setDraft({ filled, user, response_mode, files: body.files ? entriesOf(body.files) : [], parent })
    set({ pane: null })
  }
  const inspect = (change: Parameters<typeof set>[0]) => {
    // The parts of the run stand where a chosen node does.
    set({ node: null, ...change }, { replace: true })
    pane.open()
  }
  useLetterKeys([
    [']', pane.toggle],
    ...TABS.map((one, index): [string, () => void] => [String(index + 1), () => inspect({ tab: one })]),
  ])

  const choice =
    apps.length > 1 ? (
      <select
        className={classes.app}
        aria-label={t('app')}
        value={app.id}
        onChange={(event) => void navigate(pathOf(event.currentTarget.value))}
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
      beside={choice}
      actions={
        <>
          {may(contract.console.createKept) ? (
            <Button
              variant="default"
              component={Link}
              to={paths.compare({
                workspace: workspace.id,
                with: app.id,
                run: run && turn && isOver(turn) ? run.id : null,
              })}
            >
              {t('compare')}
            </Button>
          ) : null}
          {may(contract.console.createBatch) ? (
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
          {pane.hasRoom && !pane.isOpen ? (
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
            {mayRun ? (
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
              <RoleNote entry={ENTRIES[entry]} />
            ) : null}
          </div>
          {showsHistory ? (
            <History
              entry={entry}
              workspace={workspace.id}
              app={app}
              selected={run_id}
              linkOf={(id) => {
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
                kept={kept}
                current={{ filled: draft.filled, files: draft.files }}
                onUse={setDraft}
                linkOf={(id) => new URL(pathOf(app.id, id), location.href).href}
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
                onRun={begin}
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
          {problem ? <ProblemNote problem={problem} what={t('readWhat')} onRetry={retry} /> : null}
          {run_id === null ? <Empty title={t('emptyTitle')}>{mayRun ? emptyText : t('emptyReader')}</Empty> : null}
          {turn ? (
            <Reply
              key={turn.run_id}
              turn={turn}
              workspace={workspace.id}
              source={Number.isInteger(source) ? source : null}
              onCite={(position) => inspect({ tab: 'sources', source: position })}
              onInspect={pane.open}
              onSendAgain={() => again(turn.question)}
              onGiveUp={() => {
                runs.forget(turn.run_id)
                set({ run: null })
              }}
              ask={<AskPlatform turn={turn} app={app} />}
              stop={<StopRun app={app} by={STOPS[entry]} task_id={turn.answer.task_id} user={turn.question.user} />}
              deeds={
                <>
                  <Annotate turn={turn} app={app} workspace={workspace.id} />
                  {mayRun ? (
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
        {!pane.hasRoom && turn ? <InspectorBar turn={turn} onOpen={pane.open} /> : null}
        <InspectorPane name={entry} pane={pane}>
          <Inspector
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
