/** One message to a model. `images` are files of the turn for models with vision. */
export interface ModelMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
  images?: { data: Uint8Array; media_type: string }[]
}

/** Usage that a model reports; null if it reports none. */
export interface ModelUsage {
  prompt_tokens: number | null
  completion_tokens: number | null
}

/** A chunk of a generation: text, and the usage once, at the end. */
export type ModelPart = { text: string } | { usage: ModelUsage }

export interface Model {
  name: string
  /**
   * Generates one answer; never retried.
   * @throws ModelError when the endpoint refuses or breaks, the signal's reason when stopped
   */
  chat: (request: { messages: ModelMessage[]; signal: AbortSignal }) => AsyncIterable<ModelPart>
  /** Vectors of the texts, in their order; absent without `EMBEDDING_MODEL`. */
  embed?: (texts: string[], signal: AbortSignal) => Promise<number[][]>
  /** The name of the embedding model: vectors of different models cannot be compared. */
  embedding_name?: string
}

/** `MODEL_BASE_URL`, `MODEL_API_KEY`, `MODEL_NAME` and `EMBEDDING_MODEL`. */
export interface ModelSettings {
  base_url?: string | undefined
  api_key?: string | undefined
  name?: string | undefined
  embedding_model?: string | undefined
}

/** The model's endpoint refused or broke. Sent as `completion_request_error`, 400. */
export class ModelError extends Error {
  override readonly name = 'ModelFailure'
  /** The HTTP status, if the endpoint answered with one. */
  readonly status: number | undefined
  constructor(message: string, { status, cause }: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** Maximum silence of an endpoint, before the first chunk and between two. Local models need minutes to load. */
const IDLE_TIMEOUT_MS = 300_000
const DEFAULT_MODEL_NAME = 'default'

/** The configured model; null if no endpoint is configured and answers are extracted. */
export function openModel(settings: ModelSettings): Model | null {
  const { base_url, embedding_model } = settings
  if (!base_url) return null
  const provider = once(() => connect(base_url, settings.api_key))
  const name = settings.name ?? DEFAULT_MODEL_NAME
  return {
    name,
    chat: ({ messages, signal }) => generate({ provider, name, messages, signal, secret: settings.api_key }),
    ...(embedding_model
      ? {
          embedding_name: embedding_model,
          embed: (texts, signal) => embed({ provider, name: embedding_model, texts, signal, secret: settings.api_key }),
        }
      : {}),
  }
}

type ModelProvider = Awaited<ReturnType<typeof connect>>

/** The client is loaded on first use: an extractive platform never needs it. */
async function connect(base_url: string, api_key: string | undefined) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: 'model',
    baseURL: base_url.replace(/\/+$/, ''),
    includeUsage: true,
    ...(api_key ? { apiKey: api_key } : {}),
    // A redirect would send the key to a host that is not configured.
    fetch: (url, init) => fetch(url, { ...init, redirect: 'error' }),
  })
}

interface ModelCall {
  provider: () => Promise<ModelProvider>
  name: string
  signal: AbortSignal
  secret: string | undefined
}

async function* generate(call: ModelCall & { messages: ModelMessage[] }): AsyncGenerator<ModelPart> {
  const [{ streamText }, provider] = await Promise.all([import('ai'), call.provider()])
  const result = streamText({
    model: provider.chatModel(call.name),
    messages: call.messages.map(toSdkMessage),
    allowSystemInMessages: true,
    abortSignal: call.signal,
    timeout: { firstChunkMs: IDLE_TIMEOUT_MS, chunkMs: IDLE_TIMEOUT_MS },
    maxRetries: 0,
    onError: () => {},
  })
  try {
    for await (const part of result.stream) {
      if (part.type === 'text-delta' && part.text) yield { text: part.text }
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') throw new Error('it fell silent')
      if (part.type === 'finish') {
        const { inputTokens, outputTokens } = part.totalUsage
        yield { usage: { prompt_tokens: inputTokens ?? null, completion_tokens: outputTokens ?? null } }
      }
    }
  } catch (error) {
    throw toModelError(error, call)
  }
}

async function embed(call: ModelCall & { texts: string[] }): Promise<number[][]> {
  const [{ embedMany }, provider] = await Promise.all([import('ai'), call.provider()])
  try {
    const { embeddings } = await embedMany({
      model: provider.embeddingModel(call.name),
      values: call.texts,
      abortSignal: AbortSignal.any([call.signal, AbortSignal.timeout(IDLE_TIMEOUT_MS)]),
      maxRetries: 2,
      maxParallelCalls: 2,
    })
    return embeddings
  } catch (error) {
    throw toModelError(error, call)
  }
}

function toSdkMessage({ role, content, images = [] }: ModelMessage) {
  if (role !== 'user' || images.length === 0) return { role, content } as const
  const files = images.map(({ data, media_type }) => ({ type: 'file', data, mediaType: media_type }) as const)
  return { role, content: [{ type: 'text', text: content } as const, ...files] }
}

/** The endpoint's own message, without the key that some endpoints repeat. */
function toModelError(error: unknown, { signal, secret }: ModelCall): unknown {
  if (signal.aborted) return signal.reason
  const reason = error instanceof Error ? error.message : String(error)
  const status = getStatus(error)
  const message = `The model's endpoint failed${status ? ` with ${status}` : ''}: ${reason || 'it gave no reason.'}`
  return new ModelError(secret ? message.replaceAll(secret, '***') : message, { status, cause: error })
}

function getStatus(error: unknown): number | undefined {
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  return typeof status === 'number' ? status : undefined
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
