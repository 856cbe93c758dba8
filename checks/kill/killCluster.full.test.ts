import { expect, it } from 'vitest'
import { describeWith, requirements, titleWith } from '#support/requirements.ts'
import type { ProxyProgram } from '#support/reverseProxy.ts'
import { startPostgresql } from '../../server/db/postgresql.testing.ts'
import { type ClusterFault, killCluster } from './killCluster.ts'

const CASES: [balancer: ProxyProgram, fault: ClusterFault][] = [
  ['haproxy', 'kill'],
  ['haproxy', 'restart'],
  ['nginx', 'kill'],
  ['nginx', 'restart'],
  ['caddy', 'restart'],
]

describeWith(requirements.postgresql)('three servers behind a balancer with its shipped file', () => {
  for (const [balancer, fault] of CASES) {
    const title =
      fault === 'kill'
        ? `${balancer}: servers that are killed in turn cost no frame, no session and no answer of 5xx`
        : `${balancer}: servers that are restarted in turn cut no run, and give no answer of 5xx`
    const test = requirements[balancer].isMet ? it : it.skip
    test(titleWith(requirements[balancer], title), async () => {
      const postgresql = await startPostgresql()
      try {
        const { problems, ends, requests } = await killCluster({
          balancer,
          fault,
          faultyServers: 2,
          streams: 8,
          seconds: 4,
          framesPerSecond: 10,
          rows: 100,
          steadyMs: 1_500,
          drainSeconds: 4,
          stopTimeoutSeconds: 60,
          postgresql,
        })
        expect(problems).toEqual([])
        expect(requests).toBeGreaterThan(20)
        if (fault === 'restart') expect(ends).toEqual({ succeeded: ends['succeeded'] })
        // It was in the middle of it.
        else expect(ends['interrupted']).toBeGreaterThan(0)
      } finally {
        await postgresql.stop()
      }
    })
  }
})
