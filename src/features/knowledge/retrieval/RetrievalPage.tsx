import { Button, NativeSelect } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { getRequiredAccess } from '#contract/permissions.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { optionalDatasetEndpoints } from '#contract/platform/optionalDatasets.ts'
import { paths } from '#domain/paths.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { NoKnowledgeKey } from '../NoKnowledgeKey.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { useDataset } from '../useDataset.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { searchDataset, searchThroughApp } from './retrievalSearch.ts'
import { retrievalMessages } from './messages.ts'
import classes from './Retrieval.module.css'
import { MetadataConditions } from '../metadata/MetadataConditions.tsx'
import { useMetadataConditions } from '../metadata/metadataConditions.ts'
import { ProbeInputs } from './ProbeInputs.tsx'
import { RetrievalTest } from './RetrievalTest.tsx'
import { useRetrievalProbe } from './useRetrievalProbe.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { DatasetSuites } from './DatasetSuites.tsx'
import { useRetrievalDialect } from '../datasets/useRetrievalDialect.ts'

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
      breadcrumbs={
        <>
          <Link to={paths.datasets(inWorkspace)}>{t('datasets')}</Link>
          <span aria-hidden="true">/</span>
          <Link to={paths.dataset(dataset_id, inWorkspace)}>{dataset.name ?? dataset_id.slice(0, 8)}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      titleSuffix={<IdChip id={dataset_id} />}
    >
      {problem ? <ProblemAlert problem={problem} onRetry={retry} /> : null}
      {!canSearch && session.data && workspace ? (
        <div className={classes.page}>
          <PermissionNote {...getRequiredAccess(optionalDatasetEndpoints.retrieve)} />
          <DatasetSuites
            dataset_id={dataset_id}
            workspace={workspace.id}
            runWith={null}
            pendingCase={null}
            onAdded={() => undefined}
          />
        </div>
      ) : search && workspace && (direct === null || dataset.isKnown) ? (
        <>
          {direct === null ? (
            <section className={classes.probe} aria-label={t('probe')}>
              <NativeSelect
                label={t('app')}
                value={key ?? ''}
                data={getKeys('chat').map(({ id, label }) => ({ value: id, label }))}
                onChange={(event) => url.set({ app: event.currentTarget.value })}
              />
              <p>
                <b>{t('noOffer')}</b> {t('probeText')}
              </p>
              <ProbeInputs probe={probe} />
            </section>
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
            missingFields={probe.lacks}
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
