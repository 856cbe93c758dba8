import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { type ReactNode, useState } from 'react'
import { Id, type Endpoint, getPathParamNames } from '#contract/endpoint.ts'
import { type IdLookupResult, idLookupEndpoints, resourceEndpoints } from '#contract/console/resources.ts'
import { getResourcePath, paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../components/layout/ReadBoundary.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { ledgerMessages } from './messages.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { Can } from '../../client/Can.tsx'

/** An id is one word with a digit in it; a shorter text matches too many resources. */
const ID_PATTERN = /^(?=.*\d)[\w.-]{8,255}$/

/** What the id in the search field refers to, when it was first and last seen, and a link. Empty for other text. */
export function IdLookupNote({ text, onFilter }: { text: string; onFilter: (id: string) => void }) {
  const t = useMessages(ledgerMessages)
  const { workspaces } = useWorkspace()
  const isId = Id.safeParse(text).success
  const read = useRead(idLookupEndpoints.lookupId, { query: { id: text } }, { enabled: ID_PATTERN.test(text) })
  const id = isId ? text.toLowerCase() : text
  return (
    <ReadBoundary read={read} action={t('identifyWhat')} loading={null}>
      {({ data: results }) =>
        !ID_PATTERN.test(text) ? null : results.length > 0 ? (
          <Identity>
            <Stack component="ul" gap="xs">
              {results.map((one) => (
                <Group component="li" key={`${one.workspace} ${one.kind}`} gap="4px 8px">
                  <span>
                    {t.rich(one.label ? 'resourceIs' : 'resourceUnnamed', {
                      b: (words) => <b>{words}</b>,
                      kind: one.kind.replace('_', ' '),
                      label: one.label ?? '',
                      workspace: workspaces.find(({ id }) => id === one.workspace)?.name ?? one.workspace.slice(0, 8),
                    })}
                  </span>
                  <SeenTimes result={one} />
                  <Button size="compact-xs" component={Link} to={getResourcePath(one)}>
                    {t('open')}
                  </Button>
                  <Button size="compact-xs" variant="default" onClick={() => onFilter(id)}>
                    {t('itsCalls')}
                  </Button>
                </Group>
              ))}
            </Stack>
          </Identity>
        ) : isId ? (
          <UnknownId id={id} />
        ) : null
      }
    </ReadBoundary>
  )
}

function SeenTimes({ result: { first_seen, last_seen } }: { result: IdLookupResult }) {
  const t = useMessages(ledgerMessages)
  return (
    <small>
      {first_seen ? t.rich('firstSeen', { since: () => <RelativeTime at={first_seen} /> }) : null}{' '}
      {last_seen ? t.rich('lastSeen', { since: () => <RelativeTime at={last_seen} /> }) : null}
    </small>
  )
}

/** Under each kind of id the operations that take it, by the last name in their path. */
const OPERATIONS_BY_ID_KIND = Map.groupBy(
  [...platformEntries].filter(([, entry]) => getPathParamNames(entry.path).some((name) => name.endsWith('_id'))),
  ([, entry]: [string, Endpoint]) => getPathParamNames(entry.path).findLast((name) => name.endsWith('_id')) ?? '',
)

/** An unknown id: possible types, with the operations that take such an id. */
function UnknownId({ id }: { id: string }) {
  const t = useMessages(ledgerMessages)
  const navigate = useNavigate()
  const { workspace } = useWorkspace()
  const adopt = useWrite(resourceEndpoints.adoptResource)
  const seen = useRead(
    resourceEndpoints.listResources,
    { query: { kind: 'dataset', workspace: workspace?.id, limit: 100 } },
    { enabled: Boolean(workspace) },
  )
  const datasets = seen.data?.data ?? []
  const [selectedKind, selectKind] = useState('')
  const dataset = selectedKind || datasets[0]?.id
  if (!workspace) return null
  const datasetWorkspace = workspace.id
  const open = () =>
    adopt.mutate(
      { body: { kind: 'dataset', id, workspace: datasetWorkspace } },
      { onSuccess: () => void navigate(paths.dataset(id, { workspace: datasetWorkspace })) },
    )
  const ways: Record<string, React.ReactNode> = {
    dataset_id: (
      <Can entry={resourceEndpoints.adoptResource}>
        <Button size="compact-xs" variant="default" loading={adopt.isPending} onClick={open}>
          {t('adoptDataset')}
        </Button>
      </Can>
    ),
    document_id: dataset ? (
      <>
        <NativeSelect
          aria-label={t('inDataset')}
          value={dataset}
          onChange={(event) => selectKind(event.currentTarget.value)}
          data={datasets.map((one) => ({ value: one.id, label: one.label ?? one.id.slice(0, 8) }))}
        />
        <Button
          size="compact-xs"
          variant="default"
          component={Link}
          to={paths.document(dataset, id, { workspace: datasetWorkspace })}
        >
          {t('open')}
        </Button>
      </>
    ) : null,
    workflow_run_id: (
      <Button size="compact-xs" variant="default" component={Link} to={paths.run(id, { workspace: datasetWorkspace })}>
        {t('askRun')}
      </Button>
    ),
    conversation_id: (
      <Button
        size="compact-xs"
        variant="default"
        component={Link}
        to={paths.chat({ workspace: datasetWorkspace, conversation: id })}
      >
        {t('openChat')}
      </Button>
    ),
  }
  return (
    <Identity>
      <p>{t('unknownId')}</p>
      {adopt.error ? <ProblemAlert problem={adopt.error.problem} action={t('adoptWhat')} onRetry={open} /> : null}
      <details open>
        <summary>{t('acceptingOperations')}</summary>
        <Stack component="ul" gap="xs">
          {[...OPERATIONS_BY_ID_KIND].map(([name, entries]) => (
            <Group component="li" key={name} gap="4px 8px">
              <code>{name}</code>
              <Text span fz="sm" c="dimmed">
                {entries.map(([entry]) => entry).join(', ')}
              </Text>
              {ways[name]}
            </Group>
          ))}
        </Stack>
      </details>
    </Identity>
  )
}

function Identity({ children }: { children: ReactNode }) {
  const t = useMessages(ledgerMessages)
  return (
    <Stack
      component="section"
      gap="sm"
      px="lg"
      py="sm"
      bg="var(--canvas)"
      fz={13}
      style={{ borderBottom: '1px solid var(--line)' }}
      aria-label={t('identity')}
    >
      {children}
    </Stack>
  )
}
