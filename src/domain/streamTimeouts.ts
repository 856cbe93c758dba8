/** How long the server waits for the response headers of a stream (ms). */
export const STREAM_HEADERS_TIMEOUT_MS = 60_000
/** How long a response may be silent between two bytes before the server ends it (ms). */
export const SILENCE_TIMEOUT_MS = 120_000
