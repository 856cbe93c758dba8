import { Box, VisuallyHidden } from '@mantine/core'
import { IconCloud } from '@tabler/icons-react'
import type { Key } from '#contract/console/workspaces.ts'
import { upsertThought } from '#domain/answer/answerParts.ts'
import { emptyAnswer, type Thought } from '#domain/answer/answerState.ts'
import { NO_FRAME_TIMES } from '#domain/stream/streamTimes.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { AgentThoughts } from '../../../runs/answer/AnswerSteps.tsx'
import { AnswerView } from '../../../runs/answer/AnswerView.tsx'
import { SourceCards } from '../../../runs/answer/SourceCard.tsx'
import type { Turn } from '../../../runs/turn.ts'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { FeedbackButtons } from '../../feedback/FeedbackButtons.tsx'
import { transcriptMessages } from './messages.ts'
import { QuestionFiles } from '../../../runs/files/QuestionFiles.tsx'
import { QuestionView } from './QuestionView.tsx'
import type { PlatformMessage } from './usePlatformMessages.ts'
import classes from './Transcript.module.css'

export interface PlatformMessageViewProps {
  message: PlatformMessage
  app: Key
  user: string
  workspace: string
}

/** A question and its answer from the platform's history. This console has no frames or timings of it. */
export function PlatformMessageView({ message, app, user, workspace }: PlatformMessageViewProps) {
  const t = useMessages(transcriptMessages)
  const turn = toTurnFromMessage(message, user)
  const { question, answer } = turn
  return (
    <section className={classes.turn} aria-label={truncateText(question.query, 80)}>
      <VisuallyHidden component="h2">{t('question')}</VisuallyHidden>
      <QuestionView
        question={question}
        files={<QuestionFiles turn={turn} app={app.id} />}
        edited={null}
        onEdit={null}
        onResend={() => undefined}
      />
      <article className={classes.reply} aria-label={t('answer')}>
        <VisuallyHidden component="h2">{t('answer')}</VisuallyHidden>
        {message.error ? (
          <Box component="p" c="var(--failed-fg)" fz="sm">
            {message.error}
          </Box>
        ) : null}
        <AgentThoughts thoughts={answer.thoughts} />
        <AnswerView turn={turn} onCite={() => undefined} />
        <SourceCards sources={answer.sources} workspace={workspace} selected={null} />
        <div className={classes.origin}>
          <IconCloud size={13} aria-hidden />
          <span>
            {t('fromPlatform')} {message.created_at ? <RelativeTime at={message.created_at} /> : null}
          </span>
          {app.offers.includes('feedback') ? (
            <FeedbackButtons
              app={app.id}
              message_id={message.id}
              user={user}
              rating={message.feedback?.rating ?? null}
            />
          ) : null}
        </div>
      </article>
    </section>
  )
}

/** A file of the platform's history in the form in which it was sent; its link is signed again at each read. */
const toSentFile = ({ id, type, transfer_method, url, upload_file_id, filename }: Record<string, unknown>) => ({
  type: type ?? 'custom',
  transfer_method: transfer_method ?? 'local_file',
  ...(transfer_method === 'remote_url' ? { url } : { upload_file_id: upload_file_id ?? id }),
  ...(typeof filename === 'string' ? { name: filename } : {}),
})

function toTurnFromMessage(message: PlatformMessage, user: string): Turn {
  const { id, query, answer, conversation_id, inputs, status, error, created_at } = message
  const { retriever_resources, agent_thoughts } = message
  return {
    run_id: id,
    entry: 'chat.send',
    state: status === 'paused' ? 'paused' : status === 'error' || error ? 'failed' : 'succeeded',
    question: {
      query: query ?? '',
      user,
      inputs: inputs ?? {},
      response_mode: 'streaming',
      conversation_id: conversation_id ?? null,
      pinned_workflow_id: null,
      body: { files: message.message_files?.filter(({ belongs_to }) => belongs_to !== 'assistant').map(toSentFile) },
    },
    answer: {
      ...emptyAnswer,
      text: answer ?? '',
      message_id: id,
      conversation_id: conversation_id ?? null,
      thoughts: (agent_thoughts ?? []).reduce<Thought[]>(
        (thoughts, step) =>
          upsertThought(thoughts, { ...step, thought: step.thought || step.answer, message_files: step.files }) ??
          thoughts,
        [],
      ),
      sources: retriever_resources ?? [],
      ended: true,
    },
    problem: null,
    stop: null,
    endMark: null,
    gaps: [],
    connection: null,
    frames: 0,
    sent_at: (created_at ?? 0) * 1000,
    last_frame_at: null,
    ...NO_FRAME_TIMES,
    duration_ms: null,
  }
}
