import { request as openRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { createParser } from 'eventsource-parser'
import { WebSocket } from 'ws'
import { LIVE_EVENTS_PATH, LIVE_PATH, type LiveMessage, type WatchedRun } from '#contract/console/liveMessages.ts'

/** A page of a test with its live connection, and all messages that it has received. */
export interface TestPage {
  messages: LiveMessage[]
  /** The close code of a WebSocket, or the status of a request that was refused; null where a stream just ended. */
  closed: Promise<number | null>
  watch(run: string, after: number): void
  unwatch(run: string): void
  close(): void
  of(run: string): LiveMessage[]
  seqs(run: string): number[]
  end(run: string): Extract<LiveMessage, { end: unknown }> | undefined
}

/** A WebSocket that is refused throws an error with its status; a stream is opened with the first run. */
export type OpenPage = (url: string, headers: Record<string, string>) => Promise<TestPage>

const readMessages = (messages: LiveMessage[]) => ({
  messages,
  of: (run: string) => messages.filter((one) => 'run' in one && one.run === run),
  seqs: (run: string) =>
    messages.flatMap((one) => ('frames' in one && one.run === run ? one.frames.map(([seq]) => seq) : [])),
  end: (run: string) => messages.find((one) => 'end' in one && one.run === run) as ReturnType<TestPage['end']>,
})

export const openSocketPage: OpenPage = async (url, headers) => {
  const socket = new WebSocket(url.replace('http', 'ws') + LIVE_PATH, { headers })
  const messages: LiveMessage[] = []
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as LiveMessage))
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise<void>((resolve, reject) => socket.on('open', resolve).on('error', reject))
  const send = (request: unknown) => socket.send(JSON.stringify(request))
  return {
    ...readMessages(messages),
    closed,
    watch: (run, after) => send({ watch: run, after }),
    unwatch: (run) => send({ unwatch: run }),
    close: () => socket.close(),
  }
}

/**
 * Opens an event stream of these runs, over a Unix socket if `socketPath` is given. `onEvent` gets each message.
 * @throws Error with the status when it is refused
 */
export async function openEventStream(
  url: string,
  headers: Record<string, string>,
  watch: readonly WatchedRun[],
  onEvent: (message: LiveMessage) => void,
  socketPath?: string,
): Promise<IncomingMessage> {
  const request = openRequest(url + LIVE_EVENTS_PATH, {
    method: 'POST',
    agent: false,
    socketPath,
    headers: { 'x-console': '1', 'content-type': 'application/json', ...headers },
  })
  request.end(JSON.stringify({ watch }))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) {
    response.destroy()
    throw new Error(`The event stream was refused with ${response.statusCode}`)
  }
  const parser = createParser({ onEvent: ({ data }) => onEvent(JSON.parse(data) as LiveMessage) })
  response.on('error', () => undefined).setEncoding('utf8')
  response.on('data', (text: string) => parser.feed(text))
  return response
}

/** A page without a WebSocket: each change of its runs opens a new stream, which goes on where the last one was. */
export const openStreamPage: OpenPage = (url, headers) => {
  const messages: LiveMessage[] = []
  const positions = new Map<string, number>()
  const { promise: closed, resolve: setClosed } = Promise.withResolvers<number | null>()
  let stream: IncomingMessage | null = null
  let generation = 0
  const reopen = async () => {
    stream?.destroy()
    const opened = ++generation
    if (positions.size === 0) return
    const watch = [...positions].map(([run, after]) => ({ run, after }))
    const onEvent = (message: LiveMessage) => {
      if (opened !== generation) return
      messages.push(message)
      if ('frames' in message) positions.set(message.run, message.frames.at(-1)?.[0] ?? 0)
      if ('end' in message || 'refused' in message || 'left' in message) positions.delete(message.run)
    }
    const response = await openEventStream(url, headers, watch, onEvent)
    if (opened !== generation) return void response.destroy()
    stream = response
    response.on('end', () => setClosed(null))
  }
  const change = () => {
    reopen().catch((error: unknown) => setClosed(Number(/\d+$/.exec(String(error))?.[0] ?? 0)))
  }
  return Promise.resolve({
    ...readMessages(messages),
    closed,
    watch: (run: string, after: number) => {
      positions.set(run, after)
      change()
    },
    unwatch: (run: string) => {
      positions.delete(run)
      change()
    },
    close: () => {
      generation++
      stream?.destroy()
    },
  })
}
