import { execFile, type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'
import type { Figure } from './figure.ts'

const execFileAsync = promisify(execFile)
export const UPSTREAM_KEY = 'app-bench'
export const NGINX_PATH = '/usr/sbin/nginx'
const ROUND_COUNT = 3
/** 20 streams of 300 frames, 50 frames a second each. */
const LOAD_ARGS = ['--concurrency', '20', '--n', '300', '--rate', '50', '--ramp', '500']

/** What `bench/load.mjs` says: counts, milliseconds, and of the process it watches microseconds of CPU and sizes. */
export interface LoadMeasurement {
  ok: number
  bad: number
  short: number
  events: number
  streams_per_s: number
  ttfe_p50: number
  ttfe_p99: number
  lat_p50: number
  lat_p99: number
  rss_peak_mib: number
  kib_per_stream: number
  cpu_us_per_event: number
}

/**
 * What the relay adds to a stream: the same upstream directly, through nginx (where it is installed) and through Loupe,
 * in turn, with every frame committed before it is sent. The median of three rounds.
 */
export async function runRelayBench(): Promise<Figure[]> {
  const port = await freePort()
  const upstream = await startUpstream(port)
  const proxy = existsSync(NGINX_PATH) ? await startNginx(port) : null
  const loupe = await new LoupeProcess({ PLATFORM: 'off' }).start()
  try {
    const target = await toLoupeTarget(loupe, port)
    const direct = ['--url', `http://127.0.0.1:${port}`, '-H', `authorization: Bearer ${UPSTREAM_KEY}`]
    const targets: [string, string[]][] = [
      ['direct', direct],
      ...(proxy ? [['nginx', ['--url', `http://127.0.0.1:${proxy.port}`]] as [string, string[]]] : []),
      ['loupe', target],
    ]
    const rounds: Record<string, LoadMeasurement[]> = {}
    for (const [, args] of targets) await runLoad([...args, '--concurrency', '5', '--n', '20', '--rate', '50'])
    for (let round = 0; round < ROUND_COUNT; round++)
      for (const [name, args] of targets) (rounds[name] ??= []).push(await runCompleteLoad([...args, ...LOAD_ARGS]))
    return toFigures(rounds)
  } finally {
    upstream.kill()
    proxy?.stop()
    await loupe.remove()
  }
}

/** The platform of the bench, once it listens. */
export async function startUpstream(port: number): Promise<ChildProcess> {
  const upstream = spawn(process.execPath, ['bench/upstream.mjs', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => upstream.stdout.once('data', resolve))
  return upstream
}

function toFigures(rounds: Record<string, LoadMeasurement[]>): Figure[] {
  const of = (name: string, figure: keyof LoadMeasurement) => median((rounds[name] ?? []).map((round) => round[figure]))
  const figures: Figure[] = [
    {
      bench: 'relay',
      what: 'added to a frame, p50',
      value: of('loupe', 'lat_p50') - of('direct', 'lat_p50'),
      unit: 'ms',
      against: 'direct',
      goal: '< 3 ms',
    },
    {
      bench: 'relay',
      what: 'added to a frame, p99',
      value: of('loupe', 'lat_p99') - of('direct', 'lat_p99'),
      unit: 'ms',
      against: 'direct',
    },
    {
      bench: 'relay',
      what: 'added to the first frame, p50',
      value: of('loupe', 'ttfe_p50') - of('direct', 'ttfe_p50'),
      unit: 'ms',
      against: 'direct',
      goal: '<= 5 ms',
    },
  ]
  if (!rounds.nginx) return figures
  return [
    ...figures,
    {
      bench: 'relay',
      what: 'nginx adds to a frame, p50',
      value: of('nginx', 'lat_p50') - of('direct', 'lat_p50'),
      unit: 'ms',
      against: 'direct',
    },
    {
      bench: 'relay',
      what: 'first frame, p50',
      value: of('loupe', 'ttfe_p50') / of('nginx', 'ttfe_p50'),
      unit: 'times nginx',
      against: 'nginx',
    },
    {
      bench: 'relay',
      what: 'delay of a frame, p50',
      value: of('loupe', 'lat_p50') / of('nginx', 'lat_p50'),
      unit: 'times nginx',
      against: 'nginx',
    },
  ]
}

export async function runLoad(args: string[]): Promise<LoadMeasurement> {
  const { stdout } = await execFileAsync(process.execPath, ['bench/load.mjs', ...args])
  return JSON.parse(stdout) as LoadMeasurement
}

async function runCompleteLoad(args: string[]): Promise<LoadMeasurement> {
  const measured = await runLoad(args)
  if (measured.short + measured.bad > 0) throw new Error(`streams came short: ${JSON.stringify(measured)}`)
  return measured
}

/** A console with the bench's platform: the headers of its requests, and the paths of a new key. */
export async function setUpConsole(loupe: { url: string }, port: number) {
  const postJson = async (path: string, body: unknown, cookie = '') => {
    const response = await fetch(loupe.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-console': '1', cookie },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const cookie =
    ((await postJson('/api/session', { token: SETUP_TOKEN })).headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const made = async (path: string, body: unknown) =>
    ((await (await postJson(path, body, cookie)).json()) as { id: string }).id
  const workspace = await made('/api/workspaces', { name: 'bench', base_url: `http://127.0.0.1:${port}/v1` })
  return {
    cookie,
    pathOf: async (kind: 'chat' | 'knowledge') =>
      `/api/keys/${await made(`/api/workspaces/${workspace}/keys`, { kind, label: 'bench', key: UPSTREAM_KEY })}`,
  }
}

export async function toLoupeTarget(loupe: { url: string }, port: number): Promise<string[]> {
  const { cookie, pathOf } = await setUpConsole(loupe, port)
  return [
    ...['--url', loupe.url, '--path', `${await pathOf('chat')}/chat-messages`],
    ...['-H', `cookie: ${cookie}`, '-H', 'x-console: 1'],
  ]
}

/** One nginx worker that adds the bearer; it buffers the list of documents and nothing else. */
export async function startNginx(upstream: number): Promise<{ port: number; pid: number; stop: () => void }> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'loupe-nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `worker_processes 1; worker_rlimit_nofile 20000; pid ${folder}/pid; error_log ${folder}/error.log warn; daemon off;
     events { worker_connections 9000; }
     http { access_log off; ${temporary}
       upstream platform { server 127.0.0.1:${upstream}; keepalive 512; }
       proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Authorization "Bearer ${UPSTREAM_KEY}";
       server { listen 127.0.0.1:${port};
         location / { proxy_pass http://platform; proxy_buffering off; }
         location /v1/datasets/ { proxy_pass http://platform; } } }`,
  )
  const child: ChildProcess = spawn(NGINX_PATH, ['-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
  await waitUntilAnswering(`http://127.0.0.1:${port}/stats`)
  return {
    port,
    pid: child.pid ?? 0,
    stop: () => {
      child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
      child.kill()
    },
  }
}

export async function waitUntilAnswering(url: string): Promise<void> {
  for (;;) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

export const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
