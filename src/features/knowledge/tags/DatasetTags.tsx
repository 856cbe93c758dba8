import { ActionIcon, Popover } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import { type Tag, optionalTagEndpoints } from '#contract/platform/optionalTags.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { usePermission } from '../../../client/usePermission.ts'
import type { DatasetRecord } from '../useDataset.ts'
import { DeleteTag } from './DeleteTag.tsx'
import { tagMessages } from './messages.ts'
import { TagEditor } from './TagEditor.tsx'
import classes from './Tags.module.css'

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
  const [deleted, setDeleted] = useState<Tag | null>(null)
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
          <span key={tag.id} className={classes.chip} style={{ cursor: 'default' }}>
            {tag.name}
          </span>
        ),
      )}
      {tags.length === 0 && !onFilter ? <span className={classes.missing}>{t('noTags')}</span> : null}
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
              onDelete={(tag) => {
                setOpen(false)
                setDeleted(tag)
              }}
            />
          </Popover.Dropdown>
        </Popover>
      ) : null}
      {deleted ? <DeleteTag tag={deleted} keyId={knowledge.id} onClose={() => setDeleted(null)} /> : null}
    </span>
  )
}
