import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { paths } from '../paths.ts'
import { useWords } from '../ui/words.ts'
import { useRead } from '../wire/query.ts'
import { shellWords } from './messages.ts'
import classes from './Shell.module.css'

/** Says over every screen that nothing can be changed, and why, while the master key is another one. */
export function ReadOnly() {
  const t = useWords(shellWords)
  const why = useRead(contract.console.listWorkspaces, {}).data?.read_only
  if (!why) return null
  return (
    <p className={classes.readOnly} role="alert">
      <b>{t('readOnly')}</b> {why} <Link to={paths.workspaces()}>{t('readOnlyWhere')}</Link>
    </p>
  )
}
