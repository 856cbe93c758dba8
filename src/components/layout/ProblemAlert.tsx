import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { Problem } from '#contract/problem.ts'
import { paths } from '#domain/paths.ts'
import { asId, asRecord } from '#domain/stream/untrustedJson.ts'
import { IdChip } from '../data/IdChip.tsx'
import { componentMessages } from '../i18n/messages.ts'
import classes from './ProblemAlert.module.css'
import { useMessages } from '../i18n/useMessages.ts'

export interface ProblemAlertProps {
  problem: Problem
  /** The failed action, after "to": "list the documents". */
  action?: string
  /** Replaces the default title "Could not ...". */
  title?: string
  onRetry?: () => void
  /** In a form that may be longer than the screen: scrolls into view after a submit. */
  isInForm?: boolean
  /** Further actions next to Retry. */
  children?: ReactNode
}

/**
 * An error next to its cause: the failed action, the platform's message, its complete response (folded), and the next
 * step.
 */
export function ProblemAlert({ problem, action, title, onRetry, isInForm = false, children }: ProblemAlertProps) {
  const t = useMessages(componentMessages)
  const note = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isInForm) note.current?.scrollIntoView({ block: 'nearest' })
  }, [isInForm, problem])
  const refused = problem.kind === 'refused'
  const heading = title
    ? title
    : action
      ? t(refused ? (isServerError(problem) ? 'actionFailedThere' : 'actionRefused') : 'actionFailed', { what: action })
      : refused
        ? t('refused')
        : null
  const status = problem.upstream?.status
  return (
    <section ref={note} className={classes.note} role="alert" data-at-form={isInForm || undefined}>
      <header className={classes.head}>
        <IconAlertOctagonFilled size={16} aria-hidden="true" />
        <strong>{heading ?? problem.message}</strong>
        {status ? <code className={classes.status}>{status}</code> : null}
      </header>
      {heading || problem.fields || problem.upstream?.body != null ? (
        <div className={classes.body}>
          {heading ? <blockquote className={classes.words}>{problem.message}</blockquote> : null}
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
              <summary>{t('fullResponse')}</summary>
              <pre className={classes.whole} tabIndex={0}>
                {toText(problem.upstream.body)}
              </pre>
            </details>
          ) : null}
          <RequestId problem={problem} />
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
          {status === 401 ? (
            <>
              <Button variant="default" component={Link} to={paths.workspaces()}>
                {t('openKeys')}
              </Button>
              <span className={classes.small}>{t('stillSignedIn')}</span>
            </>
          ) : null}
        </footer>
      ) : null}
    </section>
  )
}

/** The id under which the platform's own log has the error of a plugin; nothing without one. */
export function RequestId({ problem }: { problem: Problem | null }) {
  const t = useMessages(componentMessages)
  const id = asId(asRecord(asRecord(problem?.upstream?.body)?.details)?.request_id)
  if (id === null) return null
  return (
    <p className={classes.small}>
      {t('requestId')} <IdChip id={id} isFull />
    </p>
  )
}

/** The platform's server failed; it did not refuse. */
const isServerError = ({ upstream }: Problem): boolean => (upstream?.status ?? 0) >= 500

const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2))
