/** One difference between a recorded reply and ours: what each has at a path of the body, or of `status` and others. */
export interface ReplyDifference {
  /** `data[].error`; `message_end.metadata` within an event; `(status)`, `(type)` and `(events)` for the reply itself. */
  field: string
  recorded: string
  ours: string
}

/** A reply to compare: the body is text as it came. */
export interface ComparedReply {
  status: number
  headers: Record<string, string>
  body: string
}

const ABSENT = 'absent'
const PRESENT = 'present'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Values that belong to the data, the model, the clock or the installation: only their types are compared. */
const DATA_FIELD =
  /(_at|_tokens|_price|latency|elapsed_time|_unit|^tokens|^total_(tokens|steps|price)|^score|^position|_position|_count|^name|_name|^label|^description|^title|^text|content|^answer|^question|^query|^message|^error|^hash|_hash|^batch|^sign|_id|^id|^user|^session_id|^url|_url|^keyword|^keywords|^version|_statement|^suggested_questions|^size|^extension|_limit|limits|^total|_documents|_length|^index|^embedding_model|_provider|^default|^max_length|^options|^required|^variable|^type_of|^time_to_|^tags|^mime_type|allowed_file_|transfer_methods|^data|^filename|_segments|^node_type|^currency|_selector|^zh_Hans|^en_US|^author_name|^welcome|^introduction)$/

/** Fields whose content an application or a graph defines: what is in them is not compared. */
const OPAQUE_FIELD = new Set([
  'inputs',
  'outputs',
  'process_data',
  'execution_metadata',
  'user_input_form',
  'retriever_resources',
  'model_properties',
  'rules',
])
/** A run has it only at nodes of some types. */
const NULLABLE_FIELD = 'execution_metadata'
/** What an application has switched on, and how many rows there are, is not the platform's. */
const SETTING_FIELD = /^(suggested_questions_after_answer|retriever_resource)\.enabled$|^has_more$/

/**
 * Compares field by field: which fields there are, the type of each, and the value where it is a word of the interface
 * rather than data. Bodies are compared only if both replies succeed or both fail.
 */
export function compareReplies(recorded: ComparedReply, ours: ComparedReply): ReplyDifference[] {
  const head = [
    toDifference('(status)', String(recorded.status), String(ours.status)),
    toDifference('(type)', getMediaType(recorded), getMediaType(ours)),
  ].flat()
  if (recorded.status < 300 !== ours.status < 300) return head.slice(0, 1)
  if (recorded.status >= 500) return head
  const type = getMediaType(recorded)
  if (type !== getMediaType(ours) || (type !== 'application/json' && type !== 'text/event-stream')) return head
  if (type === 'text/event-stream') return [...head, ...compareStreams(recorded.body, ours.body)]
  if (recorded.body === '' || ours.body === '') return [...head, ...toDifference('(body)', recorded.body, ours.body)]
  return [...head, ...compareFields('', [JSON.parse(recorded.body)], [JSON.parse(ours.body)])]
}

const toDifference = (field: string, recorded: string, ours: string): ReplyDifference[] =>
  recorded === ours ? [] : [{ field, recorded, ours }]

const getMediaType = ({ headers }: ComparedReply): string => (headers['content-type'] ?? ABSENT).split(';')[0] ?? ''

/** Of the connection, or with a value of the installation. */
const UNCOMPARED_HEADERS = /^(date|connection|keep-alive|transfer-encoding|content-length|content-type)$/

/** The headers that only one of two replies of the same status has. */
export function compareHeaders(recorded: ComparedReply, ours: ComparedReply): ReplyDifference[] {
  if (recorded.status !== ours.status) return []
  const [theirs, mine] = [recorded, ours].map(
    ({ headers }) => new Set(Object.keys(headers).filter((name) => !UNCOMPARED_HEADERS.test(name))),
  )
  return [...new Set([...(theirs ?? []), ...(mine ?? [])])].flatMap((name) =>
    toDifference(`(header ${name})`, theirs?.has(name) ? PRESENT : ABSENT, mine?.has(name) ? PRESENT : ABSENT),
  )
}

/** The events of a stream. A ping has no data. */
export function parseStreamEvents(text: string): { event: string; [field: string]: unknown }[] {
  return text
    .split('\n\n')
    .filter((block) => block.trim() !== '')
    .map((block) =>
      block.startsWith('data: ')
        ? (JSON.parse(block.slice('data: '.length)) as { event: string })
        : { event: block.replace(/^event: /, '') },
    )
}

/** Compares the order of events, where a repeated one counts once, and the fields of each kind of event. */
function compareStreams(recorded: string, ours: string): ReplyDifference[] {
  const [theirEvents, ourEvents] = [parseStreamEvents(recorded), parseStreamEvents(ours)]
  const order = toDifference('(events)', toEventOrder(theirEvents), toEventOrder(ourEvents))
  const names = new Set(theirEvents.map(({ event }) => event))
  const fields = [...names].flatMap((name) => {
    const [those, these] = [theirEvents, ourEvents].map((all) => all.filter(({ event }) => event === name))
    return these?.length ? compareFields(name, those ?? [], these) : []
  })
  return [...order, ...fields]
}

/** The nodes in between depend on the graph of an application; what comes before and after does not. */
function toEventOrder(events: readonly { event: string }[]): string {
  const names = events.map(({ event }) => event).filter((event, index, all) => event !== all[index - 1])
  const isOfGraph = (name: string) => /^(node|loop|iteration)_|^(text_chunk|message)$/.test(name)
  const isWorkflow = names.includes('workflow_started')
  return (isWorkflow ? names.filter((name) => !isOfGraph(name)) : names).join(' ')
}

function compareFields(path: string, recorded: readonly unknown[], ours: readonly unknown[]): ReplyDifference[] {
  const name = path.split('.').at(-1)?.replaceAll('[]', '') ?? ''
  const [theirKinds, ourKinds] = [toKinds(recorded, name), toKinds(ours, name)]
  // A list without items says nothing of its items.
  if (ourKinds.size === 0 || theirKinds.size === 0) return []
  if (name === NULLABLE_FIELD || SETTING_FIELD.test(path)) return []
  const differs = [...ourKinds].some((kind) => !theirKinds.has(kind))
  const here = differs ? [{ field: path, recorded: toText(theirKinds), ours: toText(ourKinds) }] : []
  if (OPAQUE_FIELD.has(name)) return here
  const [theirObjects, ourObjects] = [recorded.filter(isObject), ours.filter(isObject)]
  const [theirItems, ourItems] = [recorded.filter(Array.isArray).flat(), ours.filter(Array.isArray).flat()]
  return [
    ...here,
    ...(theirObjects.length > 0 && ourObjects.length > 0 ? compareObjects(path, theirObjects, ourObjects) : []),
    ...compareFields(`${path}[]`, theirItems, ourItems),
  ]
}

function compareObjects(
  path: string,
  recorded: readonly Record<string, unknown>[],
  ours: readonly Record<string, unknown>[],
): ReplyDifference[] {
  const names = new Set([...recorded, ...ours].flatMap((one) => Object.keys(one)))
  return [...names].flatMap((name) => {
    const field = path === '' ? name : `${path}.${name}`
    const [theirs, mine] = [recorded, ours].map((all) => all.filter((one) => name in one).map((one) => one[name]))
    if (!theirs?.length) return [{ field, recorded: ABSENT, ours: PRESENT }]
    if (!mine?.length) return [{ field, recorded: PRESENT, ours: ABSENT }]
    return compareFields(field, theirs, mine)
  })
}

/** What stands at a path: types, and the values themselves where they are words of the interface. */
const toKinds = (values: readonly unknown[], name: string): Set<string> =>
  new Set(values.map((value) => toKind(value, name)))

function toKind(value: unknown, name: string): string {
  if (value === null) return 'null'
  if (OPAQUE_FIELD.has(name) && typeof value === 'string') return 'string'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'object') return 'object'
  if (typeof value === 'string' && UUID.test(value)) return 'uuid'
  return DATA_FIELD.test(name) ? typeof value : JSON.stringify(value)
}

const toText = (kinds: ReadonlySet<string>): string => [...kinds].sort().join(' or ')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
