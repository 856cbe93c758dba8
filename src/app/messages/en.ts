import { access } from '../../features/access/messages.ts'
import { annotations } from '../../features/annotations/messages.ts'
import { batches } from '../../features/batches/messages.ts'
import { chat } from '../../features/chat/messages.ts'
import { compare } from '../../features/compare/messages.ts'
import { completion } from '../../features/completion/messages.ts'
import { datasets } from '../../features/datasets/messages.ts'
import { documents } from '../../features/documents/messages.ts'
import { ledger } from '../../features/ledger/messages.ts'
import { home } from '../../features/home/messages.ts'
import { runs } from '../../features/runs/messages.ts'
import { labPage } from '../../features/lab/messages.ts'
import { retrieval } from '../../features/retrieval/messages.ts'
import { segments } from '../../features/segments/messages.ts'
import { workflows } from '../../features/workflows/messages.ts'
import { lab } from '../../lab/messages.ts'
import { annotate } from '../../run/annotate/messages.ts'
import { comparison } from '../../run/compare/messages.ts'
import { filters } from '../../run/filters/messages.ts'
import { frames } from '../../run/frames/messages.ts'
import { history } from '../../run/history/messages.ts'
import { run } from '../../run/messages.ts'
import { playback } from '../../run/playback/messages.ts'
import { playground } from '../../run/playground/messages.ts'
import { table } from '../../run/table/messages.ts'
import { timeline } from '../../run/timeline/messages.ts'
import { indexing, markdown, retrievalModel, ui } from '../../ui/messages.ts'
import { shell } from './shell.ts'

/** All words on the screen, one object a room. Another language is a file beside this one, of the same shape. */
export const en = {
  access,
  annotate,
  annotations,
  batches,
  chat,
  compare,
  comparison,
  completion,
  datasets,
  documents,
  filters,
  frames,
  history,
  home,
  indexing,
  lab,
  labPage,
  ledger,
  markdown,
  playback,
  playground,
  run,
  runs,
  retrieval,
  retrievalModel,
  segments,
  shell,
  table,
  timeline,
  ui,
  workflows,
}
