import { expect, test, vi } from 'vitest'
import type { RunStore } from '../../../client/runStore.ts'
import { type RoundRequest, RoundScheduler } from './roundScheduler.ts'

/** A store of runs that notes what was begun, and ends a run when a test says so. */
function aStage() {
  const begun: string[] = []
  const watched = new Set<string>()
  const lost = new Set<string>()
  let onEnd: (run_id: string) => void = () => undefined
  const runs: Pick<RunStore, 'watch' | 'start' | 'subscribe' | 'onEnd' | 'view'> = {
    watch: () => undefined,
    start: (_entry, _input, run_id = '') => {
      begun.push(run_id)
      return run_id
    },
    subscribe: (run_id) => {
      watched.add(run_id)
      return () => watched.delete(run_id)
    },
    onEnd: (listener) => {
      onEnd = listener
      return () => true
    },
    view: (run_id) => (lost.has(run_id) ? ({ phase: 'unsent' } as ReturnType<RunStore['view']>) : null),
  }
  const scheduler = new RoundScheduler(runs)
  const send = (request: RoundRequest) => {
    scheduler.reserve(request.ids)
    scheduler.enqueue(request)
  }
  return { scheduler, send, begun, watched, lost, end: (run_id: string) => onEnd(run_id) }
}
/** Each on a platform of its own, by its first letter. */
const rounds = (ids: string[], after?: string) => ({
  entry: 'chat.send' as const,
  key: 'k',
  body: {},
  platform: ids[0]?.[0] ?? '',
  board_id: 'board',
  ids,
  after,
})

test('a round goes out when the one before it has ended, whatever other cells do', () => {
  const { scheduler, send, begun, watched, end } = aStage()
  send(rounds(['a1', 'a2']))
  send(rounds(['b1', 'b2']))
  expect(begun).toEqual(['a1', 'b1'])
  expect([...scheduler.waiting()]).toEqual(['a2', 'b2'])
  end('b1')
  expect(begun).toEqual(['a1', 'b1', 'b2'])
  expect([...watched]).toEqual(['a1', 'b2'])
  end('b2')
  end('a1')
  end('a2')
  expect([...scheduler.waiting(), ...watched]).toEqual([])
})

test('rounds that are given up, or that follow one that never left, are not sent', () => {
  const { scheduler, send, begun, lost, end } = aStage()
  send(rounds(['a1', 'a2']))
  scheduler.cancel(['a2'])
  end('a1')
  send(rounds(['b1', 'b2']))
  lost.add('b1')
  end('b1')
  expect(begun).toEqual(['a1', 'b1'])
  expect([...scheduler.waiting()]).toEqual([])
})

test('a round that is cancelled while its board is being saved is not sent', () => {
  const { scheduler, begun, end } = aStage()
  scheduler.reserve(['a1', 'a2', 'b1'])
  scheduler.cancel(['a1', 'b1'])
  scheduler.enqueue(rounds(['a1', 'a2']))
  scheduler.enqueue(rounds(['b1']))
  end('a2')
  expect(begun).toEqual(['a2'])
  expect([...scheduler.waiting()]).toEqual([])
})

test('a tab that comes back waits for the round that goes on', () => {
  const { send, begun, end } = aStage()
  send(rounds(['a2', 'a3'], 'a1'))
  expect(begun).toEqual([])
  end('a1')
  expect(begun).toEqual(['a2'])
  end('a2')
  expect(begun).toEqual(['a2', 'a3'])
})

test('a round whose end was read and not watched sends the next one, once', () => {
  const { scheduler, send, begun, end } = aStage()
  send(rounds(['a1', 'a2', 'a3']))
  scheduler.isFinished('a1')
  scheduler.isFinished('a1')
  end('a1')
  expect(begun).toEqual(['a1', 'a2'])
})

test('rounds that start together on one platform start one after another, slower after a burst was refused', () => {
  vi.useFakeTimers()
  try {
    const { scheduler, send, begun } = aStage()
    for (const id of ['a1', 'a2', 'a3', 'a4']) send(rounds([id]))
    expect(begun).toEqual(['a1'])
    expect([...scheduler.waiting()]).toEqual(['a2', 'a3', 'a4'])
    vi.advanceTimersByTime(400)
    expect(begun).toEqual(['a1', 'a2'])
    scheduler.cancel(['a3'])
    vi.advanceTimersByTime(800)
    expect(begun).toEqual(['a1', 'a2', 'a4'])
    expect([...scheduler.waiting()]).toEqual([])

    vi.advanceTimersByTime(10_000)
    scheduler.slowDown('a')
    for (const id of ['a5', 'a6']) send(rounds([id]))
    vi.advanceTimersByTime(799)
    expect(begun.at(-1)).toBe('a5')
    vi.advanceTimersByTime(1)
    expect(begun.at(-1)).toBe('a6')
  } finally {
    vi.useRealTimers()
  }
})
