import { Button, Kbd } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Key } from '#contract/console.ts'
import type { Reply } from '#contract/endpoint.ts'
import { paths } from '../../paths.ts'
import { AnnotateBox } from '../../run/annotate/AnnotateBox.tsx'
import { pairOf } from '../../run/annotate/pair.ts'
import { Answer } from '../../run/Answer.tsx'
import { useTurn } from '../../run/useTurn.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useLetterKeys } from '../../ui/useLetterKeys.ts'
import { useWords } from '../../ui/words.ts'
import classes from './Annotations.module.css'
import { annotationsWords } from './messages.ts'
import { contract } from '#contract/index.ts'
import { RoleNote } from '../../ui/RoleNote.tsx'

export interface ReviewTurnProps {
  workspace: string
  app: Key
  reviewed: Reply<typeof contract.console.listReview>['data'][number]
  isMarking: boolean
  /** Null for somebody who may not. */
  onMark: (() => void) | null
  mayAnnotate: boolean
  onSkip: () => void
  /** Null where nothing was skipped. */
  onBack: (() => void) | null
  onAnnotated: () => void
}

/** One turn of the queue, with its keys. */
export function ReviewTurn(props: ReviewTurnProps) {
  const { workspace, app, reviewed, isMarking, onMark, mayAnnotate, onSkip, onBack, onAnnotated } = props
  const { run, reasons } = reviewed
  const t = useWords(annotationsWords)
  const [isOpen, setOpen] = useState(false)
  const { turn, isLoading, problem, retry } = useTurn(run.id)
  const open = () => setOpen(true)
  useLetterKeys(
    isOpen
      ? []
      : [
          ['a', () => turn && mayAnnotate && open()],
          ['m', () => (isMarking ? undefined : onMark?.())],
          ['s', onSkip],
          ['b', () => onBack?.()],
        ],
  )
  return (
    <article className={classes.turn} aria-label={t('turn')}>
      <header>
        {reasons.map((reason) => (
          <b key={reason}>{t(`reasons.${reason}`)}</b>
        ))}
        <StateBadge word={run.status} />
        <Since at={run.created_at} ago />
        <span>{run.user}</span>
        <Link to={paths.run(run.id, { workspace })}>{t('openRun')}</Link>
      </header>
      {isLoading ? <SkeletonRows rows={3} height={60} /> : null}
      {problem ? <ProblemNote problem={problem} what={t('readRunWhat')} onRetry={retry} /> : null}
      <h3>{t('asked')}</h3>
      <p className={classes.text} dir="auto">
        {turn ? pairOf(turn).question || run.title : run.title}
      </p>
      <h3>{t('answered')}</h3>
      {turn && turn.answer.text !== '' ? (
        <Answer turn={turn} onCite={() => undefined} />
      ) : (
        <p className={classes.note}>{t('noAnswer')}</p>
      )}
      {run.problem ? <ProblemNote problem={run.problem} /> : null}
      <footer>
        {mayAnnotate ? (
          <Button onClick={open} disabled={!turn} rightSection={<Kbd size="xs">a</Kbd>}>
            {t('doAnnotate')}
          </Button>
        ) : null}
        {onMark ? (
          <Button variant="default" loading={isMarking} onClick={onMark} rightSection={<Kbd size="xs">m</Kbd>}>
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
        {mayAnnotate && onMark ? null : <RoleNote entry={contract.annotations.create} />}
      </footer>
      {isOpen && turn ? (
        <AnnotateBox
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
