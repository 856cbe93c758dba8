import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Workspace } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { AddPlatform } from './AddPlatform.tsx'
import { DialectFields } from './DialectFields.tsx'
import { KeyTable } from './KeyTable.tsx'
import { workspacesWords } from './messages.ts'
import classes from './Workspaces.module.css'

/** A platform with its keys. Keys that are refused ask for an admin at the top. */
export function WorkspaceCard({ workspace, isAdmin }: { workspace: Workspace; isAdmin: boolean }) {
  const t = useWords(workspacesWords)
  const remove = useWrite(contract.console.deleteWorkspace)
  const [open, setOpen] = useState<'keys' | 'remove' | null>(null)
  const { name, base_url, builtin, keys, dialect } = workspace
  const refused = keys.filter(({ last_problem }) => last_problem !== null)
  const exposed = keys.filter(({ exposed_at }) => exposed_at !== null)
  const state = refused.length > 0 ? 'refused' : keys.some(({ last_ok_at }) => last_ok_at) ? 'healthy' : 'never tested'
  return (
    <section className={classes.card} aria-label={name}>
      <div className={classes.head}>
        <h2 dir="auto">{name}</h2>
        <StateBadge word={state} />
        <code>{base_url}</code>
        {builtin ? <span className={classes.tag}>{t('builtin')}</span> : null}
        {dialect.version ? <span className={classes.tag}>{t('version', { version: dialect.version })}</span> : null}
        {isAdmin && !builtin ? (
          <div className={classes.deeds}>
            <Button variant="default" onClick={() => setOpen('keys')}>
              {t('addKeys')}
            </Button>
            <Button variant="subtle" color="gray" onClick={() => setOpen('remove')}>
              {t('removeSpace')}
            </Button>
          </div>
        ) : null}
      </div>
      {refused.map(({ id, label, last_problem, last_problem_at }) => (
        <p key={id} className={classes.ask} role="alert">
          <span>
            {t.rich(isAdmin ? 'asksAdmin' : 'asksOthers', {
              label,
              message: last_problem?.message ?? '',
              since: () => <Since at={last_problem_at} />,
            })}
          </span>
        </p>
      ))}
      {exposed.map(({ id, label, exposed_at }) => (
        <p key={id} className={classes.ask} role="alert">
          <span>
            {t.rich(builtin ? 'exposedBuiltin' : isAdmin ? 'exposedAdmin' : 'exposedOthers', {
              label,
              since: () => <Since at={exposed_at} ago />,
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
      {open === 'keys' ? <AddPlatform workspace={workspace} onClose={() => setOpen(null)} /> : null}
      {open === 'remove' ? (
        <DeleteDialog
          title={t('removeSpaceTitle', { name })}
          deed={t('removeSpaceDo')}
          keep={t('keep')}
          what={t('removeSpaceWhat')}
          isPending={remove.isPending}
          problem={remove.error?.problem}
          onDelete={() => remove.mutate({ params: { workspace_id: workspace.id } }, { onSuccess: () => setOpen(null) })}
          onClose={() => setOpen(null)}
        >
          {t('removeSpaceText', { count: keys.length })}
        </DeleteDialog>
      ) : null}
    </section>
  )
}
