import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useMay } from '../../wire/useMay.ts'
import { EditPerson } from './EditPerson.tsx'
import { InvitePerson } from './InvitePerson.tsx'
import { LinkDialog, type MadeLink } from './LinkDialog.tsx'
import { peopleWords } from './messages.ts'
import { PeopleTable } from './PeopleTable.tsx'

/** `/people`: who may come in, as what, and what they see. */
export function PeoplePage() {
  const t = useWords(peopleWords)
  const may = useMay()
  const isAdmin = may(contract.console.listPeople)
  const { data, error, refetch } = useRead(contract.console.listPeople, {}, { enabled: isAdmin })
  const [open, setOpen] = useState<string | null>(null)
  const [link, setLink] = useState<MadeLink | null>(null)
  const people = data?.data
  const edited = people?.find(({ id }) => id === open)
  return (
    <Page
      title={t('title')}
      beside={people ? String(people.length) : null}
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
      {isAdmin ? null : <Empty title={t('title')}>{t('adminOnly')}</Empty>}
      {error ? <ProblemNote problem={error.problem} what={t('readPeople')} onRetry={() => void refetch()} /> : null}
      {people?.every(({ has_account }) => !has_account) ? (
        <Empty
          title={t('alone')}
          actions={
            <Button component={Link} to={paths.account()}>
              {t('toAccount')}
            </Button>
          }
        >
          {t('aloneText')}
        </Empty>
      ) : null}
      {isAdmin && !error ? <PeopleTable people={people} onEdit={setOpen} /> : null}
      <InvitePerson opened={open === 'new'} onClose={() => setOpen(null)} onLink={setLink} />
      {edited ? <EditPerson key={edited.id} person={edited} onClose={() => setOpen(null)} onLink={setLink} /> : null}
      {link ? <LinkDialog made={link} onClose={() => setLink(null)} /> : null}
    </Page>
  )
}
