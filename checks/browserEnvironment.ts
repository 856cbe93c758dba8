import { builtinEnvironments, type Environment } from 'vitest/runtime'

const { jsdom } = builtinEnvironments

/** jsdom, and what browsers have and jsdom does not, such as streams: those of Node. */
const browserEnvironment: Environment = {
  ...jsdom,
  async setupVM(options) {
    if (!jsdom.setupVM) throw new Error('jsdom has no setup for a context of its own.')
    const page = await jsdom.setupVM(options)
    const context = page.getVmContext() as Record<string, unknown>
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(globalThis)))
      if (!(name in context)) context[name] = value ?? Reflect.get(globalThis, name)
    return page
  },
}
export default browserEnvironment
