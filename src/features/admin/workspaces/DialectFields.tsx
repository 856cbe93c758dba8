import { NativeSelect } from '@mantine/core'
import { DIALECT_OPTIONS, type DialectSetting } from '#contract/console/dialect.ts'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { workspaceMessages } from './messages.ts'
import classes from './Workspaces.module.css'

const DIALECT_POINTS = Object.keys(DIALECT_OPTIONS) as DialectSetting[]

/** The dialect of a platform: detected values and manual overrides. */
export function DialectFields({ workspace, isAdmin }: { workspace: Workspace; isAdmin: boolean }) {
  const t = useMessages(workspaceMessages)
  const write = useWrite(workspaceAdminEndpoints.updateWorkspace)
  const { chosen: selectedValue, found: detectedValue } = workspace.dialect
  const words = (point: DialectSetting, value: string) => t(`${point}_${value}` as 'members_ids')
  const selectValue = (point: DialectSetting, value: string) =>
    write.mutate({ params: { workspace_id: workspace.id }, body: { dialect: { [point]: value || null } } })
  return (
    <details className={classes.fold}>
      <summary>{t('dialect')}</summary>
      <p className={classes.note}>{t('dialectWhy')}</p>
      <div className={classes.points}>
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
      </div>
      <p className={classes.note}>{t('always')}</p>
      {write.error ? <ProblemAlert problem={write.error.problem} action={t('dialectWhat')} /> : null}
    </details>
  )
}
