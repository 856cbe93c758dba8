import { ActionIcon, CopyButton, Group } from '@mantine/core'
import { IconCheck, IconCopy, IconListSearch, IconNote } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCount, formatSeconds, formatTokensPerSecond } from '#domain/metricFormat.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import { asId, asRecord, asText } from '#domain/stream/untrustedJson.ts'
import { paths } from '#domain/paths.ts'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './AnswerView.module.css'
import { runMessages } from '../detail/messages.ts'
import { Metric } from '../../../components/data/Metric.tsx'
import { Price } from '../../../components/data/Price.tsx'
import { isTurnOver, type Turn } from '../turn.ts'
import { readTurnFigures } from '../turnFigures.ts'

interface TurnFooterProps {
  text: string
  onInspect: () => void
  /** Further actions on this answer. */
  actions?: ReactNode
  children: ReactNode
}

/** Metrics and actions below an answer. */
export function TurnFooter({ text, onInspect, actions, children }: TurnFooterProps) {
  const t = useMessages(runMessages)
  return (
    <div className={classes.foot}>
      <span className={classes.metrics}>{children}</span>
      {actions}
      {text === '' ? null : (
        <CopyButton value={text} timeout={1500}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t('copied') : t('copyAnswer')}>
              <ActionIcon onClick={copy} aria-label={t('copyAnswer')}>
                {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      )}
      <Tooltip label={t('inspect')}>
        <ActionIcon onClick={onInspect} aria-label={t('inspect')}>
          <IconListSearch size={15} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

/** The metrics of an answer: time to first token, speed, tokens, price. A missing value is shown as missing. */
export function AnswerMetrics({ turn }: { turn: Turn }) {
  const t = useMessages(runMessages)
  const { answer } = turn
  const { usage } = answer
  const { firstToken, duration } = readTurnFigures(turn)
  const isRunning = !isTurnOver(turn)
  return (
    <>
      {isRunning && firstToken === null ? null : (
        <Metric
          label={t('firstToken')}
          value={firstToken === null ? null : formatSeconds(firstToken)}
          unit="s"
          title={t('measuredWhy')}
        />
      )}
      {isRunning ? null : (
        <Metric
          label={t('speed')}
          value={formatTokensPerSecond(usage, firstToken, duration)}
          unit={t('perSecond')}
          title={t('measuredWhy')}
        />
      )}
      {usage ? (
        <span className={classes.metric} title={t('reportedWhy')}>
          <span>{t('tokens')}</span>{' '}
          {t.rich('tokensInOut', {
            b: bold,
            input: formatTokens(usage.prompt_tokens),
            output: formatTokens(usage.completion_tokens),
          })}
        </span>
      ) : (
        <span className={classes.metric}>
          <span>{t('text')}</span>{' '}
          {t(isRunning ? 'charactersSoFar' : 'charactersCounted', { count: formatCount(answer.text.length) })}
        </span>
      )}
      {isRunning ? (
        <span className={classes.metric}>
          <span>{t('price')}</span> {t('withEnd')}
        </span>
      ) : (
        <Metric
          label={t('price')}
          value={usage?.total_price ? <Price price={usage.total_price} currency={usage.currency} /> : null}
        />
      )}
    </>
  )

  function formatTokens(tokens: number | null | undefined): string {
    return tokens === null || tokens === undefined ? t('notGiven') : formatCount(tokens)
  }
}

const bold = (words: ReactNode) => <b>{words}</b>

interface AnnotationMarkProps {
  answer: Pick<AnswerState, 'annotation_reply' | 'run_after_end' | 'problem'>
  workspace: string
  /** The key of the app; without it there is no link to the annotation. */
  app: string | null
}

/** Says that an answer is, or may be, the stored one of an annotation, with a link to it. Nothing for other answers. */
export function AnnotationMark({ answer, workspace, app }: AnnotationMarkProps) {
  const t = useMessages(runMessages)
  const annotation = asRecord(answer.annotation_reply)
  if (!annotation && (!answer.run_after_end || answer.problem)) return null
  const id = asId(annotation?.['id']) ?? asId(annotation?.['annotation_id'])
  const author = asText(asRecord(annotation?.['account'])?.['name'])
  return (
    <Group gap="xs" mt="xs" fz="sm" c="dimmed" title={t(annotation ? 'fromAnnotationWhy' : 'beforeWorkflowWhy')}>
      <IconNote size={14} aria-hidden />
      <span>
        {t(annotation ? 'fromAnnotation' : 'beforeWorkflow')}
        {author ? ` (${author})` : null}
      </span>
      {id && app ? <Link to={paths.annotations({ workspace, app, annotation: id })}>{t('openAnnotation')}</Link> : null}
    </Group>
  )
}
