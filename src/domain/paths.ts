import type { IdLookupResult } from '#contract/console/resources.ts'

/** Every URL of the console. `search` is preserved: it contains workspace and app. */
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
  /** `days` is the period of its charts. */
  home: (search: { days?: number } = {}) => buildPath('/', search),
  /** `run` is the answer in the inspector; `tab` and `source` select its view. */
  chat: (
    search: {
      workspace?: string
      app?: string
      conversation?: string | null
      run?: string | null
      tab?: string | null
      source?: number | null
      /** Number of the selected frame. */
      frame?: number | null
      /** Runs shown instead of the newest branch of their turn, joined by commas. */
      branch?: string | null
      /** The dataset that a new conversation is about. */
      about?: string | null
      /** The document of that dataset that it is about. */
      document?: string | null
    } = {},
  ) => buildPath('/chat', search),
  /** `pane` is `history` instead of the inputs, `set` the saved inputs that prefill the form. */
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
  /** As for a completion; `node` is the node in the inspector. */
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
  /** `view` is `review`, `reply` or `import` instead of the list; `annotation` the open one, or `new`. */
  annotations: (
    search: {
      workspace?: string | undefined
      app?: string | null
      view?: string | null
      annotation?: string | null
      import?: string | null
    } = {},
  ) => buildPath('/annotations', search),
  batches: (search: { workspace?: string; app?: string | null; page?: number } = {}) => buildPath('/batches', search),
  newBatch: (search: { workspace?: string; app?: string } = {}) => buildPath('/batches/new', search),
  /** `state` filters its rows. */
  batch: (batch_id: string, search: { workspace?: string; state?: string | null } = {}) =>
    buildPath(`/batches/${encodeURIComponent(batch_id)}`, search),
  suites: (search: { workspace?: string | undefined; target?: string; page?: number } = {}) =>
    buildPath('/suites', search),
  /**
   * `view` is `experiments` or `compare` instead of the cases, `experiment` the open one, `outcome` filters its
   * results. In a comparison `with` is the earlier experiment, and `change` filters the cases. `case` is open next to
   * the list.
   */
  suite: (
    suite_id: string,
    search: {
      workspace?: string
      view?: string | null
      experiment?: string | null
      outcome?: string | null
      with?: string | null
      change?: string | null
      case?: string | null
    } = {},
  ) => buildPath(`/suites/${encodeURIComponent(suite_id)}`, search),
  /** The filters of `GET /api/runs`, under the same names, except the key, which is `app`. */
  runs: (search: SearchParams = {}) => buildPath('/runs', search),
  /** A run file exported by any Loupe. */
  openRun: () => buildPath('/runs/open'),
  /** `with` is the run to compare with, `replay` whether its inputs are open for a new run. */
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
  /** `run` and `with` are a run and an app (its key) to add to a board. */
  compare: (search: { workspace?: string | undefined; run?: string | null; with?: string | null } = {}) =>
    buildPath('/compare', search),
  /** `show` is `differences` instead of the answers, `round` the round of all cells, `run` the run in the inspector. */
  board: (
    board_id: string,
    search: { workspace?: string; show?: string | null; round?: number | null; run?: string | null } = {},
  ) => buildPath(`/compare/${encodeURIComponent(board_id)}`, search),
  /** The filters of `GET /api/calls`, under the same names, except the key, which is `app`; `call` is the open call. */
  ledger: (search: SearchParams = {}) => buildPath('/ledger', search),
  retention: (search: { workspace?: string } = {}) => buildPath('/ledger/retention', search),
  /** Runs that wait for a person, of all workspaces. */
  waiting: () => buildPath('/waiting'),
  workspaces: () => buildPath('/workspaces'),
  /** `view` is `never` for parts of the contract that were never observed; `drift` the open row. */
  drift: (
    search: { workspace?: string | undefined; view?: string; operation?: string; kind?: string; drift?: string } = {},
  ) => buildPath('/drift', search),
  people: () => buildPath('/people'),
  /** The filters are those of `GET /api/audit`. */
  audit: (search: { action?: string; person?: string } = {}) => buildPath('/people/audit', search),
  account: () => buildPath('/account'),
  lab: (search: { workspace?: string; dataset?: string; a?: string } = {}) => buildPath('/lab', search),
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
      /** Opens the form of a new document; `setting` is one of the chunk lab. */
      add?: string
      setting?: string
    } = {},
  ) => buildPath(`/datasets/${encodeURIComponent(dataset_id)}`, search),
  datasetSettings: (dataset_id: string, search: { workspace?: string } = {}) =>
    buildPath(`/datasets/${encodeURIComponent(dataset_id)}/settings`, search),
  /** `q` is the question, `a` and `b` the settings of its columns, `hit` the unfolded result. */
  retrieval: (
    dataset_id: string,
    search: { workspace?: string; q?: string; a?: string; b?: string; hit?: string } = {},
  ) => buildPath(`/datasets/${encodeURIComponent(dataset_id)}/retrieval`, search),
  document: (
    dataset_id: string,
    document_id: string,
    search: { workspace?: string; segment?: string; child?: string; run?: string } = {},
  ) => buildPath(`/datasets/${encodeURIComponent(dataset_id)}/documents/${encodeURIComponent(document_id)}`, search),
}

/** The screen of a resource found by its id; if its kind has none, the calls that named it. */
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
