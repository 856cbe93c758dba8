import { ActionIcon, NativeSelect, Popover, Text } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import { type Tag, optionalTagEndpoints } from '#contract/platform/optionalTags.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { usePermission } from '../../../client/usePermission.ts'
import type { DatasetRecord } from '../useDataset.ts'
import { tagMessages } from './messages.ts'
import { TagEditor } from './TagEditor.tsx'
import classes from './Tags.module.css'
import { useDeleteDialog } from '../../../components/overlays/useDeleteDialog.ts'
import { useWrite, useRead } from '../../../client/query.ts'

export interface DatasetTagsProps {
  dataset_id: string
  /** Of the dataset, for labels. */
  name: string
  record: DatasetRecord | null
  knowledge: Key
  /** The id of the tag by which a list is filtered. */
  current?: string | undefined
  onFilter?: (tag_id: string) => void
}

/** The tags of a dataset as chips, and a button that opens their editor in place. */
export function DatasetTags({ dataset_id, name, record, knowledge, current, onFilter }: DatasetTagsProps) {
  const t = useMessages(tagMessages)
  const canEdit = usePermission()(optionalTagEndpoints.bindTags)
  const [isOpen, setOpen] = useState(false)
  const openDelete = useDeleteDialog()
  const remove = useWrite(optionalTagEndpoints.deleteTag)
  const askDelete = (tag: Tag) => {
    const n = Number(tag.binding_count ?? 0)
    setOpen(false)
    openDelete({
      title: t('deleteQuestion', { tag: tag.name }),
      lost: [t('deleteLost', { n })],
      kept: [t('deleteKept')],
      confirmLabel: t('deleteDo', { n }),
      cancelLabel: t('keep'),
      action: t('deleteWhat'),
      run: () => remove.mutateAsync({ key: knowledge.id, body: { tag_id: tag.id } }),
    })
  }
  const tags = (record?.tags ?? []).flatMap(({ id, name: tag }) => (id && tag ? [{ id, name: tag }] : []))
  return (
    <span className={classes.tags} role="group" aria-label={t('tagsOf', { name })}>
      {tags.map((tag) =>
        onFilter ? (
          <button
            key={tag.id}
            type="button"
            className={classes.chip}
            aria-pressed={tag.id === current}
            title={t('filterBy', { tag: tag.name })}
            onClick={() => onFilter(tag.id)}
          >
            {tag.name}
          </button>
        ) : (
          <span key={tag.id} className={classes.chip}>
            {tag.name}
          </span>
        ),
      )}
      {tags.length === 0 && !onFilter ? (
        <Text span inherit c="var(--text-3)">
          {t('noTags')}
        </Text>
      ) : null}
      {canEdit ? (
        <Popover opened={isOpen} onChange={setOpen} width={300} position="bottom-end" shadow="md" trapFocus returnFocus>
          <Popover.Target>
            <ActionIcon
              size={24}
              aria-label={t('editTags', { name })}
              title={t('editTags', { name })}
              onClick={() => setOpen(!isOpen)}
            >
              <IconTag size={15} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <TagEditor
              dataset_id={dataset_id}
              keyId={knowledge.id}
              boundIds={tags.map(({ id }) => id)}
              onDelete={askDelete}
            />
          </Popover.Dropdown>
        </Popover>
      ) : null}
    </span>
  )
}

interface TagFilterProps {
  keyId: string
  /** The id of the chosen tag; undefined for none. */
  value: string | undefined
  onChange: (tag_id: string | null) => void
}

/** Filters a list of datasets by one tag. */
export function TagFilter({ keyId, value, onChange }: TagFilterProps) {
  const t = useMessages(tagMessages)
  const { data = [] } = useRead(optionalTagEndpoints.listTags, { key: keyId })
  if (data.length === 0 && !value) return null
  return (
    <NativeSelect
      aria-label={t('filter')}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || null)}
      data={[
        { value: '', label: t('anyTag') },
        // A tag of the URL that is not listed, as after its deletion, is shown all the same.
        ...(value && !data.some(({ id }) => id === value) ? [{ value, label: value.slice(0, 8) }] : []),
        ...data.map(({ id, name, binding_count }) => ({ value: id, label: `${name} (${Number(binding_count ?? 0)})` })),
      ]}
    />
  )
}
