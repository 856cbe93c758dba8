/** One call of a client library, as it goes over the line. `{name}` in texts stands for a value that an earlier call saved. */
export interface ClientCall {
  /** The method of the library. */
  name: string
  key: 'knowledge' | 'chat' | 'completion' | 'workflow' | 'chatflow'
  request: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  query?: Record<string, string | number | null>
  json?: object
  /** Text parts, and the part `file` with this name. */
  form?: { fields: Record<string, string>; file: string }
  /** The status of the reply; 200 if absent. */
  status?: number
  /** Values to save, by their paths in the reply: `document.id`. Of a stream, in its first event with data. */
  saves?: Record<string, string>
  /** The call is repeated until the reply has these values. */
  until?: Record<string, unknown>
}

/** How a library encodes its calls. */
export interface ClientLibrary {
  /** Whether the JSON content type goes with every call or with bodies alone. */
  jsonType: 'always' | 'with body'
  /** What is sent for a query value of null. */
  nullQuery: 'empty' | 'left out'
  calls: readonly ClientCall[]
  /** Calls of operations that the platform does not offer: 404 without a word on a missing record. */
  notOffered: readonly ClientCall[]
}
