import { NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { paths } from '#domain/paths.ts'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { ChunkLab, defaultLabSettings, type LabSettings } from './ChunkLab.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { chunkLabMessages } from './messages.ts'
import type { ChunkSettingDraft } from './chunkSettingDraft.ts'
import { LAB_TEXT_KEY } from './labText.ts'
import { parseSettingParam, toSettingParam } from './chunkSettingParam.ts'

const MAX_LISTED_DATASETS = 100

/**
 * The chunk lab as a page: a text or a file, before there is a document. The settings are in the URL (`?a=&b=`), the
 * text stays in the tab; a setting can be used for a new document of a dataset (`?dataset=`).
 */
export function ChunkLabPage() {
  const t = useMessages(chunkLabMessages)
  const url = useSearchParamState()
  const navigate = useNavigate()
  const can = usePermission()
  const { workspace } = useWorkspace()
  const [text, setText] = useSessionStorage({
    key: LAB_TEXT_KEY,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const [file, setFile] = useState<File | null>(null)
  const datasets = useRead(
    resourceEndpoints.listResources,
    { query: { kind: 'dataset', workspace: workspace?.id, limit: MAX_LISTED_DATASETS } },
    { enabled: workspace !== undefined },
  )
  const known = datasets.data?.data ?? []
  const dataset = known.find(({ id }) => id === url.get('dataset')) ?? known[0]
  // Typed into this state: the URL follows a moment later, and a field must not wait for it.
  const [settings, setSettings] = useState<LabSettings>(() => ({
    first: parseSettingParam(url.get('a')) ?? defaultLabSettings.first,
    second: parseSettingParam(url.get('b')),
  }))
  const keep = (next: LabSettings) => {
    setSettings(next)
    url.set({ a: toSettingParam(next.first), b: next.second && toSettingParam(next.second) }, { replace: true })
  }
  const target = dataset && can(documentEndpoints.createByText) ? dataset : null
  const takeOver =
    target &&
    ((setting: ChunkSettingDraft) =>
      void navigate(
        paths.dataset(target.id, {
          ...(workspace ? { workspace: workspace.id } : {}),
          add: file ? 'file' : 'text',
          setting: toSettingParam(setting),
        }),
      ))
  return (
    <Page title={t('chunkLab')}>
      <Stack gap="md" p="lg">
        {file ? (
          <Text fz="sm" c="dimmed">
            {t('foldedText')}
          </Text>
        ) : (
          <Textarea
            label={t('text')}
            value={text}
            rows={6}
            spellCheck={false}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {target ? (
          <NativeSelect
            maw={420}
            label={t('takeOverTo')}
            description={t('takeOverHelp')}
            value={target.id}
            onChange={(event) => url.set({ dataset: event.currentTarget.value }, { replace: true })}
            data={known.map(({ id, label }) => ({ value: id, label: label ?? id.slice(0, 8) }))}
          />
        ) : null}
        <ChunkLab
          text={text}
          settings={settings}
          onSettings={keep}
          onFile={setFile}
          {...(takeOver ? { onTakeOver: takeOver } : {})}
        />
      </Stack>
    </Page>
  )
}
