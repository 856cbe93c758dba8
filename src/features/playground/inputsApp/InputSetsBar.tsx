import { ActionIcon, Button, CopyButton, Flex, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconCheck, IconLink, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { inputsPlaygroundMessages } from './messages.ts'
import { type InputSet, isSameInputSet, toInputSet, type InputSetsRead } from './inputSets.ts'

export interface InputSetsBarProps {
  workspace: string
  app: string
  inputSets: InputSetsRead
  /** The current content of the form. */
  current: InputSet
  onUse: (set: InputSet) => void
  /** The URL that opens a set in the form. */
  getLink: (set: string) => string
}

/** The saved inputs of an app: load one, save the form, share a link. */
export function InputSetsBar({ workspace, app, inputSets, current, onUse, getLink }: InputSetsBarProps) {
  const t = useMessages(inputsPlaygroundMessages)
  const { set } = useSearchParamState()
  const [openForm, setOpenForm] = useState<'name' | 'delete' | null>(null)
  const create = useWrite(savedItemEndpoints.createSavedItem)
  const update = useWrite(savedItemEndpoints.updateSavedItem)
  const remove = useWrite(savedItemEndpoints.deleteSavedItem)
  const { sets, selected } = inputSets
  const problem = create.error?.problem ?? update.error?.problem ?? remove.error?.problem
  const isChanged = selected !== undefined && !isSameInputSet(current, toInputSet(selected.value))
  const use = (id: string) => {
    const one = sets.find((other) => other.id === id)
    set({ set: id || null }, { replace: true })
    if (one) onUse(toInputSet(one.value))
  }
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    if (name === '') return
    create.mutate(
      { body: { kind: 'input_set', workspace, about: app, name, value: current } },
      {
        onSuccess: ({ id }) => {
          setOpenForm(null)
          set({ set: id }, { replace: true })
        },
      },
    )
  }
  const deleteSet = (id: string) =>
    remove.mutate(
      { params: { saved_item_id: id } },
      {
        onSuccess: () => {
          setOpenForm(null)
          set({ set: null }, { replace: true })
        },
      },
    )
  return (
    <Flex component="section" direction="column" flex="none" gap="xs" px="lg" py={4} aria-label={t('sets')}>
      <Group gap="xs">
        {sets.length > 0 ? (
          <NativeSelect
            flex={1}
            miw={120}
            aria-label={t('sets')}
            value={selected?.id ?? ''}
            onChange={(event) => use(event.currentTarget.value)}
            data={[{ value: '', label: t('noSet') }, ...sets.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        ) : null}
        {isChanged ? (
          <Button
            variant="default"
            loading={update.isPending}
            onClick={() => update.mutate({ params: { saved_item_id: selected.id }, body: { value: current } })}
          >
            {t('saveChanges')}
          </Button>
        ) : null}
        {selected ? (
          <>
            <CopyButton value={getLink(selected.id)} timeout={1500}>
              {({ copied, copy }) => (
                <Tooltip label={t(copied ? 'copied' : 'copyLink')}>
                  <ActionIcon aria-label={t('copyLink')} onClick={copy}>
                    {copied ? <IconCheck size={15} /> : <IconLink size={15} />}
                  </ActionIcon>
                </Tooltip>
              )}
            </CopyButton>
            <Tooltip label={t('deleteSet')}>
              <ActionIcon aria-label={t('deleteSet')} onClick={() => setOpenForm('delete')}>
                <IconTrash size={15} />
              </ActionIcon>
            </Tooltip>
          </>
        ) : null}
        {openForm === 'name' ? null : (
          <Button
            // Its words begin where the fields below begin.
            ms={sets.length === 0 ? -14 : undefined}
            variant="subtle"
            color="gray"
            onClick={() => setOpenForm('name')}
          >
            {t('saveSet')}
          </Button>
        )}
      </Group>
      {openForm === 'name' ? (
        <SaveInputSetForm isSaving={create.isPending} onSubmit={save} onCancel={() => setOpenForm(null)} />
      ) : null}
      {openForm === 'delete' && selected ? (
        <DeleteInputSet
          name={selected.name}
          isDeleting={remove.isPending}
          onDelete={() => deleteSet(selected.id)}
          onCancel={() => setOpenForm(null)}
        />
      ) : null}
      {inputSets.isMissing ? (
        <Text c="dimmed" fz="sm">
          {t('savedInputsGone')}
        </Text>
      ) : null}
      {inputSets.problem ? (
        <ProblemAlert problem={inputSets.problem} action={t('setsWhat')} onRetry={inputSets.retry} />
      ) : null}
      {problem ? <ProblemAlert problem={problem} action={t('setWhat')} /> : null}
    </Flex>
  )
}

interface SaveInputSetFormProps {
  isSaving: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onCancel: () => void
}

function SaveInputSetForm({ isSaving, onSubmit, onCancel }: SaveInputSetFormProps) {
  const t = useMessages(inputsPlaygroundMessages)
  return (
    <form onSubmit={onSubmit}>
      <Group gap="xs">
        <TextInput
          flex={1}
          miw={120}
          name="name"
          aria-label={t('setName')}
          placeholder={t('setName')}
          maxLength={120}
          autoComplete="off"
          autoFocus
        />
        <Button type="submit" variant="default" loading={isSaving}>
          {t('save')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </Group>
    </form>
  )
}

interface DeleteInputSetProps {
  name: string
  isDeleting: boolean
  onDelete: () => void
  onCancel: () => void
}

function DeleteInputSet({ name, isDeleting, onDelete, onCancel }: DeleteInputSetProps) {
  const t = useMessages(inputsPlaygroundMessages)
  return (
    <Group gap="xs" role="group" aria-label={t('deleteSet')}>
      <Text c="dimmed" fz="sm">
        {t('deleteWhat', { name })}
      </Text>
      <Button variant="default" loading={isDeleting} onClick={onDelete}>
        {t('delete')}
      </Button>
      <Button variant="subtle" color="gray" onClick={onCancel}>
        {t('cancel')}
      </Button>
    </Group>
  )
}
