import { ActionIcon, Box, Button, Checkbox, Group, Loader, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconPencil, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { type Tag, optionalTagEndpoints } from '#contract/platform/optionalTags.ts'
import { isSameText } from '#domain/samenessKey.ts'
import { toSearchKey } from '#domain/searchKey.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { tagMessages } from './messages.ts'

export interface TagEditorProps {
  dataset_id: string
  keyId: string
  /** The ids of the tags that the dataset has. */
  boundIds: readonly string[]
  onDelete: (tag: Tag) => void
}

/** Chooses the tags of a dataset, and creates, renames and deletes tags. */
export function TagEditor({ dataset_id, keyId, boundIds, onDelete }: TagEditorProps) {
  const t = useMessages(tagMessages)
  const tags = useRead(optionalTagEndpoints.listTags, { key: keyId })
  const create = useWrite(optionalTagEndpoints.createTag)
  const bind = useWrite(optionalTagEndpoints.bindTags)
  const unbind = useWrite(optionalTagEndpoints.unbindTags)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  /** Tags whose reply is awaited, and whether they were chosen or taken off. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const name = text.trim()
  const found = (tags.data ?? []).filter((tag) => toSearchKey(tag.name).includes(toSearchKey(name)))
  const isNew = name !== '' && tags.data !== undefined && !tags.data.some((tag) => isSameText(tag.name, name))
  const problem = (create.error ?? bind.error ?? unbind.error)?.problem

  /** The choice shows at once; the reply then decides. */
  const toggle = async (tag_id: string, isOn: boolean): Promise<void> => {
    if (chosen.has(tag_id)) return
    setChosen((all) => new Map(all).set(tag_id, isOn))
    const body = { tag_ids: [tag_id], target_id: dataset_id }
    try {
      // Releases up to 1.12 take one tag off at a time, by another field.
      await (isOn
        ? bind.mutateAsync({ key: keyId, body })
        : unbind.mutateAsync({ key: keyId, body: { ...body, tag_id } }))
      if (isOn) setText('')
    } catch {
      // The problem of the mutation is shown below.
    }
    setChosen((all) => new Map([...all].filter(([id]) => id !== tag_id)))
  }
  const createTag = () => {
    // The button goes with its tag; the keyboard stays in the editor.
    input.current?.focus()
    create.mutate({ key: keyId, body: { name } }, { onSuccess: ({ id }) => void toggle(id, true) })
  }
  return (
    <Stack gap="sm">
      <TextInput
        ref={input}
        label={t('find')}
        value={text}
        maxLength={50}
        data-autofocus
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (isNew) createTag()
          else if (found[0] && found.length === 1) void toggle(found[0].id, !boundIds.includes(found[0].id))
        }}
      />
      <ReadBoundary
        read={tags}
        action={t('listWhat')}
        loading={<Loader size="xs" />}
        isEmpty={() => found.length === 0}
        empty={
          <Text fz="sm" c="dimmed">
            {t(name ? 'noMatch' : 'none')}
          </Text>
        }
      >
        {() => (
          <Box component="ul" mah={260} style={{ overflowY: 'auto', overflowWrap: 'anywhere' }} aria-label={t('tags')}>
            {found.map((tag) => (
              <TagRow
                key={tag.id}
                tag={tag}
                keyId={keyId}
                isBound={chosen.get(tag.id) ?? boundIds.includes(tag.id)}
                onToggle={(isOn) => void toggle(tag.id, isOn)}
                onDelete={() => onDelete(tag)}
              />
            ))}
          </Box>
        )}
      </ReadBoundary>
      {isNew ? (
        <Button
          variant="default"
          leftSection={<IconPlus size={14} />}
          loading={create.isPending || bind.isPending}
          onClick={createTag}
        >
          {t('create', { tag: name })}
        </Button>
      ) : null}
      {problem ? <ProblemAlert problem={problem} action={t('changeWhat')} isInForm /> : null}
    </Stack>
  )
}

interface TagRowProps {
  tag: Tag
  keyId: string
  isBound: boolean
  onToggle: (isOn: boolean) => void
  onDelete: () => void
}

/** A tag to choose, or its new name while it is renamed: Enter saves, Escape cancels. */
function TagRow({ tag, keyId, isBound, onToggle, onDelete }: TagRowProps) {
  const t = useMessages(tagMessages)
  const rename = useWrite(optionalTagEndpoints.updateTag)
  const [newName, setNewName] = useState<string | null>(null)
  const close = () => {
    setNewName(null)
    rename.reset()
  }
  const save = () => {
    const name = newName?.trim() ?? ''
    if (name === '' || name === tag.name) return close()
    rename.mutate({ key: keyId, body: { tag_id: tag.id, name } }, { onSuccess: close })
  }
  if (newName !== null)
    return (
      <Group component="li" mih={34}>
        <TextInput
          flex={1}
          aria-label={t('newName', { tag: tag.name })}
          value={newName}
          maxLength={50}
          autoFocus
          disabled={rename.isPending}
          error={rename.error?.problem.message}
          onChange={(event) => setNewName(event.currentTarget.value)}
          onBlur={() => (rename.isPending ? undefined : save())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save()
            if (event.key !== 'Escape') return
            event.stopPropagation()
            close()
          }}
        />
      </Group>
    )
  return (
    <Group component="li" wrap="nowrap" gap={4} mih={34}>
      <Checkbox
        flex={1}
        miw={0}
        label={tag.name}
        checked={isBound}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      <Text span fz="xs" c="var(--text-3)" style={{ whiteSpace: 'nowrap' }}>
        {t('usedBy', { n: Number(tag.binding_count ?? 0) })}
      </Text>
      <ActionIcon
        size={24}
        aria-label={t('renameTag', { tag: tag.name })}
        title={t('rename')}
        onClick={() => setNewName(tag.name)}
      >
        <IconPencil size={14} />
      </ActionIcon>
      <ActionIcon size={24} aria-label={t('deleteTag', { tag: tag.name })} title={t('delete')} onClick={onDelete}>
        <IconTrash size={14} />
      </ActionIcon>
    </Group>
  )
}
