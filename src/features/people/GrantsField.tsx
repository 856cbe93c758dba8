import { Checkbox, Radio } from '@mantine/core'
import type { Grant } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { peopleWords } from './messages.ts'
import classes from './People.module.css'

export interface GrantsFieldProps {
  narrowed: boolean
  grants: Grant[]
  onChange: (change: { narrowed: boolean; grants: Grant[] }) => void
}

/** All workspaces, or whole ones and single apps of them. */
export function GrantsField({ narrowed, grants, onChange }: GrantsFieldProps) {
  const t = useWords(peopleWords)
  const workspaces = useRead(contract.console.listWorkspaces, {}).data?.data ?? []
  const has = (workspace: string, key: string | null) =>
    grants.some((grant) => grant.workspace === workspace && grant.key === key)
  const toggle = (workspace: string, key: string | null) => {
    const rest = grants.filter(
      (grant) => !(grant.workspace === workspace && (key === null || grant.key === null || grant.key === key)),
    )
    onChange({ narrowed, grants: has(workspace, key) ? rest : [...rest, { workspace, key }] })
  }
  return (
    <>
      <Radio.Group
        label={t('reach')}
        value={narrowed ? 'some' : 'all'}
        onChange={(value) => onChange({ narrowed: value === 'some', grants })}
      >
        <Radio value="all" label={t('reachAll')} mt={8} />
        <Radio value="some" label={t('reachSome')} mt={8} />
      </Radio.Group>
      {narrowed ? (
        <fieldset className={classes.grants} aria-label={t('reachSome')}>
          {workspaces.map(({ id, name, keys }) => (
            <section key={id} aria-label={name}>
              <Checkbox
                label={t('wholeWorkspace', { workspace: name })}
                checked={has(id, null)}
                onChange={() => toggle(id, null)}
              />
              {has(id, null) ? null : (
                <div className={classes.keys}>
                  {keys.map((key) => (
                    <Checkbox
                      key={key.id}
                      mt={6}
                      label={`${key.label} (${key.kind})`}
                      checked={has(id, key.id)}
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
