import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { APP_MODE_NAMES } from '#domain/platformKeys/appModeNames.ts'
import { useDeleteDialog } from '../../../components/overlays/useDeleteDialog.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { HealthBadge } from '../../../components/data/HealthBadge.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { workspaceMessages } from './messages.ts'
import { OperationList } from './OperationList.tsx'
import { ReplaceKey } from './WorkspaceForms.tsx'
import { usePermission } from '../../../client/usePermission.ts'

/** The keys of a workspace with the platform's last response to each. */
export function KeyTable({ workspace, isAdmin }: { workspace: Workspace; isAdmin: boolean }) {
  const t = useMessages(workspaceMessages)
  const probeCapabilities = useWrite(workspaceAdminEndpoints.probeKeyCapabilities)
  const canProbe = usePermission()(workspaceAdminEndpoints.probeKeyCapabilities)
  const remove = useWrite(workspaceAdminEndpoints.deleteKey)
  const openDelete = useDeleteDialog()
  const [replacedKey, setReplacedKey] = useState<Key | null>(null)
  const at = (key: Key) => ({ params: { workspace_id: workspace.id, key_id: key.id } })
  const change = (action: 'replace' | 'remove', key: Key) => {
    if (action === 'replace') return setReplacedKey(key)
    openDelete({
      title: t('removeTitle', { label: key.label, kind: t(key.kind), hint: key.hint ?? 'none' }),
      lost: [t('removeKeyLost')],
      kept: [t('removeSpaceKept'), t('removedNothing')],
      confirmLabel: t('removeDo'),
      cancelLabel: t('cancel'),
      action: t('removeWhat'),
      run: () => remove.mutateAsync(at(key)),
    })
  }
  const probedKeyId = workspace.keys.find(({ id }) => id === probeCapabilities.variables?.params.key_id)
  const columns: TableColumn<Key>[] = [
    { header: t('label'), cell: ({ label }) => <b>{label}</b> },
    {
      header: t('kind'),
      cell: ({ kind, mode, kind_confirmed }) => (
        <>
          {[t(kind), APP_MODE_NAMES[mode ?? '']].filter(Boolean).join(', ')}{' '}
          {mode && mode !== kind ? <code>{mode}</code> : null}
          {kind_confirmed || workspace.builtin ? null : <CellNote>{t('kindChosen')}</CellNote>}
        </>
      ),
    },
    {
      header: t('ends'),
      isMono: true,
      cell: ({ hint, usable }) =>
        usable ? (
          hint ? (
            t('endsWith', { hint })
          ) : (
            t('hidden')
          )
        ) : (
          <Text span inherit fw={700} c="error">
            {t('reenter')}
          </Text>
        ),
    },
    { header: t('health'), cell: ({ health, health_since }) => <HealthBadge state={health} since={health_since} /> },
    {
      header: t('lastSuccess'),
      cell: ({ last_ok_at }) => (last_ok_at ? <RelativeTime at={last_ok_at} /> : t('never')),
    },
    {
      header: t('lastProblem'),
      grows: true,
      cell: ({ last_problem_at, last_problem }) =>
        last_problem_at ? (
          <>
            <RelativeTime at={last_problem_at} />
            {last_problem ? <CellNote>{last_problem.message}</CellNote> : null}
          </>
        ) : (
          t('never')
        ),
    },
    {
      header: t('latency'),
      isNumeric: true,
      cell: ({ latency_ms }) => (latency_ms === null ? null : t('milliseconds', { value: latency_ms })),
    },
    ...(canProbe
      ? [
          {
            header: t('actions'),
            cell: (key: Key) => (
              <KeyActions
                label={key.label}
                isTesting={probeCapabilities.isPending && probedKeyId?.id === key.id}
                onTest={() => probeCapabilities.mutate(at(key))}
                onChange={isAdmin && !workspace.builtin ? (action) => change(action, key) : null}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      <Table
        label={t('keysOf', { name: workspace.name })}
        columns={columns}
        rows={workspace.keys}
        getKey={({ id }) => id}
      />
      {workspace.keys.map((key) => (
        <OperationList key={key.id} listed={key} />
      ))}
      {probeCapabilities.error && probedKeyId ? (
        <ProblemAlert problem={probeCapabilities.error.problem} action={t('testWhat', { label: probedKeyId.label })} />
      ) : null}
      {replacedKey ? (
        <ReplaceKey workspace={workspace} replaced={replacedKey} onClose={() => setReplacedKey(null)} />
      ) : null}
    </>
  )
}

interface KeyActionsProps {
  label: string
  isTesting: boolean
  onTest: () => void
  /** Null if the key may not be changed. */
  onChange: ((action: 'replace' | 'remove') => void) | null
}

function KeyActions({ label, isTesting, onTest, onChange }: KeyActionsProps) {
  const t = useMessages(workspaceMessages)
  return (
    <Group component="span" gap={4} wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${t('test')}: ${label}`}
        loading={isTesting}
        onClick={onTest}
      >
        {t('test')}
      </Button>
      {onChange ? (
        <>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${t('replace')}: ${label}`}
            onClick={() => onChange('replace')}
          >
            {t('replace')}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-label={`${t('delete')}: ${label}`}
            onClick={() => onChange('remove')}
          >
            {t('delete')}
          </Button>
        </>
      ) : null}
    </Group>
  )
}

const CellNote = ({ children }: { children: string }) => (
  <Text span display="block" maw={240} truncate c="var(--text-3)" fz="xs">
    {children}
  </Text>
)
