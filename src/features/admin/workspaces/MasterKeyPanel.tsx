import { Button } from '@mantine/core'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { workspaceMessages } from './messages.ts'
import classes from './Workspaces.module.css'

/** The source of the master key, and its rotation. */
export function MasterKeyPanel({ from }: { from: 'file' | 'environment' }) {
  const t = useMessages(workspaceMessages)
  const renew = useWrite(workspaceAdminEndpoints.rotateMasterKey)
  return (
    <section className={classes.card} aria-label={t('master')}>
      <div className={classes.head}>
        <h2>{t('master')}</h2>
        {from === 'file' ? (
          <div className={classes.actions}>
            <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate({})}>
              {t('renew')}
            </Button>
          </div>
        ) : null}
      </div>
      <p className={classes.note}>{t(from === 'file' ? 'masterFile' : 'masterEnvironment')}</p>
      {renew.data ? <p role="status">{t('renewed', { count: renew.data.sealed })}</p> : null}
      {renew.error ? <ProblemAlert problem={renew.error.problem} action={t('renewWhat')} /> : null}
    </section>
  )
}
