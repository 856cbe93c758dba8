import { Button } from '@mantine/core'
import { contract } from '#contract/index.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { workspacesWords } from './messages.ts'
import classes from './Workspaces.module.css'

/** Where the key comes from that seals the others, and a new one. */
export function MasterKey({ from }: { from: 'file' | 'environment' }) {
  const t = useWords(workspacesWords)
  const renew = useWrite(contract.console.renewMaster)
  return (
    <section className={classes.card} aria-label={t('master')}>
      <div className={classes.head}>
        <h2>{t('master')}</h2>
        {from === 'file' ? (
          <div className={classes.deeds}>
            <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate({})}>
              {t('renew')}
            </Button>
          </div>
        ) : null}
      </div>
      <p className={classes.note}>{t(from === 'file' ? 'masterFile' : 'masterEnvironment')}</p>
      {renew.data ? <p role="status">{t('renewed', { count: renew.data.sealed })}</p> : null}
      {renew.error ? <ProblemNote problem={renew.error.problem} what={t('renewWhat')} /> : null}
    </section>
  )
}
