import { ActionIcon, Button, CopyButton, NativeSelect, TextInput } from '@mantine/core'
import { IconCheck, IconLink, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { contract } from '#contract/index.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import classes from './InputSetsBar.module.css'
import { playgroundWords } from './messages.ts'
import { type InputSet, isSameSet, setOf } from './sets.ts'
import type { InputSets } from './useInputSets.ts'

export interface InputSetsBarProps {
  workspace: string
  app: string
  kept: InputSets
  /** What stands in the form now. */
  current: InputSet
  onUse: (set: InputSet) => void
  /** The address under which a set is open in the form. */
  linkOf: (set: string) => string
}

/** The kept inputs of an app: one is taken into the form, the form is kept as one, a link opens one for somebody else. */
export function InputSetsBar({ workspace, app, kept, current, onUse, linkOf }: InputSetsBarProps) {
  const t = useWords(playgroundWords)
  const { set } = useListState()
  const [asks, setAsks] = useState<'name' | 'delete' | null>(null)
  const create = useWrite(contract.console.createKept)
  const update = useWrite(contract.console.updateKept)
  const remove = useWrite(contract.console.deleteKept)
  const { sets, chosen } = kept
  const problem = create.error?.problem ?? update.error?.problem ?? remove.error?.problem
  const isChanged = chosen !== undefined && !isSameSet(current, setOf(chosen.value))
  const use = (id: string) => {
    const one = sets.find((other) => other.id === id)
    set({ set: id || null }, { replace: true })
    if (one) onUse(setOf(one.value))
  }
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    if (name === '') return
    create.mutate(
      { body: { kind: 'input_set', workspace, about: app, name, value: current } },
      {
        onSuccess: ({ id }) => {
          setAsks(null)
          set({ set: id }, { replace: true })
        },
      },
    )
  }
  return (
    <section className={classes.bar} aria-label={t('sets')}>
      <div className={classes.row}>
        {sets.length > 0 ? (
          <NativeSelect
            className={classes.select}
            aria-label={t('sets')}
            value={chosen?.id ?? ''}
            onChange={(event) => use(event.currentTarget.value)}
            data={[{ value: '', label: t('noSet') }, ...sets.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        ) : null}
        {isChanged ? (
          <Button
            variant="default"
            loading={update.isPending}
            onClick={() => update.mutate({ params: { kept_id: chosen.id }, body: { value: current } })}
          >
            {t('saveChanges')}
          </Button>
        ) : null}
        {chosen ? (
          <>
            <CopyButton value={linkOf(chosen.id)} timeout={1500}>
              {({ copied, copy }) => (
                <Tooltip label={t(copied ? 'linkCopied' : 'copyLink')}>
                  <ActionIcon aria-label={t('copyLink')} onClick={copy}>
                    {copied ? <IconCheck size={15} /> : <IconLink size={15} />}
                  </ActionIcon>
                </Tooltip>
              )}
            </CopyButton>
            <Tooltip label={t('deleteSet')}>
              <ActionIcon aria-label={t('deleteSet')} onClick={() => setAsks('delete')}>
                <IconTrash size={15} />
              </ActionIcon>
            </Tooltip>
          </>
        ) : null}
        {asks === 'name' ? null : (
          <Button
            className={sets.length === 0 ? classes.alone : undefined}
            variant="subtle"
            color="gray"
            onClick={() => setAsks('name')}
          >
            {t('saveSet')}
          </Button>
        )}
      </div>
      {asks === 'name' ? (
        <form className={classes.row} onSubmit={save}>
          <TextInput
            className={classes.select}
            name="name"
            aria-label={t('setName')}
            placeholder={t('setName')}
            maxLength={120}
            autoComplete="off"
            autoFocus
          />
          <Button type="submit" variant="default" loading={create.isPending}>
            {t('save')}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => setAsks(null)}>
            {t('cancel')}
          </Button>
        </form>
      ) : null}
      {asks === 'delete' && chosen ? (
        <div className={classes.row} role="group" aria-label={t('deleteSet')}>
          <span className={classes.words}>{t('deleteWhat', { name: chosen.name })}</span>
          <Button
            variant="default"
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(
                { params: { kept_id: chosen.id } },
                {
                  onSuccess: () => {
                    setAsks(null)
                    set({ set: null }, { replace: true })
                  },
                },
              )
            }
          >
            {t('deleteIt')}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => setAsks(null)}>
            {t('keepIt')}
          </Button>
        </div>
      ) : null}
      {kept.isGone ? <p className={classes.words}>{t('setGone')}</p> : null}
      {kept.problem ? <ProblemNote problem={kept.problem} what={t('setsWhat')} onRetry={kept.retry} /> : null}
      {problem ? <ProblemNote problem={problem} what={t('setWhat')} /> : null}
    </section>
  )
}
