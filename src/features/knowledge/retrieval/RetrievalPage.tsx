import { Box, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { getRequiredAccess } from '#contract/permissions.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { optionalDatasetEndpoints } from '#contract/platform/optionalDatasets.ts'
import { paths } from '#domain/paths.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { DatasetBreadcrumbs } from '../DatasetBreadcrumbs.tsx'
import { NoKnowledgeKey } from '../NoKnowledgeKey.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { useDataset } from '../useDataset.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { searchDataset, searchThroughApp } from './retrievalSearch.ts'
import { retrievalMessages } from './messages.ts'
import { MetadataConditions } from '../metadata/MetadataConditions.tsx'
import { useMetadataConditions } from '../metadata/metadataConditions.ts'
import { RetrievalTest } from './RetrievalTest.tsx'
import { usePermission } from '../../../client/usePermission.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { DatasetSuites } from './DatasetSuites.tsx'
import { useRetrievalDialect } from '../datasets/useRetrievalDialect.ts'
import { InputsForm } from '../../runs/inputs/InputsForm.tsx'
import { useSessionStorage } from '@mantine/hooks'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { toInputFields, type FormValues, parseInputs } from '../../runs/inputs/inputFields.ts'

/** Tests retrieval on a dataset, if the platform supports it; otherwise through a chat app, and the page says so. */
export function RetrievalPage() {
  const t = useMessages(retrievalMessages)
  const { dataset_id = '' } = useParams()
  const url = useSearchParamState()
  const { workspace, findKey, getKeys, problem, retry, isLoading } = useWorkspace()
  const knowledge = findKey('knowledge')
  const direct = knowledge?.offers.includes('retrieve') ? knowledge.id : null
  const app = findKey('chat') ?? null
  const session = useRead(accessEndpoints.session, {})
  const user = session.data?.person.default_user
  const dataset = useDataset(dataset_id, workspace?.id, knowledge)
  const can = usePermission()
  const canSearch = can(optionalDatasetEndpoints.retrieve)
  const probe = useRetrievalProbe(direct === null ? app : null, user)
  const metadata = useMetadataConditions(dataset_id, direct === null ? undefined : knowledge)
  const key = app?.id
  const search =
    direct !== null
      ? searchDataset(direct, dataset_id, dataset.record, metadata.filter)
      : key !== undefined && user
        ? searchThroughApp({ key, user, inputs: probe.inputs })
        : null
  const dialect = useRetrievalDialect(workspace?.id ?? '', dataset.record?.retrieval_model_dict)
  const inWorkspace = workspace ? { workspace: workspace.id } : {}
  return (
    <Page
      title={t('title')}
      breadcrumbs={<DatasetBreadcrumbs dataset_id={dataset_id} name={dataset.name} inWorkspace={inWorkspace} />}
      titleSuffix={<IdChip id={dataset_id} />}
    >
      {problem ? <ProblemAlert problem={problem} onRetry={retry} /> : null}
      {!canSearch && session.data && workspace ? (
        <Stack p="lg" gap="lg">
          <PermissionNote {...getRequiredAccess(optionalDatasetEndpoints.retrieve)} />
          <DatasetSuites
            dataset_id={dataset_id}
            workspace={workspace.id}
            runWith={null}
            pendingCase={null}
            onAdded={() => undefined}
          />
        </Stack>
      ) : search && workspace && (direct === null || dataset.isKnown) ? (
        <>
          {direct === null ? (
            <Group
              component="section"
              aria-label={t('probe')}
              align="end"
              bg="var(--canvas)"
              fz={13}
              px="lg"
              py="md"
              style={{ borderBottom: '1px solid var(--line)' }}
            >
              <NativeSelect
                label={t('app')}
                value={key ?? ''}
                data={getKeys('chat').map(({ id, label }) => ({ value: id, label }))}
                onChange={(event) => url.set({ app: event.currentTarget.value })}
              />
              <Text flex="1 1 320px" maw="90ch" fz={13} c="dimmed">
                <Text span inherit fw={600} c="var(--text)">
                  {t('noOffer')}
                </Text>{' '}
                {t('probeText')}
              </Text>
              <ProbeInputs probe={probe} />
            </Group>
          ) : null}
          {metadata.fields.length > 0 ? (
            <MetadataConditions
              fields={metadata.fields}
              conditions={metadata.conditions}
              isAny={metadata.isAny}
              onChange={metadata.onChange}
            />
          ) : null}
          <RetrievalTest
            key={`${dataset_id}${direct ?? key}`}
            dataset_id={dataset_id}
            search={search}
            missingFields={probe.missingFields}
            searched={
              direct === null || !knowledge
                ? null
                : {
                    keyId: knowledge.id,
                    record: dataset.record,
                    isBuiltIn: workspace.builtin,
                    canListModels: knowledge.offers.includes('listModels'),
                    canEditSegments: knowledge.offers.includes('updateSegment'),
                    dialect,
                  }
            }
            workspace={workspace.id}
            app={direct === null && key !== undefined ? { key, user, inputs: probe.inputs } : null}
            scope={JSON.stringify([
              dataset_id,
              direct ?? key,
              direct === null ? probe.inputs : (metadata.filter ?? null),
            ])}
          />
        </>
      ) : isLoading || session.isPending || problem || !workspace ? null : (
        <NoKnowledgeKey
          workspace={workspace}
          title={t('noOffer')}
          actions={
            <Button component={Link} to={paths.chat(inWorkspace)}>
              {t('toChat')}
            </Button>
          }
        >
          {t('noAppText')}
        </NoKnowledgeKey>
      )}
    </Page>
  )
}

/** The inputs of the tested app in addition to the question; nothing if it has none. */
function ProbeInputs({ probe: { read, inputProps } }: { probe: ReturnType<typeof useRetrievalProbe> }) {
  const t = useMessages(retrievalMessages)
  if (!read.error && inputProps.fields.length === 0) return null
  return (
    <Box flex="1 1 100%" maw={820}>
      <ReadBoundary
        read={read}
        action={t('parametersWhat')}
        loading={null}
        problemActions={<span>{t('parametersUnknown')}</span>}
      >
        {() => (
          <Box maw={560} role="group" aria-label={t('probeInputs')}>
            <InputsForm {...inputProps} />
          </Box>
        )}
      </ReadBoundary>
    </Box>
  )
}

/** A chat app that replaces the search, with its inputs; null without one. */
function useRetrievalProbe(app: Key | null, user: string | undefined) {
  const read = useRead(appParameterEndpoints.parameters, { key: app?.id }, { enabled: app !== null })
  const [values, onChange] = useSessionStorage<FormValues>({ key: `loupe.probe.${app?.id}`, defaultValue: {} })
  const fields = toInputFields(read.data)
  const { inputs, errors } = parseInputs(fields, values)
  const isTouched = ([name]: [string, unknown]) => name === '' || values[name] !== undefined
  return {
    read,
    inputs,
    /** The inputs without which the app refuses every question. */
    missingFields: Object.keys(errors).map((name) => fields.find(({ variable }) => variable === name)?.label || name),
    inputProps: {
      fields,
      values,
      onChange,
      /** Untouched required fields are only counted in `missingFields`. */
      errors: Object.fromEntries(Object.entries(errors).filter(isTouched)),
      upload: app?.offers.includes('uploadFile') && user ? { key: app.id, user } : null,
    },
  }
}
