import { Checkbox, Paper, Radio, Stack } from '@mantine/core'
import type { Grant } from '#contract/console/people.ts'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import { type Role, ROLES } from '#contract/permissions.ts'
import { useRead } from '../../../client/query.ts'
import fields from '../../../components/forms/Fields.module.css'
import type { ControlledField } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { peopleMessages } from './messages.ts'

export interface AccessFieldsProps {
  role: ControlledField<Role>
  isNarrowed: ControlledField<boolean>
  grants: ControlledField<Grant[]>
  /** The role of a person who exists. */
  currentRole?: Role
}

/** The role of a person, and what they can access: all workspaces, or whole ones and single apps of them. */
export function AccessFields({ role, isNarrowed, grants, currentRole = role.value }: AccessFieldsProps) {
  const t = useMessages(peopleMessages)
  return (
    <>
      <Radio.Group {...role} label={t('role')} onChange={(value) => role.onChange(value as Role)}>
        {ROLES.map((one) => (
          <Radio key={one} value={one} label={t(one)} description={t(`${one}Help`)} mt={8} />
        ))}
      </Radio.Group>
      {role.value === currentRole ? null : <p className={fields.note}>{t('roleNote')}</p>}
      {role.value === 'admin' ? (
        <p className={fields.note}>{t('accessAdmin')}</p>
      ) : (
        <>
          <Radio.Group
            label={t('accessScope')}
            value={isNarrowed.value ? 'some' : 'all'}
            onChange={(value) => isNarrowed.onChange(value === 'some')}
          >
            <Radio value="all" label={t('accessAll')} mt={8} />
            <Radio value="some" label={t('accessSelected')} mt={8} />
          </Radio.Group>
          {isNarrowed.value ? <GrantsField {...grants} /> : null}
        </>
      )}
    </>
  )
}

function GrantsField({ value: grants, onChange }: ControlledField<Grant[]>) {
  const t = useMessages(peopleMessages)
  const workspaces = useRead(workspaceEndpoints.listWorkspaces, {}).data?.data ?? []
  const hasGrant = (workspace: string, key: string | null) =>
    grants.some((grant) => grant.workspace === workspace && grant.key === key)
  const toggle = (workspace: string, key: string | null) => {
    const rest = grants.filter(
      (grant) => !(grant.workspace === workspace && (key === null || grant.key === null || grant.key === key)),
    )
    onChange(hasGrant(workspace, key) ? rest : [...rest, { workspace, key }])
  }
  return (
    <Paper component="fieldset" radius="md" m={0} px="md" py="sm" aria-label={t('accessSelected')}>
      <Stack gap="sm">
        {workspaces.map(({ id, name, keys }) => (
          <section key={id} aria-label={name}>
            <Checkbox
              label={t('wholeWorkspace', { workspace: name })}
              checked={hasGrant(id, null)}
              onChange={() => toggle(id, null)}
            />
            {hasGrant(id, null) ? null : (
              <Stack gap="xs" mt="xs" pl={26}>
                {keys.map((key) => (
                  <Checkbox
                    key={key.id}
                    label={`${key.label} (${key.kind})`}
                    checked={hasGrant(id, key.id)}
                    onChange={() => toggle(id, key.id)}
                  />
                ))}
              </Stack>
            )}
          </section>
        ))}
      </Stack>
    </Paper>
  )
}
