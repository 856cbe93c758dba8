import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconArrowsDiff, IconDownload, IconRepeat, IconTag, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { MAX_SELECTED_CALLS } from '#contract/console/callQuery.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { CALL_FORMATS, callEndpoints } from '#contract/console/calls.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { paths } from '#domain/paths.ts'
import { Can } from '../../../client/Can.tsx'
import { call } from '../../../client/http.ts'
import { postRun } from '../../../client/postRun.ts'
import { invalidateTags, useWrite } from '../../../client/query.ts'
import { useLeaveGuard } from '../../../components/hooks/useLeaveGuard.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import { LeaveDialog } from '../../../components/overlays/LeaveDialog.tsx'
import { toReplayRequest, toRunCall } from '../startRun.ts'
import { type CallListRow, isRunRow } from './callListRow.ts'
import classes from './CallList.module.css'
import { callListMessages } from './messages.ts'
import { RunTagsInput } from './RunMarks.tsx'

export interface CallSelection {
  rows: readonly CallListRow[]
  has: (id: string) => boolean
  /** Selects all rows of the page from the last chosen one to this one. */
  toggle: (row: CallListRow, range?: readonly CallListRow[]) => void
  setAll: (rows: readonly CallListRow[]) => void
}

/** The selected rows of a workspace; they stay selected on other pages of the list. */
export function useCallSelection(workspace: string | undefined): CallSelection {
  const [all, setRows] = useState<readonly CallListRow[]>([])
  // A row may be rendered before the last choice.
  const last = useRef<string | null>(null)
  const rows = all.filter((row) => row.workspace === workspace)
  return {
    rows,
    has: (id) => rows.some((row) => row.id === id),
    toggle: (row, range) => {
      const from = range?.findIndex(({ id }) => id === last.current) ?? -1
      last.current = row.id
      const to = range?.findIndex(({ id }) => id === row.id) ?? -1
      if (range && from >= 0 && to >= 0) {
        const between = range.slice(Math.min(from, to), Math.max(from, to) + 1)
        setRows((before) => addRows(before, between))
        return
      }
      setRows((before) =>
        before.some(({ id }) => id === row.id) ? before.filter(({ id }) => id !== row.id) : addRows(before, [row]),
      )
    },
    setAll: (all) => setRows((before) => (all.length === 0 ? [] : addRows(before, all))),
  }
}

/** As many as one action takes. */
const addRows = (before: readonly CallListRow[], added: readonly CallListRow[]): CallListRow[] =>
  [...before, ...added.filter(({ id }) => !before.some((row) => row.id === id))].slice(0, MAX_SELECTED_CALLS)

/** What can be done with the selected calls: compare two, replay, export and tag many. */
export function SelectionBar({ selection, workspace }: { selection: CallSelection; workspace: string }) {
  const t = useMessages(callListMessages)
  const [dialog, setDialog] = useState<'replay' | 'tag' | null>(null)
  const { rows } = selection
  const runs = rows.filter(isRunRow)
  const [newer, older] = [...runs].sort((one, other) => other.created_at.localeCompare(one.created_at))
  const canCompare = rows.length === 2 && newer !== undefined && older !== undefined
  if (rows.length === 0) return null
  const ids = rows.map(({ id }) => id).join(',')
  return (
    <Group gap="xs" px="lg" py="xs" className={classes.selection} role="group" aria-label={t('selection')}>
      <Text span size="sm" fw={550} mr="xs" role="status">
        {t('selected', { count: rows.length })}
      </Text>
      {canCompare ? (
        <Button
          variant="default"
          leftSection={<IconArrowsDiff size={14} />}
          component={Link}
          to={paths.run(newer.id, { workspace: newer.workspace, with: older.id })}
        >
          {t('compare')}
        </Button>
      ) : (
        <Button variant="default" leftSection={<IconArrowsDiff size={14} />} disabled title={t('compareHint')}>
          {t('compare')}
        </Button>
      )}
      <Can entry={chatEndpoints.send}>
        <Button
          variant="default"
          leftSection={<IconRepeat size={14} />}
          disabled={runs.length === 0}
          onClick={() => setDialog('replay')}
        >
          {t('replay')}
        </Button>
      </Can>
      <Can entry={EXPORT_PERMISSION}>
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" leftSection={<IconDownload size={14} />}>
              {t('export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {CALL_FORMATS.map((format) => (
              <Menu.Item
                key={format}
                component="a"
                href={`/api/calls/export?${new URLSearchParams({ workspace, ids, format }).toString()}`}
                download
              >
                {t(format)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Can>
      <Can entry={callEndpoints.tagRuns}>
        <Button
          variant="default"
          leftSection={<IconTag size={14} />}
          disabled={runs.length === 0}
          onClick={() => setDialog('tag')}
        >
          {t('tag')}
        </Button>
      </Can>
      <Button variant="subtle" leftSection={<IconX size={14} />} onClick={() => selection.setAll([])}>
        {t('clearSelection')}
      </Button>
      {dialog === 'tag' ? <TagRuns runs={runs} workspace={workspace} onClose={() => setDialog(null)} /> : null}
      {dialog === 'replay' ? <ReplayRuns runs={runs} onClose={() => setDialog(null)} /> : null}
    </Group>
  )
}

interface RunsDialogProps {
  runs: readonly CallListRow[]
  onClose: () => void
}

/** Adds tags to the selected runs, or removes them. */
function TagRuns({ runs, workspace, onClose }: RunsDialogProps & { workspace: string }) {
  const t = useMessages(callListMessages)
  const [tags, setTags] = useState<string[]>([])
  const write = useWrite(callEndpoints.tagRuns, { onDone: onClose })
  const send = (change: { add?: string[]; remove?: string[] }) =>
    write.mutate({ body: { run_ids: runs.map(({ id }) => id), add: [], remove: [], ...change } })
  return (
    <Dialog onClose={onClose} title={t('tag')}>
      <Stack gap="md">
        <RunTagsInput workspace={workspace} label={t('tagName')} value={tags} onChange={setTags} data-autofocus />
        {write.error ? <ProblemAlert problem={write.error.problem} action={t('tagWhat')} /> : null}
        <Group gap="sm">
          <Button disabled={tags.length === 0} loading={write.isPending} onClick={() => send({ add: tags })}>
            {t('addTags', { count: runs.length })}
          </Button>
          <Button variant="default" disabled={tags.length === 0} onClick={() => send({ remove: tags })}>
            {t('removeFrom', { count: runs.length })}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Sends the requests of the selected runs again, one after the other, while it is open; each new run has its original as parent. */
export function ReplayRuns({ runs, onClose }: RunsDialogProps) {
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
      <Stack gap="md">
        {sent === null ? <Text>{t('replayText')}</Text> : null}
        {sent === null && runs.some(({ conversation_id: id }) => id) ? <Text>{t('replayChats')}</Text> : null}
        {sent === null ? null : (
          <Text role="status">
            {t('replayProgress', { done: sent - failures.length, total: runs.length })}{' '}
            {isSending ? t('replayStay') : t('replayDone')}
          </Text>
        )}
        {failures[0] ? (
          <Text c="var(--failed-fg)">{t('replayFailed', { count: failures.length, reason: failures[0].message })}</Text>
        ) : null}
        <Group gap="sm">
          {sent === null ? <Button onClick={() => void replay()}>{t('replay')}</Button> : null}
          <Button variant="default" onClick={onClose} disabled={isSending}>
            {sent === null ? t('cancel') : t('keepRuns')}
          </Button>
        </Group>
      </Stack>
      <LeaveDialog guard={guard} title={t('leaveReplay')} leaveLabel={t('leaveAndCancel')} stayLabel={t('stay')}>
        {t('leaveReplayText')}
      </LeaveDialog>
    </Dialog>
  )
}
