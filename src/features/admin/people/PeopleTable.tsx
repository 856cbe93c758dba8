import { UnstyledButton } from '@mantine/core'
import type { Member } from '#contract/console/people.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { peopleMessages } from './messages.ts'

/** One row per person; the name opens the editor. */
export function PeopleTable({ people, onEdit }: { people: Member[] | undefined; onEdit: (id: string) => void }) {
  const t = useMessages(peopleMessages)
  const formatAccessScope = ({ role, narrowed, grants }: Member) => {
    if (role === 'admin' || !narrowed) return t('everything')
    return grants.length === 0 ? t('nothing') : t('grantCount', { count: grants.length })
  }
  return (
    <Table
      label={t('title')}
      rows={people}
      getKey={({ id }) => id}
      columns={[
        {
          header: t('person'),
          grows: true,
          cell: (person) => (
            <UnstyledButton
              fw={550}
              td="underline"
              style={{ textDecorationColor: 'var(--line-2)', textUnderlineOffset: 3 }}
              onClick={() => onEdit(person.id)}
              aria-label={t('edit', { name: person.name })}
            >
              {person.name}
            </UnstyledButton>
          ),
        },
        { header: t('role'), cell: ({ role }) => t(role) },
        { header: t('state'), cell: (person) => <PersonStatus person={person} /> },
        { header: t('access'), cell: formatAccessScope },
        {
          header: t('signedIn'),
          cell: ({ sessions, tokens }) =>
            [t('sessions', { count: sessions }), ...(tokens > 0 ? [t('tokens', { count: tokens })] : [])].join(', '),
        },
        ...(people?.some(({ key_exposures }) => key_exposures > 0)
          ? [{ header: t('keyExposures'), isNumeric: true, cell: ({ key_exposures }: Member) => key_exposures }]
          : []),
        {
          header: t('lastSeen'),
          cell: ({ seen_at }) => (seen_at ? <RelativeTime at={seen_at} /> : t('never')),
        },
      ]}
    />
  )
}

/** A badge for people who cannot sign in normally. */
function PersonStatus({ person: { disabled_at, has_account, invited_until } }: { person: Member }) {
  const t = useMessages(peopleMessages)
  if (disabled_at) return <StatusBadge status="disabled" isPlain />
  if (has_account) return t('active')
  return invited_until ? <StatusBadge status="invited" isPlain /> : t('linkOnly')
}
