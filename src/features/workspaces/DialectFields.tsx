import { NativeSelect } from '@mantine/core'
import type { Workspace } from '#contract/console.ts'
import { DIALECT, type DialectPoint } from '#contract/dialect.ts'
import { contract } from '#contract/index.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { workspacesWords } from './messages.ts'
import classes from './Workspaces.module.css'

const POINTS = Object.keys(DIALECT) as DialectPoint[]

/** How a platform is spoken to: what was found, and what a person chose over it. */
export function DialectFields({ workspace, isAdmin }: { workspace: Workspace; isAdmin: boolean }) {
  const t = useWords(workspacesWords)
  const write = useWrite(contract.console.updateWorkspace)
  const { chosen, found } = workspace.dialect
  const words = (point: DialectPoint, value: string) => t(`${point}_${value}` as 'members_ids')
  const choose = (point: DialectPoint, value: string) =>
    write.mutate({ params: { workspace_id: workspace.id }, body: { dialect: { [point]: value || null } } })
  return (
    <details className={classes.fold}>
      <summary>{t('dialect')}</summary>
      <p className={classes.note}>{t('dialectWhy')}</p>
      <div className={classes.points}>
        {POINTS.map((point) => {
          const seen = found[point]
          return (
            <NativeSelect
              key={point}
              label={t(point)}
              value={chosen[point] ?? ''}
              disabled={!isAdmin || write.isPending}
              onChange={(event) => choose(point, event.currentTarget.value)}
            >
              <option value="">{seen ? t('asFound', { found: words(point, seen) }) : t('asTyped')}</option>
              {DIALECT[point].map((value) => (
                <option key={value} value={value}>
                  {words(point, value)}
                </option>
              ))}
            </NativeSelect>
          )
        })}
      </div>
      <p className={classes.note}>{t('always')}</p>
      {write.error ? <ProblemNote problem={write.error.problem} what={t('dialectWhat')} /> : null}
    </details>
  )
}
