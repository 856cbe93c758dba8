import { Button } from '@mantine/core'
import { useState } from 'react'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { getWorkspaceHealth } from '#domain/platformKeys/workspaceHealth.ts'
import { DeleteDialog } from '../../../components/overlays/DeleteDialog.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { FailingKeyText, HealthBadge } from '../../../components/data/HealthBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { AddPlatform } from './AddPlatform.tsx'
import { DialectFields } from './DialectFields.tsx'
import { EditWorkspace } from './EditWorkspace.tsx'
import { KeyTable } from './KeyTable.tsx'
import { workspaceMessages } from './messages.ts'
import { WebhookPanel } from './WebhookPanel.tsx'
import classes from './Workspaces.module.css'

/** A platform with its keys. Each key that does not work has a note at the top. */
export function WorkspaceCard({ workspace, isAdmin }: { workspace: Workspace; isAdmin: boolean }) {
  const t = useMessages(workspaceMessages)
  const remove = useWrite(workspaceAdminEndpoints.deleteWorkspace)
  const [open, setOpen] = useState<'keys' | 'edit' | 'remove' | null>(null)
  const { name, base_url, builtin, keys, dialect } = workspace
  const { state, since, failingKeys } = getWorkspaceHealth(workspace)
  const exposed = keys.filter(({ exposed_at }) => exposed_at !== null)
  return (
    <section className={classes.card} aria-label={name}>
      <div className={classes.head}>
        <h2 dir="auto">{name}</h2>
        <HealthBadge state={state} since={since} />
        <code>{base_url}</code>
        {builtin ? <span className={classes.tag}>{t('builtin')}</span> : null}
        {dialect.version ? <span className={classes.tag}>{t('version', { version: dialect.version })}</span> : null}
        {isAdmin && !builtin ? (
          <div className={classes.actions}>
            <Button variant="default" onClick={() => setOpen('keys')}>
              {t('addKeys')}
            </Button>
            <Button variant="default" aria-label={t('editName', { name })} onClick={() => setOpen('edit')}>
              {t('editSpace')}
            </Button>
            <Button variant="subtle" color="gray" onClick={() => setOpen('remove')}>
              {t('removeSpace')}
            </Button>
          </div>
        ) : null}
      </div>
      {failingKeys.map((key) => (
        <p key={key.id} className={classes.ask} role="alert">
          <span>
            <FailingKeyText failingKey={key} /> {t(`${key.health}Action`, { role: isAdmin ? 'admin' : 'other' })}
          </span>
        </p>
      ))}
      {exposed.map(({ id, label, exposed_at }) => (
        <p key={id} className={classes.ask} role="alert">
          <span>
            {t.rich(builtin ? 'exposedBuiltin' : isAdmin ? 'exposedAdmin' : 'exposedOthers', {
              label,
              since: () => <RelativeTime at={exposed_at} />,
            })}
          </span>
        </p>
      ))}
      {keys.length > 0 ? (
        <KeyTable workspace={workspace} isAdmin={isAdmin} />
      ) : (
        <p className={classes.note}>{t('noKeys')}</p>
      )}
      <DialectFields workspace={workspace} isAdmin={isAdmin} />
      {isAdmin ? <WebhookPanel workspace={workspace} /> : null}
      {open === 'keys' ? <AddPlatform workspace={workspace} onClose={() => setOpen(null)} /> : null}
      {open === 'edit' ? <EditWorkspace workspace={workspace} onClose={() => setOpen(null)} /> : null}
      {open === 'remove' ? (
        <DeleteDialog
          title={t('removeSpaceTitle', { name })}
          confirmLabel={t('removeSpaceDo')}
          cancelLabel={t('cancel')}
          action={t('removeSpaceWhat')}
          isPending={remove.isPending}
          problem={remove.error?.problem}
          onDelete={() => remove.mutate({ params: { workspace_id: workspace.id } }, { onSuccess: () => setOpen(null) })}
          onClose={() => {
            remove.reset()
            setOpen(null)
          }}
          typedName={name}
          lost={[t('removeSpaceKeys', { count: keys.length }), t('removeSpaceSuites'), t('removeSpaceGrants')]}
          kept={[t('removeSpaceKept'), t('removedNothing')]}
        />
      ) : null}
    </section>
  )
}
