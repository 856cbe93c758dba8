import { execFile, type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programs } from '#support/programs.ts'
import { findFreePort } from '#support/reverseProxy.ts'
import { addKeys, signIn } from '../../checks/kill/consoleClient.ts'
import type { Load, LoadResult } from './load.ts'

/** Where a load goes. */
export type LoadTarget = Pick<Load, 'url' | 'headers' | 'pid'>

/** The platform of the benches, once it listens. */
export async function startUpstream(): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, ['bench/streams/upstream.ts'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: printed.toString().trim(), stop: () => void child.kill() }
}

/** One nginx worker in front of the platform, which stores nothing and buffers the list of documents alone; null where there is no nginx. */
export async function startNginx(upstream: string): Promise<(LoadTarget & { stop: () => void }) | null> {
  const program = programs.nginx.find()
  if (!program) return null
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'loupe-nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `worker_processes 1; worker_rlimit_nofile 20000; pid ${folder}/pid; error_log ${folder}/error.log warn; daemon off;
     events { worker_connections 9000; }
     http { access_log off; ${temporary}
       upstream platform { server ${new URL(upstream).host}; keepalive 512; }
       proxy_http_version 1.1; proxy_set_header Connection "";
       server { listen 127.0.0.1:${port};
         location / { proxy_pass http://platform; proxy_buffering off; }
         location /v1/datasets/ { proxy_pass http://platform; } } }`,
  )
  const child: ChildProcess = spawn(program, ['-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/stats`).catch(() => null))?.ok) await new Promise((resolve) => setTimeout(resolve, 10))
  const stop = () => {
    child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    child.kill()
  }
  return { url, headers: {}, pid: child.pid ?? null, stop }
}

/** Signs in to a console and adds the platform with a key of a kind: the address below which its operations are. */
export async function addBenchKey(
  loupe: { url: string; pid?: number | undefined },
  upstream: string,
  kind: 'chat' | 'knowledge',
): Promise<LoadTarget> {
  const { cookie, send } = await signIn(loupe)
  const keys = await addKeys(send, `${upstream}/v1`, [kind])
  return { url: `${loupe.url}/api/keys/${keys[kind]}`, headers: { cookie, 'x-console': '1' }, pid: loupe.pid ?? null }
}

const execFileAsync = promisify(execFile)

/** Sends a load of chats to a target and waits for its end. */
export async function runLoad(
  { url, headers, pid }: LoadTarget,
  size: Pick<Load, 'streams' | 'frames' | 'framesPerSecond'> & Partial<Load>,
): Promise<LoadResult> {
  const load: Load = { url: `${url}/chat-messages`, headers, pid, rampMs: 500, timeoutMs: 280_000, ...size }
  const { stdout } = await execFileAsync(process.execPath, ['bench/streams/load.ts', JSON.stringify(load)])
  return JSON.parse(stdout) as LoadResult
}
