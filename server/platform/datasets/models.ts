import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { route } from '../route.ts'
import { PROVIDER } from './dataset-record.ts'
import type { Knowledge } from './knowledge.ts'

/** Lists the models of the configured endpoint: the one that writes, and the one that embeds. */
export function models(app: FastifyInstance, { model }: Knowledge): void {
  route(app, adjacent.listModels, ({ params: { model_type } }) => {
    const names: Record<string, string | undefined> = { llm: model?.name, 'text-embedding': model?.embedding_name }
    const name = names[model_type]
    return { data: name ? [providerOf(name, model_type)] : [] }
  })
}

const providerOf = (name: string, model_type: string) => ({
  provider: PROVIDER,
  label: { en_US: 'OpenAI-compatible endpoint', zh_Hans: 'OpenAI 兼容接口' },
  icon_small: null,
  icon_large: null,
  status: 'active',
  models: [
    {
      model: name,
      label: { en_US: name, zh_Hans: name },
      model_type,
      features: [],
      fetch_from: 'customizable-model',
      model_properties: {},
      deprecated: false,
      status: 'active',
      load_balancing_enabled: false,
    },
  ],
})
