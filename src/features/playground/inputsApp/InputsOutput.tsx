import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { AnnotateButton } from '../../runs/annotate/AnnotateButton.tsx'
import { TestCaseButton } from '../../runs/testCase/TestCaseButton.tsx'
import { type InputsEntryName, STOP_ENTRIES } from '../../runs/runEntries.ts'
import { RunReply } from '../../runs/detail/RunReply.tsx'
import { RunForms } from '../../runs/forms/RunForms.tsx'
import { StopRunButton } from '../../runs/detail/StopRunButton.tsx'
import { AskPlatform } from '../../runs/platformDetail/AskPlatform.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { FeedbackButtons } from '../feedback/FeedbackButtons.tsx'
import { inputsPlaygroundMessages } from './messages.ts'
import classes from './InputsPlayground.module.css'
import type { InputsPlaygroundState } from './useInputsPlayground.ts'

export interface InputsOutputProps {
  entry: InputsEntryName
  emptyText: string
  workspace: Workspace
  app: Key
  playground: InputsPlaygroundState
}

/** The output of the run in the URL. */
export function InputsOutput({ entry, emptyText, workspace, app, playground }: InputsOutputProps) {
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
