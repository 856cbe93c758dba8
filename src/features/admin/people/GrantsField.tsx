import { Checkbox, Radio } from '@mantine/core'
import type { Grant } from '#contract/console/people.ts'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { peopleMessages } from './messages.ts'
import classes from './People.module.css'

export interface GrantsFieldProps {
  isNarrowed: boolean
  grants: Grant[]
  onChange: (change: { isNarrowed: boolean; grants: Grant[] }) => void
}

/** All workspaces, or whole ones and single apps of them. */
export function GrantsField({ isNarrowed, grants, onChange }: GrantsFieldProps) {
  const t = useMessages(peopleMessages)
  const workspaces = useRead(workspaceEndpoints.listWorkspaces, {}).data?.data ?? []
  const hasGrant = (workspace: string, key: string | null) =>
    grants.some((grant) => grant.workspace === workspace && grant.key === key)
  const toggle = (workspace: string, key: string | null) => {
    const rest = grants.filter(
      (grant) => !(grant.workspace === workspace && (key === null || grant.key === null || grant.key === key)),
    )
    onChange({ isNarrowed, grants: hasGrant(workspace, key) ? rest : [...rest, { workspace, key }] })
  }
  return (
    <>
      <Radio.Group
        label={t('accessScope')}
        value={isNarrowed ? 'some' : 'all'}
        onChange={(value) => onChange({ isNarrowed: value === 'some', grants })}
      >
        <Radio value="all" label={t('accessAll')} mt={8} />
        <Radio value="some" label={t('accessSelected')} mt={8} />
      </Radio.Group>
      {isNarrowed ? (
        <fieldset className={classes.grants} aria-label={t('accessSelected')}>
          {workspaces.map(({ id, name, keys }) => (
            <section key={id} aria-label={name}>
              <Checkbox
                label={t('wholeWorkspace', { workspace: name })}
                checked={hasGrant(id, null)}
                onChange={() => toggle(id, null)}
              />
              {hasGrant(id, null) ? null : (
                <div className={classes.keys}>
                  {keys.map((key) => (
                    <Checkbox
                      key={key.id}
                      mt={6}
                      label={`${key.label} (${key.kind})`}
                      checked={hasGrant(id, key.id)}
                      onChange={() => toggle(id, key.id)}
                    />
                  ))}
                </div>
              )}
            </section>
          ))}
        </fieldset>
      ) : null}
    </>
  )
}
