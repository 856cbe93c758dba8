import { Button, Kbd } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { getRequiredAccess } from '#contract/permissions.ts'
import type { EndpointReply } from '#contract/endpoint.ts'
import type { reviewEndpoints } from '#contract/console/review.ts'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { AnnotateDrawer } from '../../runs/annotate/AnnotateDrawer.tsx'
import { toQuestionAnswer } from '../../runs/annotate/questionAnswer.ts'
import { AnswerView } from '../../runs/answer/AnswerView.tsx'
import { TestCaseButton } from '../../runs/testCase/TestCaseButton.tsx'
import { useTurn } from '../../runs/useTurn.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useShortcuts } from '../../../components/hooks/useShortcuts.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from '../Annotations.module.css'
import { annotationMessages } from '../messages.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'

export interface ReviewTurnProps {
  workspace: string
  app: Key
  item: EndpointReply<typeof reviewEndpoints.listReview>['data'][number]
  isMarking: boolean
  /** Null without permission. */
  onMarkReviewed: (() => void) | null
  canAnnotate: boolean
  onSkip: () => void
  /** Null if nothing was skipped. */
  onBack: (() => void) | null
  onAnnotated: () => void
}

/** One turn of the queue, with its shortcuts. */
export function ReviewTurn(props: ReviewTurnProps) {
  const { workspace, app, item, isMarking, onMarkReviewed, canAnnotate, onSkip, onBack, onAnnotated } = props
  const { run, reasons } = item
  const t = useMessages(annotationMessages)
  const [isOpen, setOpen] = useState(false)
  const { turn, isLoading, problem, retry } = useTurn(run.id)
  const open = () => setOpen(true)
  useShortcuts(
    isOpen
      ? []
      : [
          ['a', outsideDialogs(() => turn && canAnnotate && open())],
          ['m', outsideDialogs(() => (isMarking ? undefined : onMarkReviewed?.()))],
          ['s', outsideDialogs(onSkip)],
          ['b', outsideDialogs(() => onBack?.())],
        ],
  )
  return (
    <article className={classes.turn} aria-label={t('turn')}>
      <header>
        {reasons.map((reason) => (
          <b key={reason}>{t(`reasons.${reason}`)}</b>
        ))}
        <StatusBadge status={run.status} />
        <RelativeTime at={run.created_at} />
        <span>{run.user}</span>
        <Link to={paths.run(run.id, { workspace })}>{t('openRun')}</Link>
      </header>
      {isLoading ? <SkeletonRows rows={3} height={60} /> : null}
      {problem ? <ProblemAlert problem={problem} action={t('readRunWhat')} onRetry={retry} /> : null}
      <h3>{t('asked')}</h3>
      <p className={classes.text} dir="auto">
        {turn ? toQuestionAnswer(turn).question || run.title : run.title}
      </p>
      <h3>{t('answered')}</h3>
      {turn && turn.answer.text !== '' ? (
        <AnswerView turn={turn} onCite={() => undefined} />
      ) : (
        <p className={classes.note}>{t('noAnswer')}</p>
      )}
      {run.problem ? <ProblemAlert problem={run.problem} /> : null}
      <footer>
        {canAnnotate ? (
          <Button onClick={open} disabled={!turn} rightSection={<Kbd size="xs">a</Kbd>}>
            {t('doAnnotate')}
          </Button>
        ) : null}
        {onMarkReviewed ? (
          <Button variant="default" loading={isMarking} onClick={onMarkReviewed} rightSection={<Kbd size="xs">m</Kbd>}>
            {t('doMark')}
          </Button>
        ) : null}
        <Button variant="default" onClick={onSkip} rightSection={<Kbd size="xs">s</Kbd>}>
          {t('doSkip')}
        </Button>
        {onBack ? (
          <Button variant="default" onClick={onBack} rightSection={<Kbd size="xs">b</Kbd>}>
            {t('doBack')}
          </Button>
        ) : null}
        {turn ? <TestCaseButton turn={turn} app={app} workspace={workspace} /> : null}
        {canAnnotate && onMarkReviewed ? null : <PermissionNote {...getRequiredAccess(annotationEndpoints.create)} />}
      </footer>
      {isOpen && turn ? (
        <AnnotateDrawer
          turn={turn}
          app={app}
          workspace={workspace}
          onClose={() => {
            setOpen(false)
            onAnnotated()
          }}
        />
      ) : null}
    </article>
  )
}

/** A drawer over the turn, as that of a test case, has keys of its own. */
const outsideDialogs =
  (act: () => void) =>
  ({ target }: KeyboardEvent): void => {
    if (!(target instanceof Element && target.closest('[role="dialog"]'))) act()
  }
