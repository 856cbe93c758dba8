import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Key } from '#contract/console.ts'
import type { DocumentRecord } from '#contract/records.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { documentsWords } from './messages.ts'
import { May } from '../../wire/May.tsx'

export interface RowMenuProps {
  document: DocumentRecord
  dataset_id: string
  knowledge: Key
  onUpdate: (by: 'text' | 'file') => void
  onDelete: () => void
  onExport: () => void
  onProblem: (problem: Problem) => void
}

/** What can be done to one document; what the platform does not offer is not there. */
export function RowMenu({ document, dataset_id, knowledge, onUpdate, onDelete, onExport, onProblem }: RowMenuProps) {
  const t = useWords(documentsWords)
  const status = useWrite(contract.adjacent.setDocumentStatus)
  const name = document.name ?? document.id.slice(0, 8)
  const set = (action: 'enable' | 'disable') =>
    status.mutate(
      { key: knowledge.id, params: { dataset_id, action }, body: { document_ids: [document.id] } },
      { onError: ({ problem }) => onProblem(problem) },
    )
  const offers = (entry: string) => knowledge.offers.includes(entry)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={24} aria-label={t('more', { name })} title={t('more', { name })} loading={status.isPending}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <May entry={contract.documents.updateByText}>
          <Menu.Item onClick={() => onUpdate('text')}>{t('updateByText')}</Menu.Item>
        </May>
        <May entry={contract.documents.updateByFile}>
          <Menu.Item onClick={() => onUpdate('file')}>{t('updateByFile')}</Menu.Item>
        </May>
        <Menu.Item onClick={onExport}>{t('exportChunks')}</Menu.Item>
        {offers('setDocumentStatus') ? (
          <Menu.Item onClick={() => set(document.enabled === false ? 'enable' : 'disable')}>
            {t(document.enabled === false ? 'enable' : 'disable')}
          </Menu.Item>
        ) : null}
        {offers('deleteDocument') ? <Menu.Item onClick={onDelete}>{t('delete')}</Menu.Item> : null}
      </Menu.Dropdown>
    </Menu>
  )
}
