import { randomBytes, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { vi } from 'vitest'
import type { Frame } from '#contract/console/runs.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { ScriptedPlatform, sendError } from '#support/platforms/scriptedPlatform.ts'
import { addAppKeys, type SendRequest, signIn } from '../../../checks/kill/consoleClient.ts'
import { type Postgresql, startPostgresql } from '../../db/postgresql.testing.ts'
import { PING, stream, WorkflowHost } from './workflowHost.testing.ts'

/** Two server processes on one PostgreSQL, and a platform that offers the events of its workflow runs. */
export class TwoServers {
  readonly postgresql: Postgresql
  readonly platform: ScriptedPlatform
  readonly one: LoupeProcess
  readonly other: LoupeProcess
  send!: SendRequest
  sendToOther!: SendRequest
  /** Of a session on the other server. */
  cookie = ''
  keys!: Awaited<ReturnType<typeof addAppKeys>>

  private constructor(postgresql: Postgresql, platform: ScriptedPlatform) {
    this.postgresql = postgresql
    this.platform = platform
    const env = { DATABASE_URL: postgresql.url, MASTER_KEY: randomBytes(32).toString('hex'), PLATFORM: 'off' }
    this.one = new LoupeProcess(env)
    this.other = new LoupeProcess(env)
  }

  static async start(): Promise<TwoServers> {
    const servers = new TwoServers(await startPostgresql(), await ScriptedPlatform.start())
    await Promise.all([servers.one.start(), servers.other.start()])
    servers.send = (await signIn(servers.one)).send
    const { send, cookie } = await signIn(servers.other)
    Object.assign(servers, { sendToOther: send, cookie })
    const host = new WorkflowHost()
    servers.platform.script = (seen, response) =>
      seen.path.startsWith('/v1/info') && seen.headers.authorization === 'Bearer app-workflow'
        ? sendError(response, 200, { name: 'Workflow', description: '', tags: [], mode: 'workflow' })
        : host.script(seen, response)
    servers.keys = await addAppKeys(servers.send, servers.platform.url)
    // Detected when the key was added.
    await vi.waitUntil(async () => (await servers.#findEventsCapability()) === 'offered', { timeout: 60_000 })
    return servers
  }

  async remove(): Promise<void> {
    await Promise.all([this.one.remove(), this.other.remove()])
    await this.platform.close()
    await this.postgresql.stop()
  }

  async listFrames(id: string): Promise<Frame[]> {
    return (await this.sendToOther<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=100`)).data
  }

  /** @returns the id of a run that the first server carries. */
  async startRun(kind: 'chat' | 'workflow', send = this.send): Promise<string> {
    const id = randomUUID()
    const path = kind === 'chat' ? 'chat-messages' : 'workflows/run'
    const body = { inputs: {}, user: 'mira', response_mode: 'streaming', ...(kind === 'chat' && { query: 'Why?' }) }
    await send('POST', `/api/keys/${this.keys[kind]}/${path}`, body, { 'run-id': id, prefer: 'respond-async' })
    return id
  }

  /** A workflow run whose stream stays open, for the server that began it and for the one that takes it over. */
  holdWorkflowRun() {
    const host = new WorkflowHost()
    this.platform.script = host.script
    const streams: { original?: ServerResponse; takenOver?: ServerResponse } = {}
    const hold = (name: keyof typeof streams) => (response: ServerResponse) => {
      streams[name] = response
      stream(response, [PING, host.started(), host.node('started', 'one')], 'stays')
    }
    host.onRun = hold('original')
    host.onEvents = hold('takenOver')
    return { host, streams }
  }

  async #findEventsCapability() {
    const { data } = await this.send<{ data: Workspace[] }>('GET', '/api/workspaces')
    const key = data.flatMap((workspace) => workspace.keys).find(({ id }) => id === this.keys.workflow)
    return key?.capabilities['runEvents']?.state
  }
}
