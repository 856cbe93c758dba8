import { Button, Group, Menu, Text, TextInput } from '@mantine/core'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { Can } from '../../../client/Can.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { callListMessages } from './messages.ts'

/** What a saved view holds: the screen, and its URL parameters without the workspace. */
const SavedView = z.object({ path: z.enum(['/runs', '/ledger']), search: z.string().max(4000) })

/** The views that people saved in this workspace, and the one on the screen to be saved. */
export function SavedViews({ workspace, path, search }: { workspace: string; path: string; search: string }) {
  const t = useMessages(callListMessages)
  const [isNaming, setNaming] = useState(false)
  const list = useRead(savedItemEndpoints.listSavedItems, { query: { kind: 'call_view', workspace } })
  const remove = useWrite(savedItemEndpoints.deleteSavedItem)
  const views = (list.data?.data ?? []).flatMap(({ id, name, person, value }) => {
    const view = SavedView.safeParse(value)
    return view.success ? [{ id, name, person, ...view.data }] : []
  })
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={14} />}>
            {views.find((view) => view.path === path && view.search === search)?.name ?? t('views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{views.length === 0 ? t('noViews') : t('savedViews')}</Menu.Label>
          {views.map((view) => (
            <Group key={view.id} gap={0} wrap="nowrap">
              <Menu.Item
                component={Link}
                to={`${view.path}?${new URLSearchParams([['workspace', workspace], ...new URLSearchParams(view.search)]).toString()}`}
              >
                {view.name}
                {view.person ? (
                  <Text span size="xs" c="var(--text-3)">
                    {' '}
                    {view.person}
                  </Text>
                ) : null}
              </Menu.Item>
              <Can entry={savedItemEndpoints.deleteSavedItem}>
                <Menu.Item
                  w="auto"
                  aria-label={t('deleteView', { name: view.name })}
                  closeMenuOnClick={false}
                  onClick={() => remove.mutate({ params: { saved_item_id: view.id } })}
                >
                  <IconTrash size={14} />
                </Menu.Item>
              </Can>
            </Group>
          ))}
          {remove.error ? <ProblemAlert problem={remove.error.problem} action={t('deleteViewWhat')} /> : null}
          {list.error ? <ProblemAlert problem={list.error.problem} action={t('listViewsWhat')} /> : null}
          <Can entry={savedItemEndpoints.createSavedItem}>
            <Menu.Divider />
            <Menu.Item onClick={() => setNaming(true)}>{t('saveView')}…</Menu.Item>
          </Can>
        </Menu.Dropdown>
      </Menu>
      {isNaming ? <NameView workspace={workspace} value={{ path, search }} onClose={() => setNaming(false)} /> : null}
    </>
  )
}

interface NameViewProps {
  workspace: string
  value: { path: string; search: string }
  onClose: () => void
}

function NameView({ workspace, value, onClose }: NameViewProps) {
  const t = useMessages(callListMessages)
  const create = useWrite(savedItemEndpoints.createSavedItem)
  const form = useContractForm({
    schema: savedItemEndpoints.createSavedItem.body,
    initialValues: { name: '' },
    toBody: ({ name }) => ({ kind: 'call_view', workspace, name: name.trim(), value }),
    send: (body) => create.mutateAsync({ body }),
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title={t('saveView')} submitLabel={t('save')} action={t('viewWhat')} onClose={onClose}>
      <TextInput
        {...form.field('name')}
        label={t('viewName')}
        description={t('viewShared')}
        maxLength={120}
        data-autofocus
      />
    </FormDialog>
  )
}
