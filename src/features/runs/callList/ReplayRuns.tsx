import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { call } from '../../../client/http.ts'
import { postRun } from '../../../client/postRun.ts'
import { invalidateTags } from '../../../client/query.ts'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import { LeaveDialog } from '../../../components/overlays/LeaveDialog.tsx'
import { useLeaveGuard } from '../../../components/hooks/useLeaveGuard.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { toReplayRequest, toRunCall } from '../startRun.ts'
import type { CallListRow } from './callListRow.ts'
import classes from './CallList.module.css'
import { callListMessages } from './messages.ts'

/** Sends the requests of the selected runs again, one after the other, while it is open; each new run has its original as parent. */
export function ReplayRuns({ runs, onClose }: { runs: readonly CallListRow[]; onClose: () => void }) {
  const t = useMessages(callListMessages)
  const client = useQueryClient()
  const [sent, setSent] = useState<number | null>(null)
  const [failures, setFailures] = useState<Problem[]>([])
  const isSending = sent !== null && sent < runs.length
  const guard = useLeaveGuard(isSending)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => void (isOpen.current = false)
  }, [])
  const replay = async () => {
    setSent(0)
    for (const [index, { id }] of runs.entries()) {
      if (!isOpen.current) break
      try {
        const run = await call(runEndpoints.readRun, { params: { run_id: id } })
        await postRun(...toRunCall(run.entry, toReplayRequest(run)))
      } catch (error) {
        const problem =
          error instanceof ProblemError ? error.problem : { kind: 'fault' as const, message: String(error) }
        setFailures((before) => [...before, problem])
      }
      setSent(index + 1)
    }
    await invalidateTags(client, ['runs', 'calls'])
  }
  return (
    <Dialog onClose={() => (isSending ? undefined : onClose())} title={t('replayTitle', { count: runs.length })}>
      <div className={classes.dialog}>
        {sent === null ? <p>{t('replayText')}</p> : null}
        {sent === null && runs.some(({ conversation_id: id }) => id) ? <p>{t('replayChats')}</p> : null}
        {sent === null ? null : (
          <p role="status">
            {t('replayProgress', { done: sent - failures.length, total: runs.length })}{' '}
            {isSending ? t('replayStay') : t('replayDone')}
          </p>
        )}
        {failures[0] ? (
          <p className={classes.failure}>
            {t('replayFailed', { count: failures.length, reason: failures[0].message })}
          </p>
        ) : null}
        <div className={classes.buttons}>
          {sent === null ? <Button onClick={() => void replay()}>{t('replay')}</Button> : null}
          <Button variant="default" onClick={onClose} disabled={isSending}>
            {sent === null ? t('cancel') : t('keepRuns')}
          </Button>
        </div>
      </div>
      <LeaveDialog guard={guard} title={t('leaveReplay')} leaveLabel={t('leaveAndCancel')} stayLabel={t('stay')}>
        {t('leaveReplayText')}
      </LeaveDialog>
    </Dialog>
  )
}
