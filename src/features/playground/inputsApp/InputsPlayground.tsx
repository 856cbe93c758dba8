import { ActionIcon, Box, Button } from '@mantine/core'
import { IconLayoutSidebarRight, IconPencil } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { batchEndpoints } from '#contract/console/batches.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { type InputsEntryName, STOP_ENTRIES } from '../../runs/runEntries.ts'
import { RunInspector } from '../../runs/inspector/RunInspector.tsx'
import { InspectorBar } from '../../runs/inspector/InspectorBar.tsx'
import { InspectorPane } from '../../runs/inspector/InspectorPane.tsx'
import { isTurnOver } from '../../runs/turn.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { inputsPlaygroundMessages } from './messages.ts'
import classes from './Inputs.module.css'
import { usePermission } from '../../../client/usePermission.ts'
import { AppSelect } from '../AppSelect.tsx'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { NoApp } from './NoApp.tsx'
import { InputsSide } from './InputsSide.tsx'
import { type InputsPlaygroundState, useInputsPlayground } from './useInputsPlayground.ts'
import { AnnotateButton } from '../../runs/annotate/AnnotateButton.tsx'
import { TestCaseButton } from '../../runs/testCase/TestCaseButton.tsx'
import { RunReply } from '../../runs/detail/RunReply.tsx'
import { RunForms } from '../../runs/forms/RunForms.tsx'
import { StopRunButton } from '../../runs/detail/StopRunButton.tsx'
import { AskPlatform } from '../../runs/platformDetail/AskPlatform.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { FeedbackButtons } from '../feedback/FeedbackButtons.tsx'

const PLAYGROUNDS = {
  completion: { entry: 'completion.send', texts: 'completionApp', title: 'completion', toPath: paths.completion },
  workflow: { entry: 'workflows.run', texts: 'workflowApp', title: 'workflows', toPath: paths.workflows },
} as const

/** The playground of the app in the URL, or why there is none. */
export function InputsAppPage({ kind }: { kind: keyof typeof PLAYGROUNDS }) {
  const t = useMessages(inputsPlaygroundMessages)
  const currentWorkspace = useWorkspace()
  const { workspace, findKey, getKeys } = currentWorkspace
  const app = findKey(kind)
  const { entry, texts, title, toPath } = PLAYGROUNDS[kind]
  if (!workspace || !app)
    return (
      <NoApp
        title={t(title)}
        currentWorkspace={currentWorkspace}
        keyKinds={[kind]}
        problemContext={t('listWorkspaces')}
        emptyTitle={workspace ? t(`${texts}.noKey`) : t('noWorkspace')}
        emptyText={workspace ? t(`${texts}.noKeyWhy`, { workspace: workspace.name }) : t('noWorkspaceText')}
      />
    )
  return (
    <InputsPlayground
      key={app.id}
      entry={entry}
      title={t(title)}
      emptyText={t(`${texts}.emptyText`)}
      workspace={workspace}
      app={app}
      apps={getKeys(kind)}
      getPath={(id, set) => toPath({ workspace: workspace.id, app: id, set: set ?? null })}
    />
  )
}

interface InputsPlaygroundProps {
  entry: InputsEntryName
  /** The title of the screen, and the text before there is an output. */
  title: string
  emptyText: string
  workspace: Workspace
  app: Key
  apps: readonly Key[]
  /** The URL of an app's playground, optionally with a saved input set. */
  getPath: (app: string, set?: string) => string
}

/** The playground of an app with inputs: form or history, the output of one run, the inspector. */
function InputsPlayground({ entry, title, emptyText, workspace, app, apps, getPath }: InputsPlaygroundProps) {
  const t = useMessages(inputsPlaygroundMessages)
  const navigate = useNavigate()
  const playground = useInputsPlayground(entry, workspace, app)
  const { pane, run_id, tab, source, setSearchParams } = playground
  const { turn, run } = playground.turnRead
  return (
    <div className={classes.playground}>
      <div className={classes.main}>
        <Page
          title={title}
          titleSuffix={
            <Box component="span" miw={0} c="dimmed" fz={13}>
              <AppSelect label={t('app')} app={app} apps={apps} onApp={(id) => void navigate(getPath(id))} />
            </Box>
          }
          actions={<InputsPlaygroundActions workspace={workspace} app={app} playground={playground} />}
        >
          <title>{`${title} · ${app.label} · Loupe`}</title>
          <div className={classes.desk}>
            <InputsSide entry={entry} workspace={workspace} app={app} getPath={getPath} playground={playground} />
            <InputsOutput entry={entry} emptyText={emptyText} workspace={workspace} app={app} playground={playground} />
            {!pane.fitsBeside && turn ? <InspectorBar turn={turn} onOpen={pane.open} /> : null}
          </div>
        </Page>
      </div>
      <InspectorPane name={entry} pane={pane}>
        <RunInspector
          run_id={run_id}
          run={run}
          workspace={workspace.id}
          tab={tab}
          source={source}
          onTab={(one) => setSearchParams({ tab: one }, { replace: true })}
          onClose={pane.toggle}
        />
      </InspectorPane>
    </div>
  )
}

interface InputsPlaygroundActionsProps {
  workspace: Workspace
  app: Key
  playground: InputsPlaygroundState
}

function InputsPlaygroundActions({ workspace, app, playground }: InputsPlaygroundActionsProps) {
  const t = useMessages(inputsPlaygroundMessages)
  const can = usePermission()
  const { pane, run_id } = playground
  const { turn, run } = playground.turnRead
  return (
    <>
      {can(savedItemEndpoints.createSavedItem) ? (
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
      {can(batchEndpoints.createBatch) ? (
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
  )
}

interface InputsOutputProps {
  entry: InputsEntryName
  emptyText: string
  workspace: Workspace
  app: Key
  playground: InputsPlaygroundState
}

/** The output of the run in the URL. */
function InputsOutput({ entry, emptyText, workspace, app, playground }: InputsOutputProps) {
  const t = useMessages(inputsPlaygroundMessages)
  const { pane, run_id, source, canRun, outputRef, resend, edit, openInspector } = playground
  const { turn, isLoading, problem, retry } = playground.turnRead
  return (
    <section
      className={classes.output}
      data-wide={entry === 'workflows.run' || undefined}
      aria-label={t('output')}
      ref={outputRef}
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
          app={app.id}
          source={source}
          onCite={(position) => openInspector({ tab: 'sources', source: position })}
          onInspect={pane.open}
          onResend={() => resend(turn.question)}
          onEdit={() => playground.editUnsent(turn.run_id)}
          forms={<RunForms turn={turn} app={app} />}
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
              {entry === 'completion.send' && turn.answer.message_id && app.offers.includes('feedback') ? (
                <FeedbackButtons
                  app={app.id}
                  message_id={turn.answer.message_id}
                  user={turn.question.user}
                  rating={null}
                />
              ) : null}
              <AnnotateButton turn={turn} app={app} workspace={workspace.id} />
              <TestCaseButton turn={turn} app={app} workspace={workspace.id} />
              {canRun ? (
                <Tooltip label={t('editInputs')}>
                  <ActionIcon aria-label={t('editInputs')} onClick={edit}>
                    <IconPencil size={15} />
                  </ActionIcon>
                </Tooltip>
              ) : null}
            </>
          }
        />
      ) : null}
    </section>
  )
}
