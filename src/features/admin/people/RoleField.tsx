import { Radio } from '@mantine/core'
import { type Role, ROLES } from '#contract/permissions.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { peopleMessages } from './messages.ts'

/** The three roles, each with its permissions. */
export function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const t = useMessages(peopleMessages)
  return (
    <Radio.Group label={t('role')} value={role} onChange={(value) => onChange(value as Role)}>
      {ROLES.map((one) => (
        <Radio key={one} value={one} label={t(one)} description={t(`${one}Help`)} mt={8} />
      ))}
    </Radio.Group>
  )
}
