import { NativeSelect } from '@mantine/core'
import { contract } from '#contract/index.ts'
import { setOf } from '../../run/playground/sets.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import type { Asked } from './board.ts'
import { compareWords } from './messages.ts'
import { QUESTION } from './request.ts'

export interface SavedInputsProps {
  workspace: string
  app: string
  onAsked: (change: Partial<Asked>) => void
}

/** The kept inputs of an app, to be taken over; nothing where none are kept. */
export function SavedInputs({ workspace, app, onAsked }: SavedInputsProps) {
  const t = useWords(compareWords)
  const list = useRead(contract.console.listKept, { query: { kind: 'input_set', workspace, about: app } })
  const sets = list.data?.data ?? []
  if (sets.length === 0) return null
  const take = (id: string) => {
    const one = sets.find((set) => set.id === id)
    if (!one) return
    const { filled, files } = setOf(one.value)
    const { [QUESTION]: query, ...others } = filled
    onAsked({ filled: others, files, ...(query === undefined ? {} : { query }) })
  }
  return (
    <NativeSelect
      aria-label={t('takeInputs')}
      value=""
      onChange={(event) => take(event.currentTarget.value)}
      data={[{ value: '', label: t('takeInputs') }, ...sets.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
