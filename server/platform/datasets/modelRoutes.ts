import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { registerPlatformEndpoint } from '../platformRoute.ts'
import { PROVIDER } from './datasetRecord.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'

/** Lists the models of the configured endpoint: the one for generation, and the one for embedding. */
export function registerModelRoutes(app: FastifyInstance, { model }: KnowledgeContext): void {
  registerPlatformEndpoint(app, optionalEndpoints.listModels, ({ params: { model_type } }) => {
    const names: Record<string, string | undefined> = { llm: model?.name, 'text-embedding': model?.embedding_name }
    const name = names[model_type]
    return { data: name ? [toProvider(name, model_type)] : [] }
  })
}

const toProvider = (name: string, model_type: string) => ({
  provider: PROVIDER,
  label: { en_US: 'OpenAI-compatible endpoint', zh_Hans: 'OpenAI 兼容接口' },
  icon_small: null,
  icon_small_dark: null,
  status: 'active',
  models: [
    {
      model: name,
      label: { en_US: name, zh_Hans: name },
      model_type,
      features: [],
      fetch_from: 'predefined-model',
      model_properties: {},
      deprecated: false,
      status: 'active',
      load_balancing_enabled: false,
      has_invalid_load_balancing_configs: false,
    },
  ],
})
