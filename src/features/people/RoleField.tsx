import { Radio } from '@mantine/core'
import { type Role, ROLES } from '#contract/roles.ts'
import { useWords } from '../../ui/words.ts'
import { peopleWords } from './messages.ts'

/** The three roles, each with what it may do. */
export function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const t = useWords(peopleWords)
  return (
    <Radio.Group label={t('role')} value={role} onChange={(value) => onChange(value as Role)}>
      {ROLES.map((one) => (
        <Radio key={one} value={one} label={t(one)} description={t(`${one}Help`)} mt={8} />
      ))}
    </Radio.Group>
  )
}
