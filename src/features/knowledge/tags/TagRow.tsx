import { ActionIcon, Checkbox, TextInput } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type Tag, optionalTagEndpoints } from '#contract/platform/optionalTags.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { tagMessages } from './messages.ts'
import classes from './Tags.module.css'

export interface TagRowProps {
  tag: Tag
  keyId: string
  isBound: boolean
  onToggle: (isOn: boolean) => void
  onDelete: () => void
}

/** A tag to choose, with its new name while it is renamed: Enter saves, Escape leaves it as it is. */
export function TagRow({ tag, keyId, isBound, onToggle, onDelete }: TagRowProps) {
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
      <li>
        <TextInput
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
      </li>
    )
  return (
    <li>
      <Checkbox label={tag.name} checked={isBound} onChange={(event) => onToggle(event.currentTarget.checked)} />
      <span className={classes.usage}>{t('usedBy', { n: Number(tag.binding_count ?? 0) })}</span>
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
    </li>
  )
}
