import type { Problem } from '#contract/problem.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'
import classes from './DocumentFilesField.module.css'

/** Why a file did not arrive, in one line with the platform's words; its complete answer is folded. */
export function UploadProblem({ problem, name }: { problem: Problem; name: string }) {
  const t = useMessages(documentMessages)
  const body = problem.upstream?.body
  const status = problem.upstream?.status
  return (
    <div className={classes.refusal} role="alert">
      <p>
        {t(problem.kind === 'refused' ? 'uploadRefused' : 'uploadFailed', { name })} <q>{problem.message}</q>
        {status ? <code>{status}</code> : null}
      </p>
      {body == null ? null : (
        <details>
          <summary>{t('fullAnswer')}</summary>
          <pre tabIndex={0}>{typeof body === 'string' ? body : JSON.stringify(body, null, 2)}</pre>
        </details>
      )}
    </div>
  )
}
