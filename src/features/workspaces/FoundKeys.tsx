import { NativeSelect, TextInput } from '@mantine/core'
import type { KeyFound } from '#contract/console.ts'
import { KEY_KINDS, type KeyKind } from '#contract/endpoint.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { workspacesWords } from './messages.ts'
import classes from './Workspaces.module.css'

/** A key that is typed and not kept yet. */
export interface NewKey {
  secret: string
  found: KeyFound
  /** Null until somebody chooses, where the reads do not tell. */
  kind: KeyKind | null
  label: string
}

export interface FoundKeysProps {
  base_url: string
  version: string | null
  keys: readonly NewKey[]
  onChange: (keys: NewKey[]) => void
}

/** What the platform says of each key, for a person to confirm. */
export function FoundKeys({ base_url, version, keys, onChange }: FoundKeysProps) {
  const t = useWords(workspacesWords)
  const change = (at: number, part: Partial<NewKey>) =>
    onChange(keys.map((one, index) => (index === at ? { ...one, ...part } : one)))
  const refused = keys.filter(({ found }) => found.problem).length
  return (
    <section aria-label={t('found')}>
      <p role="status">{version ? t('foundVersion', { base_url, version }) : t('foundAt', { base_url })}</p>
      {refused > 0 ? <p className={classes.note}>{t('refusedKeys', { count: refused })}</p> : null}
      <ol className={classes.found}>
        {keys.map(({ secret, found, kind, label }, at) => (
          <li key={secret}>
            {found.problem ? (
              <ProblemNote problem={found.problem} title={t('ending', { number: String(at + 1) })} />
            ) : (
              <div className={classes.pair}>
                <NativeSelect
                  label={t('kindOf', { number: String(at + 1) })}
                  description={found.kind ? undefined : t('unsure')}
                  value={kind ?? ''}
                  onChange={(event) => {
                    const next = KEY_KINDS.find((one) => one === event.currentTarget.value) ?? null
                    change(at, { kind: next, ...(label === '' && next ? { label: t(next) } : {}) })
                  }}
                >
                  {kind ? null : <option value="">{t('choose')}</option>}
                  {found.may_be.map((one) => (
                    <option key={one} value={one}>
                      {t(one)}
                    </option>
                  ))}
                </NativeSelect>
                <TextInput
                  label={t('labelOf', { number: String(at + 1) })}
                  value={label}
                  maxLength={80}
                  onChange={(event) => change(at, { label: event.currentTarget.value })}
                />
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
