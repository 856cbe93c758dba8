// SSE load client. Plain Node, no dependencies. Point it at the fake upstream, or at any proxy in front of it.
//   node load.mjs --url http://127.0.0.1:4100 --path /v1/chat-messages -H 'authorization: Bearer app-bench' \
//        --concurrency 50 --n 250 --rate 50 [--total 50] [--pid PROXY_PID] [--label nginx]
//   --concurrency C   streams open at once        --total T  streams in all (default C)
//   --n N --rate R    events per stream, events/s (0 = flat out); sent as body.inputs.{n,rate,delay,stamp,pad}
//   --delay MS --stamp field|answer --pad BYTES    see upstream.mjs ("answer" survives a proxy that re-shapes events)
//   --ramp MS         spread the first C opens over MS (default 0)
//   --warmup MS       leave events stamped in the first MS of the run out of the latency figures (default: ramp + 1000 when rate > 0)
//   --body JSON       body template; __N__ __RATE__ __DELAY__ __STAMP__ __PAD__ are replaced
//   --method POST     -H 'name: value' (repeatable)     --timeout S (default 120, the whole run)
//   --pid P           (repeatable) process whose RSS and CPU are sampled from /proc; its threads included
//   --pidtree P       like --pid, with all its descendants
// Prints one JSON object. Event latency = receive time - stamp (monotonic clock, same machine), in ms.
import http from 'node:http'
import https from 'node:https'
import fs from 'node:fs'
import { parseArgs } from 'node:util'
const S = (d) => ({ type: 'string', ...(d !== undefined ? { default: d } : {}) })
const { values: a } = parseArgs({
  options: {
    url: S('http://127.0.0.1:4100'),
    path: S('/v1/chat-messages'),
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    concurrency: S('10'),
    total: S(),
    n: S('200'),
    rate: S('0'),
    delay: S('0'),
    stamp: S('field'),
    pad: S('0'),
    ramp: S('0'),
    warmup: S(),
    method: S('POST'),
    timeout: S('120'),
    label: S(''),
    body: S(
      '{"inputs":{"n":__N__,"rate":__RATE__,"delay":__DELAY__,"stamp":"__STAMP__","pad":__PAD__},"query":"bench","user":"bench","response_mode":"streaming","conversation_id":""}',
    ),
    pid: { type: 'string', multiple: true, default: [] },
    pidtree: { type: 'string', multiple: true, default: [] },
  },
})
const C = +a.concurrency,
  T = +(a.total ?? C),
  N = +a.n,
  R = +a.rate,
  RAMP = +a.ramp
const WARM = a.warmup !== undefined ? +a.warmup : R > 0 ? RAMP + 1000 : 0
const body = Buffer.from(
  a.body
    .replaceAll('__N__', N)
    .replaceAll('__RATE__', R)
    .replaceAll('__DELAY__', a.delay)
    .replaceAll('__STAMP__', a.stamp)
    .replaceAll('__PAD__', a.pad),
)
const base = new URL(a.url),
  target = base.pathname.replace(/\/$/, '') + a.path,
  lib = base.protocol === 'https:' ? https : http
const headers = { 'content-type': 'application/json', accept: 'text/event-stream', 'content-length': body.length }
for (const h of a.header) {
  const i = h.indexOf(':')
  headers[h.slice(0, i).trim().toLowerCase()] = h.slice(i + 1).trim()
}
const agent = new lib.Agent({ keepAlive: true, maxSockets: C, scheduling: 'fifo', rejectUnauthorized: false })
const us = () => Number(process.hrtime.bigint() / 1000n)
// latency histogram: 1 us .. 100 s, ~1% buckets
const B = 1850,
  hist = new Uint32Array(B),
  idx = (v) => Math.min(B - 1, Math.max(0, Math.round(Math.log(Math.max(1, v)) * 100)))
let hn = 0,
  hmax = 0
const add = (v) => {
  hist[idx(v)]++
  hn++
  if (v > hmax) hmax = v
}
const q = (p) => {
  if (!hn) return null
  const k = Math.ceil(hn * p)
  let s = 0
  for (let i = 0; i < B; i++) {
    s += hist[i]
    if (s >= k) return Math.exp(i / 100) / 1000
  }
}
const pct = (arr, p) => {
  if (!arr.length) return null
  const s = [...arr].sort((x, y) => x - y)
  return s[Math.min(s.length - 1, Math.ceil(s.length * p) - 1)] / 1000
}
const r3 = (x) => (x == null ? null : +x.toFixed(3))
// /proc sampling
const tree = (root) => {
  const kids = new Map()
  for (const d of fs.readdirSync('/proc'))
    if (/^\d+$/.test(d))
      try {
        const s = fs.readFileSync(`/proc/${d}/stat`, 'latin1')
        const pp = s.slice(s.lastIndexOf(')') + 2).split(' ')[1]
        ;(kids.get(pp) ?? kids.set(pp, []).get(pp)).push(d)
      } catch {}
  const out = []
  const w = (p) => {
    out.push(p)
    ;(kids.get(p) || []).forEach(w)
  }
  w(String(root))
  return out
}
const pids = [...a.pid, ...a.pidtree.flatMap(tree)]
const sample = () => {
  let rss = 0,
    cpu = 0
  for (const p of pids)
    try {
      rss += +/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${p}/status`, 'latin1'))[1]
      const f = fs.readFileSync(`/proc/${p}/stat`, 'latin1')
      const g = f.slice(f.lastIndexOf(')') + 2).split(' ')
      cpu += (+g[11] + +g[12]) * 10
    } catch {}
  return { rss, cpu }
}
const s0 = sample()
const steadyRss = []
let peakRss = s0.rss
let started = 0,
  openNow = 0,
  peakOpen = 0,
  ok = 0,
  bad = 0,
  short = 0,
  events = 0,
  unstamped = 0,
  ended = 0,
  bytes = 0
const ttfh = [],
  ttfe = [],
  errs = new Map(),
  err = (k) => errs.set(k, (errs.get(k) || 0) + 1)
const t0 = us()
const TS1 = Buffer.from('"ts":'),
  TS2 = Buffer.from('@ts:'),
  NL2 = Buffer.from('\n\n')
function one(done) {
  const ts0 = us()
  let rest = null,
    got = 0,
    first = true,
    fin = false
  const finish = (good, why) => {
    if (fin) return
    fin = true
    openNow--
    if (good) {
      ok++
      if (got < N) {
        short++
        err(`short stream ${got}/${N}`)
      }
    } else {
      bad++
      err(why)
    }
    done()
  }
  started++
  if (++openNow > peakOpen) peakOpen = openNow
  const rq = lib.request(
    {
      host: base.hostname,
      port: base.port || (lib === https ? 443 : 80),
      path: target,
      method: a.method,
      headers,
      agent,
    },
    (res) => {
      if (res.statusCode !== 200) {
        res.resume()
        res.on('end', () => finish(false, 'HTTP ' + res.statusCode))
        return
      }
      ttfh.push(us() - ts0)
      res.on('data', (c) => {
        const now = us()
        bytes += c.length
        const b = rest ? Buffer.concat([rest, c]) : c
        let p = 0
        for (;;) {
          const e = b.indexOf(NL2, p)
          if (e < 0) break
          const ev = b.subarray(p, e)
          p = e + 2
          let k = ev.indexOf(TS1),
            m = 5
          if (k < 0) {
            k = ev.indexOf(TS2)
            m = 4
          }
          if (k < 0) {
            if (ev.includes('message_end')) ended++
            else unstamped++
            continue
          }
          let v = 0
          for (let i = k + m; i < ev.length; i++) {
            const d = ev[i] - 48
            if (d < 0 || d > 9) break
            v = v * 10 + d
          }
          if (first) {
            first = false
            ttfe.push(now - ts0)
          }
          got++
          events++
          if (v - t0 >= WARM * 1000) add(now - v)
        }
        rest = p < b.length ? b.subarray(p) : null
      })
      res.on('end', () => finish(true))
      res.on('error', (e) => finish(false, e.code || e.message))
      res.on('aborted', () => finish(false, 'aborted'))
    },
  )
  rq.on('error', (e) => finish(false, e.code || e.message))
  rq.end(body)
}
let over = false
const timer = setInterval(() => {
  const s = sample()
  if (s.rss > peakRss) peakRss = s.rss
  if (openNow >= C * 0.98) steadyRss.push(s.rss)
}, 250)
const kill = setTimeout(() => {
  err('run timeout')
  report()
}, +a.timeout * 1000)
const next = () => {
  if (started < T) one(next)
  else if (openNow === 0) report()
}
for (let i = 0; i < Math.min(C, T); i++) setTimeout(() => one(next), (i * RAMP) / C)
function report() {
  if (over) return
  over = true
  clearInterval(timer)
  clearTimeout(kill)
  const wall = (us() - t0) / 1e6,
    s1 = sample(),
    cpu = s1.cpu - s0.cpu,
    md = steadyRss.length ? steadyRss.sort((x, y) => x - y)[steadyRss.length >> 1] : peakRss
  const me = process.cpuUsage()
  console.log(
    JSON.stringify({
      label: a.label,
      c: C,
      total: T,
      n: N,
      rate: R,
      wall_s: r3(wall),
      ok,
      bad,
      short,
      peak_open: peakOpen,
      events,
      message_end: ended,
      unstamped,
      mb: r3(bytes / 1e6),
      events_per_s: Math.round(events / wall),
      streams_per_s: r3(ok / wall),
      ttfh_p50: r3(pct(ttfh, 0.5)),
      ttfh_p99: r3(pct(ttfh, 0.99)),
      ttfe_p50: r3(pct(ttfe, 0.5)),
      ttfe_p99: r3(pct(ttfe, 0.99)),
      lat_p50: r3(q(0.5)),
      lat_p90: r3(q(0.9)),
      lat_p99: r3(q(0.99)),
      lat_p999: r3(q(0.999)),
      lat_max: r3(hmax / 1000),
      lat_n: hn,
      ...(pids.length
        ? {
            rss0_mib: r3(s0.rss / 1024),
            rss_steady_mib: r3(md / 1024),
            rss_peak_mib: r3(peakRss / 1024),
            kib_per_stream: r3((md - s0.rss) / C),
            cpu_ms: cpu,
            cpu_us_per_event: r3((cpu * 1000) / Math.max(1, events)),
            cpu_us_per_stream: r3((cpu * 1000) / Math.max(1, ok)),
            cpu_share: r3(cpu / 1000 / wall),
          }
        : {}),
      client_cpu_share: r3((me.user + me.system) / 1e6 / wall),
      errors: Object.fromEntries(errs),
    }),
  )
  process.exit(bad ? 1 : 0)
}
