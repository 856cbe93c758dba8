import { asId, asJson, asList, asNumber, asText } from '../stream/untrustedJson.ts'

type Data = Record<string, unknown>

/** One step of an agent. It is sent repeatedly under one id while it fills in. */
export interface AgentThought {
  id: string
  position: number | null
  thought: string | null
  observation: string | null
  /** Names joined by `;`. */
  tool: string | null
  tool_labels: unknown
  /** JSON text. */
  tool_input: string | null
  message_files: string[]
}

/**
 * A file of an answer, or of its question (`belongs_to` is `user`, or `upload_file_id` was sent with it). The last four
 * fields are present only if the platform sent them; `size` is bytes.
 */
export interface MessageFile {
  id: string | null
  type: string | null
  belongs_to: string | null
  url: string | null
  filename?: string
  mime_type?: string
  size?: number
  upload_file_id?: string
}

/** Upserts a thought by its id; missing fields keep their values. Null if it has no id. */
export function upsertThought(thoughts: AgentThought[], event: Data): AgentThought[] | null {
  const id = asId(event.id)
  if (id === null) return null
  const at = thoughts.findLastIndex((thought) => thought.id === id)
  const before = thoughts[at]
  const files = asList(event.message_files).filter((file) => typeof file === 'string')
  const thought: AgentThought = {
    id,
    position: asNumber(event.position) ?? before?.position ?? null,
    // Sent again without the text that was added here.
    thought: asText(event.thought) || (before?.thought ?? asText(event.thought)),
    observation: asText(event.observation) ?? before?.observation ?? null,
    tool: asText(event.tool) ?? before?.tool ?? null,
    tool_labels: asJson(event.tool_labels) ?? before?.tool_labels ?? null,
    tool_input: asText(event.tool_input) ?? before?.tool_input ?? null,
    message_files: files.length > 0 ? files : (before?.message_files ?? []),
  }
  return at < 0 ? [...thoughts, thought] : thoughts.with(at, thought)
}

/** Upserts a file by its id (`related_id` in the list of `message_end`), or by its URL. Null if it has neither. */
export function upsertFile(files: MessageFile[], fileEvent: Data): MessageFile[] | null {
  const id = asId(fileEvent.related_id) ?? asId(fileEvent.id) ?? asId(fileEvent.upload_file_id)
  const url = asId(fileEvent.url) ?? asId(fileEvent.remote_url)
  if (id === null && url === null) return null
  const at = files.findLastIndex((file) => (id === null || file.id === null ? file.url === url : file.id === id))
  const before = files[at]
  const filename = asText(fileEvent.filename) ?? before?.filename
  const mime_type = asText(fileEvent.mime_type) ?? before?.mime_type
  const size = asNumber(fileEvent.size) ?? before?.size
  const upload_file_id = asId(fileEvent.upload_file_id) ?? before?.upload_file_id
  const file: MessageFile = {
    id: id ?? before?.id ?? null,
    type: asText(fileEvent.type) ?? before?.type ?? null,
    belongs_to: asText(fileEvent.belongs_to) ?? before?.belongs_to ?? null,
    url: url ?? before?.url ?? null,
    ...(filename === undefined ? {} : { filename }),
    ...(mime_type === undefined ? {} : { mime_type }),
    ...(size === undefined ? {} : { size }),
    ...(upload_file_id === undefined ? {} : { upload_file_id }),
  }
  return at < 0 ? [...files, file] : files.with(at, file)
}
