import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Account } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { type Role, ROLES } from '#contract/roles.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { Table } from '../../ui/Table.tsx'
import { ToldOnce } from '../../ui/ToldOnce.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import classes from './Account.module.css'
import { accountWords } from './messages.ts'

/** Tokens of one's own scripts: made, shown once, revoked. */
export function Tokens({ tokens, person }: Pick<Account, 'tokens' | 'person'>) {
  const t = useWords(accountWords)
  const revoke = useWrite(contract.console.deleteToken)
  return (
    <section aria-label={t('tokens')}>
      <h2>{t('tokens')}</h2>
      <p>{t('tokensText')}</p>
      <MakeToken most={person.role} />
      {tokens.length === 0 ? (
        <p>{t('noTokens')}</p>
      ) : (
        <Table
          label={t('tokens')}
          rows={tokens}
          keyOf={({ id }) => id}
          columns={[
            { head: t('tokenName'), grow: true, cell: ({ name }) => name },
            { head: t('hint'), mono: true, cell: ({ hint }) => hint },
            { head: t('tokenRole'), cell: ({ role }) => t(role) },
            { head: t('expires'), cell: ({ expires_at }) => new Date(expires_at).toLocaleDateString() },
            { head: t('used'), cell: ({ used_at }) => (used_at ? <Since at={used_at} ago /> : t('never')) },
            {
              head: t('revokeDo'),
              cell: ({ id, name }) => (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={t('revoke', { name })}
                  onClick={() => revoke.mutate({ params: { token_id: id } })}
                >
                  {t('revokeDo')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {revoke.error ? <ProblemNote problem={revoke.error.problem} what={t('revokeWhat')} /> : null}
    </section>
  )
}

function MakeToken({ most }: { most: Role }) {
  const t = useWords(accountWords)
  const make = useWrite(contract.console.createToken)
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [days, setDays] = useState<string | number>(90)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate({ body: { name: name.trim(), role, days: Number(days) } }, { onSuccess: () => setName('') })
  }
  return (
    <>
      <form className={classes.row} onSubmit={submit}>
        <TextInput
          label={t('tokenName')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={80}
          w={220}
        />
        <NativeSelect
          label={t('tokenRole')}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
          data={ROLES.slice(0, ROLES.indexOf(most) + 1).map((one) => ({ value: one, label: t(one) }))}
        />
        <NumberInput label={t('days')} value={days} onChange={setDays} min={1} max={365} allowDecimal={false} w={90} />
        <Button type="submit" loading={make.isPending} disabled={!name.trim() || !days}>
          {t('make')}
        </Button>
      </form>
      {make.error ? <ProblemNote problem={make.error.problem} what={t('makeWhat')} isAtForm /> : null}
      {make.data ? (
        <div role="status" className={classes.narrow}>
          <b>{t('made')}</b>
          <p>{t('madeText')}</p>
          <ToldOnce label={t('made')} value={make.data.token} />
        </div>
      ) : null}
    </>
  )
}
