import { adjacent } from './adjacent.ts'
import { annotations } from './annotations.ts'
import { chat } from './chat.ts'
import { completion } from './completion.ts'
import { console_ } from './console.ts'
import { datasets } from './datasets.ts'
import { documents } from './documents.ts'
import { segments } from './segments.ts'
import { workflows } from './workflows.ts'

/** Every request that the console knows, by noun. The first seven are the 18 operations of the interface. */
export const contract = {
  datasets,
  documents,
  segments,
  workflows,
  chat,
  completion,
  annotations,
  adjacent,
  console: console_,
}
