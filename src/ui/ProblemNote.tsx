import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Problem } from '#contract/problem.ts'
import { uiWords } from './messages.ts'
import classes from './ProblemNote.module.css'
import { useWords } from './words.ts'

export interface ProblemNoteProps {
  problem: Problem
  /** What was tried, as the words after "to": "list the documents". */
  what?: string
  /** What went wrong, where "Could not ..." is not the word for it. */
  title?: string
  onRetry?: () => void
  /** At a form, which may be longer than the screen: comes into view, since it answers what was just pressed. */
  isAtForm?: boolean
  /** More ways on, beside Retry. */
  children?: ReactNode
}

/** What went wrong, in the place where it did: what was tried, the platform's own words, its whole answer folded, and the way on. */
export function ProblemNote({ problem, what, title, onRetry, isAtForm = false, children }: ProblemNoteProps) {
  const t = useWords(uiWords)
  const note = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isAtForm) note.current?.scrollIntoView({ block: 'nearest' })
  }, [isAtForm, problem])
  const refused = problem.kind === 'refused'
  const head = title ? title : what ? t(refused ? 'refusedWhat' : 'brokeWhat', { what }) : refused ? t('refused') : null
  const status = problem.upstream?.status
  return (
    <section ref={note} className={classes.note} role="alert" data-at-form={isAtForm || undefined}>
      <header className={classes.head}>
        <IconAlertOctagonFilled size={16} aria-hidden="true" />
        <strong>{head ?? problem.message}</strong>
        {status ? <code className={classes.status}>{status}</code> : null}
      </header>
      {head || problem.fields || problem.upstream?.body != null ? (
        <div className={classes.body}>
          {head ? <blockquote className={classes.words}>{problem.message}</blockquote> : null}
          {problem.fields && problem.fields.length > 1 ? (
            <ul>
              {problem.fields.map(({ path, message }) => (
                <li key={path}>
                  <code>{path}</code> {message}
                </li>
              ))}
            </ul>
          ) : null}
          {problem.upstream?.body != null ? (
            <details>
              <summary>{t('wholeAnswer')}</summary>
              <pre className={classes.whole} tabIndex={0}>
                {wholeOf(problem.upstream.body)}
              </pre>
            </details>
          ) : null}
          {problem.id ? <p className={classes.small}>{t('faultId', { id: problem.id })}</p> : null}
        </div>
      ) : null}
      {onRetry || children ? (
        <footer className={classes.foot}>
          {onRetry ? (
            <Button leftSection={<IconRefresh size={14} />} onClick={onRetry}>
              {t('retry')}
            </Button>
          ) : null}
          {children}
          {problem.retry_after ? (
            <span className={classes.small}>{t('retryAfter', { seconds: problem.retry_after })}</span>
          ) : null}
          {status === 401 ? <span className={classes.small}>{t('stillSignedIn')}</span> : null}
        </footer>
      ) : null}
    </section>
  )
}

const wholeOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2))
