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
    expect(body).toMatchObject({
      file_upload: {
        enabled: expect.any(Boolean),
        image: {
          enabled: expect.any(Boolean),
          number_limits: expect.any(Number),
          detail: 'high',
          transfer_methods: ['remote_url', 'local_file'],
        },
        allowed_file_types: expect.any(Array),
      },
      system_parameters: {
        file_size_limit: 15,
        image_file_size_limit: 10,
        audio_file_size_limit: 15,
        video_file_size_limit: 15,
        workflow_file_upload_limit: 10,
      },
      retriever_resource: { enabled: mode === 'chat' || mode === 'advanced-chat' },
    })
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

test('no application answers without its key, or to the knowledge key', async () => {
  const platform = await serve()
  for (const app of ['knowledge', 'unknown'])
    for (const path of ['/parameters', '/info', '/meta', '/apps/annotations'])
      expect((await platform.call(app, 'GET', path)).status).toBe(401)
})
