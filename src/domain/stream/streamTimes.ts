/** When frames of a stream arrived, in milliseconds since the request was sent; null until one arrives. */
export interface StreamTimes {
  first_frame_ms: number | null
  /** The first frame with text. */
  first_token_ms: number | null
  last_frame_ms: number | null
}

export const NO_FRAME_TIMES: StreamTimes = { first_frame_ms: null, first_token_ms: null, last_frame_ms: null }

/** The times after one more frame. `hasText`: the answer has text by now. */
export const addFrameTime = (times: StreamTimes, at: number, hasText: boolean): StreamTimes => ({
  first_frame_ms: times.first_frame_ms ?? at,
  first_token_ms: times.first_token_ms ?? (hasText ? at : null),
  last_frame_ms: at,
})

type StoredTimes = Omit<StreamTimes, 'last_frame_ms'>
export const pickStoredTimes = ({ first_frame_ms, first_token_ms }: StoredTimes): StoredTimes => ({
  first_frame_ms,
  first_token_ms,
})

/** The times in the stored run, otherwise the observed ones. */
export const toKnownTimes = (
  run: StoredTimes | null,
  { first_frame_ms, first_token_ms, last_frame_ms }: StreamTimes,
): StreamTimes => ({
  first_frame_ms: run?.first_frame_ms ?? first_frame_ms,
  first_token_ms: run?.first_token_ms ?? first_token_ms,
  last_frame_ms,
})
