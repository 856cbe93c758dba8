import { UnstyledButton } from '@mantine/core'
import type { Member } from '#contract/access.ts'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import { peopleWords } from './messages.ts'
import classes from './People.module.css'

/** One row a person; the name opens what can be changed. */
export function PeopleTable({ people, onEdit }: { people: Member[] | undefined; onEdit: (id: string) => void }) {
  const t = useWords(peopleWords)
  const sees = ({ role, narrowed, grants }: Member) => {
    if (role === 'admin' || !narrowed) return t('everything')
    return grants.length === 0 ? t('nothing') : t('parts', { count: grants.length })
  }
  return (
    <Table
      label={t('title')}
      rows={people}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t('person'),
          grow: true,
          cell: (person) => (
            <UnstyledButton
              className={classes.name}
              onClick={() => onEdit(person.id)}
              aria-label={t('edit', { name: person.name })}
            >
              {person.name}
            </UnstyledButton>
          ),
        },
        { head: t('role'), cell: ({ role }) => t(role) },
        { head: t('state'), cell: (person) => <State person={person} /> },
        { head: t('sees'), cell: sees },
        {
          head: t('signedIn'),
          cell: ({ sessions, tokens }) =>
            [t('sessions', { count: sessions }), ...(tokens > 0 ? [t('tokens', { count: tokens })] : [])].join(', '),
        },
        ...(people?.some(({ key_exposures }) => key_exposures > 0)
          ? [{ head: t('keyExposures'), number: true, cell: ({ key_exposures }: Member) => key_exposures }]
          : []),
        { head: t('seen'), cell: ({ seen_at }) => (seen_at ? <Since at={seen_at} ago /> : t('never')) },
      ]}
    />
  )
}

/** A badge where somebody cannot simply come in. */
function State({ person: { disabled_at, has_account, invited_until } }: { person: Member }) {
  const t = useWords(peopleWords)
  if (disabled_at) return <StateBadge word="disabled" plain />
  if (has_account) return t('active')
  return invited_until ? <StateBadge word="invited" plain /> : t('linkOnly')
}
