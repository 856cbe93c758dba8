import { Button, Group, NativeSelect, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { getWorkspaceHealth } from '#domain/platformKeys/workspaceHealth.ts'
import { useDeleteDialog } from '../../../components/overlays/useDeleteDialog.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { FailingKeyText, HealthBadge } from '../../../components/data/HealthBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { AddPlatform } from './AddPlatform.tsx'
import { EditWorkspace } from './WorkspaceForms.tsx'
import { KeyTable } from './KeyTable.tsx'
import { workspaceMessages } from './messages.ts'
import { WebhookPanel } from './WebhookPanel.tsx'
import classes from './Workspaces.module.css'
import { DIALECT_OPTIONS, type DialectSetting } from '#contract/console/dialect.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import blocks from '../../../components/layout/Blocks.module.css'

/** A platform with its keys. Each key that does not work has a note at the top. */
export function WorkspaceCard({ workspace, isAdmin }: { workspace: Workspace; isAdmin: boolean }) {
  const t = useMessages(workspaceMessages)
  const remove = useWrite(workspaceAdminEndpoints.deleteWorkspace)
  const [open, setOpen] = useState<'keys' | 'edit' | null>(null)
  const openDelete = useDeleteDialog()
  const { name, base_url, builtin, keys, dialect } = workspace
  const { state, since, failingKeys } = getWorkspaceHealth(workspace)
  const askRemove = () =>
    openDelete({
      title: t('removeSpaceTitle', { name }),
      typedName: name,
      lost: [t('removeSpaceKeys', { count: keys.length }), t('removeSpaceSuites'), t('removeSpaceGrants')],
      kept: [t('removeSpaceKept'), t('removedNothing')],
      confirmLabel: t('removeSpaceDo'),
      cancelLabel: t('cancel'),
      action: t('removeSpaceWhat'),
      run: () => remove.mutateAsync({ params: { workspace_id: workspace.id } }),
    })
  const exposed = keys.filter(({ exposed_at }) => exposed_at !== null)
  return (
    <Card label={name}>
      <Group gap="sm">
        <CardTitle>{name}</CardTitle>
        <HealthBadge state={state} since={since} />
        <Text component="code" c="dimmed" fz="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {base_url}
        </Text>
        {builtin ? <Tag>{t('builtin')}</Tag> : null}
        {dialect.version ? <Tag>{t('version', { version: dialect.version })}</Tag> : null}
        {isAdmin && !builtin ? (
          <Group gap="xs" ml="auto">
            <Button variant="default" onClick={() => setOpen('keys')}>
              {t('addKeys')}
            </Button>
            <Button variant="default" aria-label={t('editName', { name })} onClick={() => setOpen('edit')}>
              {t('editSpace')}
            </Button>
            <Button variant="subtle" color="gray" onClick={askRemove}>
              {t('removeSpace')}
            </Button>
          </Group>
        ) : null}
      </Group>
      {failingKeys.map((key) => (
        <KeyAlert key={key.id}>
          <FailingKeyText failingKey={key} /> {t(`${key.health}Action`, { role: isAdmin ? 'admin' : 'other' })}
        </KeyAlert>
      ))}
      {exposed.map(({ id, label, exposed_at }) => (
        <KeyAlert key={id}>
          {t.rich(builtin ? 'exposedBuiltin' : isAdmin ? 'exposedAdmin' : 'exposedOthers', {
            label,
            since: () => <RelativeTime at={exposed_at} />,
          })}
        </KeyAlert>
      ))}
      {keys.length > 0 ? (
        <KeyTable workspace={workspace} isAdmin={isAdmin} />
      ) : (
        <Text c="var(--text-3)" fz="sm">
          {t('noKeys')}
        </Text>
      )}
      <DialectFields workspace={workspace} isAdmin={isAdmin} />
      {isAdmin ? <WebhookPanel workspace={workspace} /> : null}
      {open === 'keys' ? <AddPlatform workspace={workspace} onClose={() => setOpen(null)} /> : null}
      {open === 'edit' ? <EditWorkspace workspace={workspace} onClose={() => setOpen(null)} /> : null}
    </Card>
  )
}

/** A part of the page with a border. */
export const Card = ({ label, children }: { label: string; children: ReactNode }) => (
  <Paper component="section" px="lg" py="md" miw={0} aria-label={label}>
    <Stack>{children}</Stack>
  </Paper>
)

export const CardTitle = ({ children }: { children: string }) => (
  <Text component="h2" dir="auto" fz="lg" fw={600} style={{ overflowWrap: 'anywhere' }}>
    {children}
  </Text>
)

const Tag = ({ children }: { children: string }) => (
  <Text span px={7} py={1} bg="var(--hover)" c="dimmed" fz="xs" style={{ borderRadius: 5 }}>
    {children}
  </Text>
)

/** What is wrong with a key, with what to do. */
const KeyAlert = ({ children }: { children: ReactNode }) => (
  <Text
    className={blocks.noted}
    data-tone="failed"
    py="sm"
    pr="md"
    bg="var(--failed-bg)"
    bdrs="md"
    c="var(--failed-fg)"
    fz={13}
    style={{ overflowWrap: 'anywhere' }}
    role="alert"
  >
    {children}
  </Text>
)

const DIALECT_POINTS = Object.keys(DIALECT_OPTIONS) as DialectSetting[]

/** The dialect of a platform: detected values and manual overrides. */
function DialectFields({ workspace, isAdmin }: { workspace: Workspace; isAdmin: boolean }) {
  const t = useMessages(workspaceMessages)
  const write = useWrite(workspaceAdminEndpoints.updateWorkspace)
  const { chosen: selectedValue, found: detectedValue } = workspace.dialect
  const words = (point: DialectSetting, value: string) => t(`${point}_${value}` as 'members_ids')
  const selectValue = (point: DialectSetting, value: string) =>
    write.mutate({ params: { workspace_id: workspace.id }, body: { dialect: { [point]: value || null } } })
  return (
    <details className={classes.fold}>
      <summary>{t('dialect')}</summary>
      <Text c="var(--text-3)" fz="sm">
        {t('dialectWhy')}
      </Text>
      <SimpleGrid minColWidth="220px" my="sm">
        {DIALECT_POINTS.map((point) => {
          const seen = detectedValue[point]
          return (
            <NativeSelect
              key={point}
              label={t(point)}
              value={selectedValue[point] ?? ''}
              disabled={!isAdmin || write.isPending}
              onChange={(event) => selectValue(point, event.currentTarget.value)}
            >
              <option value="">{seen ? t('asFound', { found: words(point, seen) }) : t('asTyped')}</option>
              {DIALECT_OPTIONS[point].map((value) => (
                <option key={value} value={value}>
                  {words(point, value)}
                </option>
              ))}
            </NativeSelect>
          )
        })}
      </SimpleGrid>
      <Text c="var(--text-3)" fz="sm">
        {t('always')}
      </Text>
      {write.error ? <ProblemAlert problem={write.error.problem} action={t('dialectWhat')} /> : null}
    </details>
  )
}
