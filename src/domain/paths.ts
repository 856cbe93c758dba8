import type { IdLookupResult } from '#contract/console/resources.ts'

/** Every URL of the console. `search` is kept: workspace and app stand in it. */
type SearchParams = Record<string, string | number | null | undefined>

const buildPath = (path: string, search: SearchParams = {}): string => {
  const query = new URLSearchParams(
    Object.entries(search)
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]),
  ).toString()
  return query ? `${path}?${query}` : path
}

export const paths = {
  signIn: (next?: string) => buildPath('/sign-in', { next }),
  /** `days` is the span of its charts. */
  home: (search: { days?: number } = {}) => buildPath('/', search),
  /** `run` is the answer that the inspector shows; `tab` and `source` what of it. */
  chat: (
    search: {
      workspace?: string
      app?: string
      conversation?: string | null
      run?: string | null
      tab?: string | null
      source?: number | null
      /** The frame that is selected, by its number. */
      frame?: number | null
      /** Runs shown in place of the newest branch of their turn, joined by commas. */
      branch?: string | null
    } = {},
  ) => buildPath('/chat', search),
  /** `pane` is `history` in place of the inputs, `set` the kept inputs that the form begins with. */
  completion: (
    search: {
      workspace?: string
      app?: string
      run?: string | null
      pane?: string | null
      tab?: string | null
      set?: string | null
    } = {},
  ) => buildPath('/completion', search),
  /** As for a completion; `node` is the node that the inspector shows. */
  workflows: (
    search: {
      workspace?: string
      app?: string
      run?: string | null
      pane?: string | null
      tab?: string | null
      set?: string | null
      node?: string | null
    } = {},
  ) => buildPath('/workflows', search),
  /** `view` is `review`, `reply` or `import` in place of the list; `annotation` the one that is open, or `new`. */
  annotations: (
    search: {
      workspace?: string | undefined
      app?: string | null
      view?: string | null
      annotation?: string | null
    } = {},
  ) => buildPath('/annotations', search),
  batches: (search: { workspace?: string; app?: string | null; page?: number } = {}) => buildPath('/batches', search),
  newBatch: (search: { workspace?: string; app?: string } = {}) => buildPath('/batches/new', search),
  /** `state` filters its rows. */
  batch: (batch_id: string, search: { workspace?: string; state?: string | null } = {}) =>
    buildPath(`/batches/${encodeURIComponent(batch_id)}`, search),
  /** The filters are those of `GET /api/runs`, under its own names, but for the key, which is `app`. */
  runs: (search: SearchParams = {}) => buildPath('/runs', search),
  /** A run that any Loupe exported, opened from its file. */
  openRun: () => buildPath('/runs/open'),
  /** `with` is the run that it is compared with, `replay` whether its inputs are open for a new run. */
  run: (
    run_id: string,
    search: {
      workspace?: string
      with?: string | null
      replay?: string | null
      tab?: string | null
      frame?: string | null
    } = {},
  ) => buildPath(`/runs/${encodeURIComponent(run_id)}`, search),
  /** `run` and `with` are a run and an app (its key) that are to be put on a board. */
  compare: (search: { workspace?: string | undefined; run?: string | null; with?: string | null } = {}) =>
    buildPath('/compare', search),
  /** `show` is `differences` in place of the answers, `round` the round of all cells, `run` the run that the inspector shows. */
  board: (
    board_id: string,
    search: { workspace?: string; show?: string | null; round?: number | null; run?: string | null } = {},
  ) => buildPath(`/compare/${encodeURIComponent(board_id)}`, search),
  /** The filters are those of `GET /api/calls`, under its own names, but for the key, which is `app`; `call` is open beside them. */
  ledger: (search: SearchParams = {}) => buildPath('/ledger', search),
  retention: (search: { workspace?: string } = {}) => buildPath('/ledger/retention', search),
  workspaces: () => buildPath('/workspaces'),
  /** `view` is `never` for what is in the contract and was never seen; `drift` the row that is open beside the list. */
  drift: (
    search: { workspace?: string | undefined; view?: string; operation?: string; kind?: string; drift?: string } = {},
  ) => buildPath('/drift', search),
  people: () => buildPath('/people'),
  /** The filters are those of `GET /api/audit`. */
  audit: (search: { action?: string; person?: string } = {}) => buildPath('/people/audit', search),
  account: () => buildPath('/account'),
  lab: (search: { workspace?: string } = {}) => buildPath('/lab', search),
  datasets: (search: { workspace?: string; q?: string; page?: number } = {}) => buildPath('/datasets', search),
  dataset: (
    dataset_id: string,
    search: {
      workspace?: string
      keyword?: string
      page?: number
      limit?: number
      status?: string
      update?: string
    } = {},
  ) => buildPath(`/datasets/${encodeURIComponent(dataset_id)}`, search),
  datasetSettings: (dataset_id: string, search: { workspace?: string } = {}) =>
    buildPath(`/datasets/${encodeURIComponent(dataset_id)}/settings`, search),
  retrieval: (dataset_id: string, search: { workspace?: string } = {}) =>
    buildPath(`/datasets/${encodeURIComponent(dataset_id)}/retrieval`, search),
  document: (
    dataset_id: string,
    document_id: string,
    search: { workspace?: string; segment?: string; child?: string; run?: string } = {},
  ) => buildPath(`/datasets/${encodeURIComponent(dataset_id)}/documents/${encodeURIComponent(document_id)}`, search),
}

/** The screen that shows what an id was found to be; where it has none of its own, the calls that named it. */
export function getResourcePath({ kind, id, workspace, holders, run }: IdLookupResult): string {
  const holder = (datasetId: string) => holders.find((parentId) => parentId.kind === datasetId)?.id
  const [dataset, document] = [holder('dataset'), holder('document')]
  const conversation = holder('conversation')
  switch (kind) {
    case 'dataset':
      return paths.dataset(id, { workspace })
    case 'document':
      if (dataset) return paths.document(dataset, id, { workspace })
      break
    case 'segment':
      if (dataset && document) return paths.document(dataset, document, { workspace, segment: id })
      break
    case 'child_chunk':
      if (dataset && document)
        return paths.document(dataset, document, { workspace, segment: holder('segment') ?? '', child: id })
      break
    case 'conversation':
      return paths.chat({ workspace, conversation: id, ...(holder('app') ? { app: holder('app') ?? '' } : {}) })
    case 'message':
      if (run && conversation)
        return paths.chat({ workspace, conversation, run, ...(holder('app') ? { app: holder('app') ?? '' } : {}) })
      if (run) return paths.run(run, { workspace })
      break
    case 'workflow_run':
      return paths.run(run ?? id, { workspace })
    case 'task':
      if (run) return paths.run(run, { workspace })
      break
    case 'run':
      return paths.run(id, { workspace })
    case 'call':
      return paths.ledger({ workspace, call: id })
    case 'app':
      return paths.runs({ workspace, app: id })
    case 'workspace':
      return paths.runs({ workspace: id })
    case 'batch':
      return paths.batch(id, { workspace })
    default:
  }
  return paths.ledger({ workspace, resource: id })
}
