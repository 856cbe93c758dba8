import { ActionIcon, Box, Flex, Group, VisuallyHidden } from '@mantine/core'
import { IconRefresh, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { memo, useCallback } from 'react'
import { Link } from 'react-router'
import { isActiveStatus, isSuccessStatus, type Run } from '#contract/console/runs.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { Tooltip } from '../../../../components/overlays/Tooltip.tsx'
import { useRun } from '../../../../client/useRun.ts'
import { AnnotateButton } from '../../../runs/annotate/AnnotateButton.tsx'
import { TestCaseButton } from '../../../runs/testCase/TestCaseButton.tsx'
import { AnswerView } from '../../../runs/answer/AnswerView.tsx'
import { AnnotationMark, AnswerMetrics, TurnFooter } from '../../../runs/answer/AnswerFooter.tsx'
import { RunStatusBar, TurnAnnouncement } from '../../../runs/detail/RunStatusBar.tsx'
import { RunForms } from '../../../runs/forms/RunForms.tsx'
import { SourceCards } from '../../../runs/answer/SourceCard.tsx'
import { StopRunButton } from '../../../runs/detail/StopRunButton.tsx'
import { isTurnOver, toTurn, type Turn, type TurnQuestion } from '../../../runs/turn.ts'
import { AskPlatform } from '../../../runs/platformDetail/AskPlatform.tsx'
import { DetailSourceNote, KeptMessageNote } from '../../../runs/platformDetail/RunNotes.tsx'
import { TurnProblem } from '../../../runs/detail/TurnProblem.tsx'
import { FeedbackButtons } from '../../feedback/FeedbackButtons.tsx'
import { AgentThoughts, NodeList } from '../../../runs/answer/AnswerSteps.tsx'
import { QuestionFiles } from '../../../runs/files/QuestionFiles.tsx'
import { QuestionView } from './QuestionView.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { transcriptMessages } from './messages.ts'
import { SuggestedQuestion } from '../composer/WelcomePanel.tsx'
import classes from './Transcript.module.css'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import { useRead } from '../../../../client/query.ts'

export interface TurnActions {
  onSource: (run_id: string, position: number) => void
  onInspect: (run_id: string) => void
  /** Sends a question again, unchanged or edited, as a branch of the turn of this run. */
  onRerun: (run_id: string, question: TurnQuestion, query?: string) => void
  onDismiss: (run_id: string, question: TurnQuestion) => void
  onBranch: (branches: readonly string[], run_id: string) => void
  onEdit: (edit: { run_id: string; query: string } | null) => void
  /** Sends a suggested question, or puts it into the composer to edit it. */
  onSuggestion: (question: string, isEdited: boolean) => void
}

export interface TurnViewProps {
  run_id: string
  /** The server's row, null while only this browser knows the run. */
  run: Run | null
  /** The runs of this turn, oldest first, comma separated; one of them is shown. */
  branches: string
  workspace: string
  app: Key
  /** The position of the selected source in this turn. */
  source: number | null
  /** The edited text while the question is being edited. */
  edited: string | null
  /** The platform's stored rating of the answer. */
  rating: string | null
  /** True for the newest turn of an app with suggested questions. */
  showsSuggestions: boolean
  actions: TurnActions
  /** Whether the person may send, and so resend. */
  canSend: boolean
}

/** A question and its answer. Renders again only when its own run changes. */
export const TurnView = memo(function TurnView(props: TurnViewProps) {
  const { run_id, run, branches, workspace, app, source, edited, rating, showsSuggestions, actions, canSend } = props
  const t = useMessages(transcriptMessages)
  const view = useRun(chatEndpoints.send, run_id, run !== null && isActiveStatus(run.status))
  const { onSource } = actions
  const cite = useCallback((position: number) => onSource(run_id, position), [onSource, run_id])
  const turn = toTurn(run, view)
  if (!turn) return null
  const { question, answer, state } = turn
  const { user } = question
  const over = isTurnOver(turn)
  const tries = branches.split(',')
  const again = canSend ? () => actions.onRerun(run_id, question) : null
  return (
    <section className={classes.turn} aria-label={truncateText(question.query, 80)}>
      <VisuallyHidden component="h2">{t('question')}</VisuallyHidden>
      <QuestionView
        question={question}
        files={<QuestionFiles turn={turn} app={app.id} />}
        edited={edited}
        onEdit={over && canSend ? (query) => actions.onEdit(query === null ? null : { run_id, query }) : null}
        onResend={(query) => actions.onRerun(run_id, question, query)}
      />
      {tries.length > 1 ? (
        <BranchPager runs={tries} selected={run_id} onBranch={(to) => actions.onBranch(tries, to)} />
      ) : null}
      <article className={classes.reply} aria-label={t('answer')}>
        <VisuallyHidden component="h2">{t('answer')}</VisuallyHidden>
        <RunStatusBar
          turn={turn}
          onResend={again}
          onEdit={() => actions.onDismiss(run_id, question)}
          stopButton={<StopRunButton app={app} entry="stopChat" task_id={answer.task_id} user={user} />}
        />
        <AskPlatform turn={turn} app={app} />
        <KeptMessageNote turn={turn} app={app} />
        <DetailSourceNote run={answer.run} />
        <TurnProblem turn={turn} app={app} onSendAgain={again} />
        {over && view?.phase !== 'refused' && isWithoutConversation(turn) ? (
          // Not a paragraph, which would be part of the answer. A refusal of this console itself is not a run.
          <div className={classes.origin}>
            {t('noConversationBegun')} <Link to={paths.run(run_id, { workspace })}>{t('openRun')}</Link>
          </div>
        ) : null}
        <AgentThoughts thoughts={answer.thoughts} />
        <NodeList run={answer.run} />
        <AnswerView turn={turn} workspace={workspace} onCite={cite} />
        <RunForms turn={turn} app={app} />
        <AnnotationMark answer={answer} workspace={workspace} app={app.id} />
        <SourceCards sources={answer.sources} workspace={workspace} selected={source} run={run_id} />
        {hasMetrics(turn) ? (
          <TurnFooter
            text={answer.text}
            onInspect={() => actions.onInspect(run_id)}
            actions={
              over ? (
                <>
                  {answer.message_id && app.offers.includes('feedback') ? (
                    <FeedbackButtons
                      key={answer.message_id}
                      app={app.id}
                      message_id={answer.message_id}
                      user={user}
                      rating={rating}
                    />
                  ) : null}
                  <AnnotateButton turn={turn} app={app} workspace={workspace} />
                  <TestCaseButton turn={turn} app={app} workspace={workspace} />
                  {again ? (
                    <Tooltip label={t('regenerate')}>
                      <ActionIcon data-once aria-label={t('regenerate')} onClick={again}>
                        <IconRefresh size={15} />
                      </ActionIcon>
                    </Tooltip>
                  ) : null}
                </>
              ) : null
            }
          >
            <AnswerMetrics turn={turn} />
          </TurnFooter>
        ) : null}
        {showsSuggestions && isSuccessStatus(state) && answer.message_id ? (
          <SuggestedQuestions
            app={app.id}
            message_id={answer.message_id}
            user={user}
            onSuggestion={actions.onSuggestion}
          />
        ) : null}
      </article>
      <TurnAnnouncement turn={turn} />
    </section>
  )
})

/** A question that started no conversation is in none of the lists here. */
const isWithoutConversation = ({ state, question, answer }: Turn): boolean =>
  (state === 'refused' || state === 'failed') && question.conversation_id === null && answer.conversation_id === null

/** A run without frames or answer has no metrics yet; one that never reached the platform will have none. */
const hasMetrics = ({ state, frames, answer }: Turn): boolean =>
  frames > 0 || answer.text !== '' || isSuccessStatus(state)

interface BranchPagerProps {
  /** The runs of the turn, oldest first, and the selected one. */
  runs: readonly string[]
  selected: string
  onBranch: (run_id: string) => void
}

/** The selected branch of a turn, with previous and next buttons. */
function BranchPager({ runs, selected, onBranch }: BranchPagerProps) {
  const t = useMessages(transcriptMessages)
  const selectedIndex = runs.indexOf(selected)
  const renderStep = (to: number, label: string, Icon: typeof IconChevronLeft) => {
    const run_id = runs[to]
    return (
      <Tooltip label={label}>
        <ActionIcon
          aria-label={label}
          // Keep the focus on the arrow at the last branch; a disabled button would lose it.
          aria-disabled={run_id === undefined}
          data-disabled={run_id === undefined || undefined}
          onClick={() => (run_id === undefined ? undefined : onBranch(run_id))}
        >
          <Icon size={16} />
        </ActionIcon>
      </Tooltip>
    )
  }
  return (
    <Group gap={2} ml={-6} c="dimmed" fz="sm" wrap="nowrap" role="group" aria-label={t('branches')}>
      {renderStep(selectedIndex - 1, t('branchBefore'), IconChevronLeft)}
      <span className={classes.branch} role="status">
        {t('branch', { number: selectedIndex + 1, count: runs.length })}
      </span>
      {renderStep(selectedIndex + 1, t('branchAfter'), IconChevronRight)}
      <Box component="span" pl="xs" c="var(--text-3)" fz="xs">
        {t('branchesWhy', { count: runs.length })}
      </Box>
    </Group>
  )
}

interface SuggestedQuestionsProps {
  app: string
  message_id: string
  user: string
  onSuggestion: (question: string, isEdited: boolean) => void
}

/** Suggested next questions. An app with the feature disabled returns an error; then nothing is shown. */
function SuggestedQuestions({ app, message_id, user, onSuggestion }: SuggestedQuestionsProps) {
  const t = useMessages(transcriptMessages)
  const input = { key: app, params: { message_id }, query: { user } }
  const read = useRead(optionalMessageEndpoints.suggestedQuestions, input)
  const questions = read.data?.data?.filter(Boolean) ?? []
  if (questions.length === 0) return null
  return (
    <Flex component="ul" wrap="wrap" gap="xs" aria-label={t('suggested')}>
      {questions.map((question) => (
        <li key={question}>
          <SuggestedQuestion question={question} onSuggestion={onSuggestion} />
        </li>
      ))}
    </Flex>
  )
}
