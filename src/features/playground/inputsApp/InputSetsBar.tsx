import { ActionIcon, Button, CopyButton, Flex, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconCheck, IconLink, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type SavedItem, savedItemEndpoints } from '#contract/console/savedItems.ts'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useDeleteDialog } from '../../../components/overlays/useDeleteDialog.ts'
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
  const [isNaming, setNaming] = useState(false)
  const openDelete = useDeleteDialog()
  const update = useWrite(savedItemEndpoints.updateSavedItem)
  const remove = useWrite(savedItemEndpoints.deleteSavedItem, {
    onDone: () => set({ set: null }, { replace: true }),
  })
  const { sets, selected } = inputSets
  const problem = update.error?.problem
  const isChanged = selected !== undefined && !isSameInputSet(current, toInputSet(selected.value))
  const use = (id: string) => {
    const one = sets.find((other) => other.id === id)
    set({ set: id || null }, { replace: true })
    if (one) onUse(toInputSet(one.value))
  }
  const askDelete = ({ id, name }: SavedItem) =>
    openDelete({
      title: t('deleteTitle', { name }),
      lost: [t('deleteLost')],
      kept: [t('deleteKept')],
      confirmLabel: t('deleteSet'),
      cancelLabel: t('cancel'),
      action: t('setWhat'),
      run: () => remove.mutateAsync({ params: { saved_item_id: id } }),
    })
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
              <ActionIcon aria-label={t('deleteSet')} onClick={() => askDelete(selected)}>
                <IconTrash size={15} />
              </ActionIcon>
            </Tooltip>
          </>
        ) : null}
        {isNaming ? null : (
          <Button
            // Its words begin where the fields below begin.
            ms={sets.length === 0 ? -14 : undefined}
            variant="subtle"
            color="gray"
            onClick={() => setNaming(true)}
          >
            {t('saveSet')}
          </Button>
        )}
      </Group>
      {isNaming ? (
        <SaveInputSetForm
          workspace={workspace}
          app={app}
          current={current}
          onSaved={({ id }) => {
            setNaming(false)
            set({ set: id }, { replace: true })
          }}
          onCancel={() => setNaming(false)}
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

interface SaveInputSetFormProps extends Pick<InputSetsBarProps, 'workspace' | 'app' | 'current'> {
  onSaved: (saved: SavedItem) => void
  onCancel: () => void
}

function SaveInputSetForm({ workspace, app, current, onSaved, onCancel }: SaveInputSetFormProps) {
  const t = useMessages(inputsPlaygroundMessages)
  const create = useWrite(savedItemEndpoints.createSavedItem)
  const form = useContractForm({
    schema: savedItemEndpoints.createSavedItem.body,
    initialValues: { name: '' },
    toBody: ({ name }) => ({ kind: 'input_set', workspace, about: app, name: name.trim(), value: current }),
    send: (body) => create.mutateAsync({ body }),
    onDone: onSaved,
  })
  return (
    <InlineForm form={form} layout="row" submitLabel={t('save')} action={t('setWhat')} onCancel={onCancel}>
      <TextInput
        {...form.field('name')}
        label={undefined}
        flex={1}
        miw={120}
        aria-label={t('setName')}
        placeholder={t('setName')}
        maxLength={120}
        autoComplete="off"
        autoFocus
      />
    </InlineForm>
  )
}
