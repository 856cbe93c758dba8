import type { Key } from '#contract/console/workspaces.ts'

type ResponseMode = 'streaming' | 'blocking'

/** Agent apps refuse a blocking request, in every recorded release. */
export const isStreamingOnly = ({ mode }: Pick<Key, 'mode'>): boolean => mode === 'agent' || mode === 'agent-chat'

/** The chosen response mode, or `streaming` for an app that supports no other. */
export const toResponseMode = (app: Pick<Key, 'mode'>, chosen: ResponseMode): ResponseMode =>
  isStreamingOnly(app) ? 'streaming' : chosen
