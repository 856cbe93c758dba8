import { expect, test } from 'vitest'
import { AppParameters } from '#contract/platform/appParameters.ts'
import { APPS } from './appCatalogue.ts'
import { setupApps } from './serveApps.fixture.ts'

const { serve } = setupApps()

test.each(APPS.map(({ id, mode }) => [id, mode]))(
  '%s shows its parameters with every field of the interface',
  async (id, mode) => {
    const platform = await serve()
    const { status, body } = await platform.call(id, 'GET', '/parameters?user=ada')
    expect(status).toBe(200)
    const parameters = AppParameters.parse(body)
    for (const entry of parameters.user_input_form ?? []) {
      const [control, ...more] = Object.values(entry)
      expect(more).toEqual([])
      expect(control).toMatchObject({
        label: expect.any(String),
        variable: expect.any(String),
        required: expect.any(Boolean),
        default: expect.any(String),
      })
    }
    expect(body).toMatchObject({ retriever_resource: { enabled: mode === 'chat' || mode === 'advanced-chat' } })
    const info = await platform.call(id, 'GET', '/info')
    expect(info.body).toEqual({
      name: expect.any(String),
      description: expect.any(String),
      tags: expect.any(Array),
      mode,
      author_name: 'Loupe',
    })
    expect((await platform.call(id, 'GET', '/meta')).body).toEqual({ tool_icons: {} })
  },
)
