import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { peopleEndpoints } from '#contract/console/people.ts'
import { paths } from '#domain/paths.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { EditPerson } from './EditPerson.tsx'
import { InvitePerson } from './InvitePerson.tsx'
import { SignInLinkDialog, type SignInLink } from './SignInLinkDialog.tsx'
import { peopleMessages } from './messages.ts'
import { PeopleTable } from './PeopleTable.tsx'

/** `/people`: people with their roles and access. */
export function PeoplePage() {
  const t = useMessages(peopleMessages)
  const can = usePermission()
  const isAdmin = can(peopleEndpoints.listPeople)
  const { data, error, refetch } = useRead(peopleEndpoints.listPeople, {}, { enabled: isAdmin })
  const [open, setOpen] = useState<string | null>(null)
  const [link, setLink] = useState<SignInLink | null>(null)
  const people = data?.data
  const edited = people?.find(({ id }) => id === open)
  return (
    <Page
      title={t('title')}
      titleSuffix={people ? String(people.length) : null}
      actions={
        isAdmin ? (
          <>
            <Button component={Link} to={paths.audit()} variant="default">
              {t('audit')}
            </Button>
            <Button onClick={() => setOpen('new')}>{t('invite')}</Button>
          </>
        ) : null
      }
    >
      <title>{`${t('title')} · Loupe`}</title>
      {isAdmin ? null : <EmptyState title={t('title')}>{t('adminOnly')}</EmptyState>}
      {error ? <ProblemAlert problem={error.problem} action={t('readPeople')} onRetry={() => void refetch()} /> : null}
      {people?.every(({ has_account }) => !has_account) ? (
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
      ) : null}
      {isAdmin && !error ? <PeopleTable people={people} onEdit={setOpen} /> : null}
      {open === 'new' ? <InvitePerson onClose={() => setOpen(null)} onLink={setLink} /> : null}
      {edited ? <EditPerson key={edited.id} person={edited} onClose={() => setOpen(null)} onLink={setLink} /> : null}
      {link ? <SignInLinkDialog signInLink={link} onClose={() => setLink(null)} /> : null}
    </Page>
  )
}
