import fc from 'fast-check'
import { contract } from '#contract/index.ts'
import { fillPath, getPathParamNames } from '#contract/endpoint.ts'
import { createTarget, fromSamples, requireThat, type FuzzTarget } from './target.ts'

const { console: _own, ...platform } = contract
const entries = Object.values(platform).flatMap((noun) => Object.values(noun)) as {
  path: string
  params: { safeParse: (value: unknown) => { success: boolean; data?: unknown } }
}[]

const idArbitrary = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'binary', maxLength: 24 }),
  fromSamples('.¦..¦%2e%2e¦..%2f..¦//¦\\¦\0¦;¦/¦．．¦?x=1¦#¦¦ ¦a/../b¦enable'),
  fc.tuple(fc.uuid(), fc.constantFrom('/..', '%2f', '\n', '/', '?')).map(([uuid, tail]) => uuid + tail),
)

/** Whatever stands in an address, a request goes where its operation goes, or nowhere. */
export const createPathTarget = (): FuzzTarget =>
  createTarget(
    fc.tuple(fc.constantFrom(...entries), fc.array(idArbitrary, { minLength: 6, maxLength: 6 })),
    ([entry, ids]: [(typeof entries)[number], string[]]) => {
      const given = Object.fromEntries(getPathParamNames(entry.path).map((name, index) => [name, ids[index] ?? '']))
      const checked = entry.params.safeParse(given)
      if (!checked.success) return
      const url = new URL(`http://platform.test:1/v1${fillPath(entry.path, checked.data as Record<string, string>)}`)
      requireThat(
        url.origin === 'http://platform.test:1' && url.search === '' && url.hash === '',
        `It goes to ${url.href}.`,
      )
      const segments = url.pathname.split('/')
      const template = `/v1${entry.path}`.split('/')
      requireThat(segments.length === template.length, `${url.pathname} has another shape than ${entry.path}.`)
      for (const [index, part] of template.entries())
        if (!part.startsWith(':')) requireThat(segments[index] === part, `${url.pathname} is another operation's.`)
    },
  )
