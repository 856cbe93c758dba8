import { Button, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { peopleEndpoints, type Member } from '#contract/console/people.ts'
import { paths } from '#domain/paths.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ResourceListPage } from '../../../components/layout/ResourceListPage.tsx'
import { AdminOnlyPage } from '../AdminOnlyPage.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { EditPerson } from './EditPerson.tsx'
import { InvitePerson } from './InvitePerson.tsx'
import { SignInLinkDialog, type SignInLink } from './SignInLinkDialog.tsx'
import { peopleMessages } from './messages.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'

/** `/people`: people with their roles and access. */
export function PeoplePage() {
  const t = useMessages(peopleMessages)
  const isAdmin = usePermission()(peopleEndpoints.listPeople)
  const read = useRead(peopleEndpoints.listPeople, {}, { enabled: isAdmin })
  const [open, setOpen] = useState<string | null>(null)
  const [link, setLink] = useState<SignInLink | null>(null)
  const people = read.data?.data
  const edited = people?.find(({ id }) => id === open)
  const formatAccessScope = ({ role, narrowed, grants }: Member) => {
    if (role === 'admin' || !narrowed) return t('everything')
    return grants.length === 0 ? t('nothing') : t('grantCount', { count: grants.length })
  }
  if (!isAdmin) return <AdminOnlyPage title={t('title')}>{t('adminOnly')}</AdminOnlyPage>
  return (
    <ResourceListPage<Member>
      title={t('title')}
      count={people?.length}
      actions={
        <>
          <Button component={Link} to={paths.audit()} variant="default">
            {t('audit')}
          </Button>
          <Button onClick={() => setOpen('new')}>{t('invite')}</Button>
        </>
      }
      note={
        people?.every(({ has_account }) => !has_account) ? (
          <EmptyState
            title={t('onlyMember')}
            actions={
              <Button component={Link} to={paths.account()}>
                {t('toAccount')}
              </Button>
            }
          >
            {t('onlyMemberText')}
          </EmptyState>
        ) : null
      }
      read={read}
      action={t('readPeople')}
      empty={null}
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
              onClick={() => setOpen(person.id)}
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
    >
      {open === 'new' ? <InvitePerson onClose={() => setOpen(null)} onLink={setLink} /> : null}
      {edited ? <EditPerson key={edited.id} person={edited} onClose={() => setOpen(null)} onLink={setLink} /> : null}
      {link ? <SignInLinkDialog signInLink={link} onClose={() => setLink(null)} /> : null}
    </ResourceListPage>
  )
}

/** A badge for people who cannot sign in normally. */
function PersonStatus({ person: { disabled_at, has_account, invited_until } }: { person: Member }) {
  const t = useMessages(peopleMessages)
  if (disabled_at) return <StatusBadge status="disabled" isPlain />
  if (has_account) return t('active')
  return invited_until ? <StatusBadge status="invited" isPlain /> : t('linkOnly')
}
