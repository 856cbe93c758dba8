import {
  type CauseKind,
  type ExperimentCause,
  MAX_CAUSES_PER_CASE,
} from '#contract/console/experiments/experimentCauses.ts'
import type { ExperimentDifference } from '#contract/console/suites.ts'
import { measureWording } from '../checks/textSimilarity.ts'
import { toComparisonKey } from '../textComparison.ts'

/** A passage that an answer cited or used; `text` is null if the answer no longer has it. */
export interface CitedPassage {
  segment_id: string
  document_id: string | null
  dataset_id: string | null
  text: string | null
}

/** A case that regressed, with the passages of its answer in the older and in the newer of two experiments, best first. */
export interface RegressedCase {
  case_id: string
  older: readonly CitedPassage[]
  newer: readonly CitedPassage[]
  /** When the older answer began and the newer one ended (Unix ms): only edits between the two can be a cause. */
  from: number
  to: number
}

/** An edit of a segment or a document, by the call that made it. */
export interface RecordedEdit {
  call: string
  person: string | null
  /** Unix ms. */
  at: number
  kind: CauseKind
  dataset_id: string | null
  document_id: string | null
  segment_id: string | null
  /** The text of the edit; null if unknown, or if the text was not edited. */
  text: string | null
}

/** Changed settings of a dataset; the call is the last one that changed them. */
export interface SettingsChange {
  call: string
  person: string | null
  at: number
  kind: CauseKind
  dataset_id: string
  differences: ExperimentDifference[]
}

/** A difference between the experiments or their apps: it affects every case. */
export interface AppChange {
  kind: CauseKind
  differences: ExperimentDifference[]
}

export interface CauseSources {
  /** In the order in which they were made. */
  edits: readonly RecordedEdit[]
  settings: readonly SettingsChange[]
  app: readonly AppChange[]
  /** The texts of other segments, from any answer of the older experiment. */
  olderTexts: ReadonlyMap<string, string>
}

export type RankedCause = Omit<ExperimentCause, 'document_name'>
interface RankedCase {
  case_id: string
  causes: { id: string; changed_share: number | null }[]
}

/**
 * The changes between two experiments that the answers of regressed cases depended on. A change that was reverted is
 * not a cause. Edits of passages cited by the older answer come first, by how much of the cited text changed; then
 * another version of the app, slight edits, edits of passages found only by the newer answer, and settings, which
 * change the whole dataset.
 */
export function rankCauses(
  cases: readonly RegressedCase[],
  sources: CauseSources,
): { causes: RankedCause[]; cases: RankedCase[] } {
  const causes = new Map<string, RankedCause & { firsts: number; group: CauseGroup }>()
  const cited = cases.flatMap(({ older }) =>
    older.flatMap(({ segment_id, text }) => (text === null ? [] : [[segment_id, text] as const])),
  )
  const olderTexts = new Map([...sources.olderTexts, ...cited])
  const ranked = cases.map((one): RankedCase => {
    const candidates = listCandidates(one, { ...sources, olderTexts })
      .sort(compareCandidates)
      .slice(0, MAX_CAUSES_PER_CASE)
    for (const [index, { cause, group }] of candidates.entries()) {
      const known = causes.get(cause.id) ?? { ...cause, cases: 0, firsts: 0, group }
      causes.set(cause.id, {
        ...known,
        cases: known.cases + 1,
        firsts: known.firsts + (index === 0 ? 1 : 0),
        group: known.group < group ? known.group : group,
      })
    }
    return {
      case_id: one.case_id,
      causes: candidates.map(({ cause, changed_share }) => ({ id: cause.id, changed_share })),
    }
  })
  const sorted = [...causes.values()].sort(
    (one, other) => other.firsts - one.firsts || other.cases - one.cases || one.group - other.group,
  )
  return { causes: sorted.map(({ firsts: _firsts, group: _group, ...cause }) => cause), cases: ranked }
}

const CAUSE_GROUPS = { cited: 0, app: 1, slight: 2, found: 3, settings: 4, unknownText: 5 } as const
type CauseGroup = (typeof CAUSE_GROUPS)[keyof typeof CAUSE_GROUPS]

interface Candidate {
  cause: Omit<RankedCause, 'cases'>
  group: CauseGroup
  changed_share: number | null
  /** Rank of the first affected passage. */
  position: number
}

/** Edits that change less of a text rank after another version of the app. */
const SLIGHT_SHARE = 0.1

/** Texts with an unknown change rank in the middle. */
const UNKNOWN_SHARE = 0.5

const compareCandidates = (one: Candidate, other: Candidate): number =>
  one.group - other.group ||
  (other.changed_share ?? UNKNOWN_SHARE) - (one.changed_share ?? UNKNOWN_SHARE) ||
  one.position - other.position

function listCandidates(one: RegressedCase, { edits, settings, app, olderTexts }: CauseSources): Candidate[] {
  const inTime = edits.filter(({ at }) => at >= one.from && at <= one.to)
  const datasets = new Set([...one.older, ...one.newer].map(({ dataset_id }) => dataset_id))
  const documents = toDocuments(one)
  return [
    ...toPassagePairs(one).flatMap((pair) => toSegmentCandidate(pair, inTime, olderTexts.get(pair.id) ?? null) ?? []),
    ...documents.flatMap((pair) => toDocumentCandidate(pair, inTime) ?? []),
    ...settings
      .filter(({ dataset_id, at }) => datasets.has(dataset_id) && at >= one.from && at <= one.to)
      .map((change) => toCandidate(`${change.kind} ${change.dataset_id}`, change, CAUSE_GROUPS.settings)),
    ...app.map((change) => toCandidate(change.kind, change, CAUSE_GROUPS.app)),
  ]
}

interface PassagePair {
  id: string
  older: CitedPassage | null
  newer: CitedPassage | null
  position: number
}

/** The passages of both answers by their segment. */
function toPassagePairs({ older, newer }: RegressedCase): PassagePair[] {
  const ids = [...new Set([...older, ...newer].map(({ segment_id }) => segment_id))]
  return ids.map((id, position) => ({
    id,
    older: older.find(({ segment_id }) => segment_id === id) ?? null,
    newer: newer.find(({ segment_id }) => segment_id === id) ?? null,
    position,
  }))
}

/** The last edit of each segment decides; null if the segment is unchanged. */
function toSegmentCandidate(
  { id, older, newer, position }: PassagePair,
  edits: readonly RecordedEdit[],
  olderText: string | null,
) {
  const own = edits.filter(({ segment_id }) => segment_id === id)
  const last = (...kinds: CauseKind[]) => own.findLast(({ kind }) => kinds.includes(kind))
  const group = older ? CAUSE_GROUPS.cited : CAUSE_GROUPS.found
  const before = older?.text ?? olderText
  const isSame = before !== null && before === newer?.text
  const gone = last('segment_deleted') ?? toLasting(last('segment_disabled', 'segment_enabled'), 'segment_disabled')
  if (older && !newer && gone) return toCandidate(toEditId(gone, id), gone, group, 1, position)
  const appeared = last('segment_added') ?? toLasting(last('segment_disabled', 'segment_enabled'), 'segment_enabled')
  if (!older && newer && appeared) return toCandidate(toEditId(appeared, id), appeared, group, 1, position)
  const chunks = last('child_chunks_edited')
  if (chunks) return toCandidate(toEditId(chunks, id), chunks, group, null, position)
  const edit = own.findLast(({ kind, text }) => kind === 'segment_edited' && text !== null)
  const text = newer?.text ?? edit?.text ?? null
  if (edit && !isSame) {
    const share = before !== null && text !== null ? measureTextChange(before, text) : null
    if (share === 0) return null
    const isKnown = older !== null || share !== null
    const isSlight = older !== null && share !== null && share < SLIGHT_SHARE
    const place = isSlight ? CAUSE_GROUPS.slight : isKnown ? group : CAUSE_GROUPS.unknownText
    return toCandidate(toEditId(edit, id), edit, place, share, position)
  }
  const keywords = edit ? undefined : last('segment_edited')
  if (keywords) return toCandidate(toEditId(keywords, id), keywords, CAUSE_GROUPS.unknownText, null, position)
  if (before === null || !newer?.text || isSame) return null
  const { document_id, dataset_id } = newer
  const unrecorded = { kind: 'segment_changed_unrecorded', segment_id: id, document_id, dataset_id } as const
  return toCandidate(`unrecorded ${id}`, unrecorded, group, measureTextChange(before, newer.text), position)
}

const toLasting = (edit: RecordedEdit | undefined, kind: CauseKind) => (edit?.kind === kind ? edit : undefined)
const toEditId = ({ call }: RecordedEdit, id: string) => `${call} ${id}`

interface DocumentPair {
  id: string
  older: CitedPassage[]
  newer: CitedPassage[]
  position: number
}

function toDocuments({ older, newer }: RegressedCase): DocumentPair[] {
  const ids = [...new Set([...older, ...newer].flatMap(({ document_id }) => document_id ?? []))]
  return ids.map((id, position) => ({
    id,
    older: older.filter(({ document_id }) => document_id === id),
    newer: newer.filter(({ document_id }) => document_id === id),
    position,
  }))
}

/** The change of a document; null if it is unchanged. */
function toDocumentCandidate({ id, older, newer, position }: DocumentPair, edits: readonly RecordedEdit[]) {
  const own = edits.filter(({ document_id, segment_id }) => document_id === id && segment_id === null)
  const last = (...kinds: CauseKind[]) => own.findLast(({ kind }) => kinds.includes(kind))
  const isCited = older.length > 0
  const group = isCited ? CAUSE_GROUPS.cited : CAUSE_GROUPS.found
  const toOne = (edit: RecordedEdit, share: number | null = 1) =>
    toCandidate(toEditId(edit, id), edit, group, share, position)
  const deleted = last('document_deleted')
  if (isCited && deleted) return toOne(deleted)
  const replaced = last('document_replaced')
  const isAnew = older.some(({ segment_id }) => newer.every((one) => one.segment_id !== segment_id))
  if (replaced && (!isCited || isAnew)) return toOne(replaced, isCited ? measureLost(older, replaced.text) : 1)
  const switched = last('document_disabled', 'document_enabled')
  if (isCited && newer.length === 0 && switched?.kind === 'document_disabled') return toOne(switched)
  const added = last('document_added') ?? toLasting(switched, 'document_enabled')
  return !isCited && added ? toOne(added) : null
}

/** The share of the cited text that a new text of the document no longer has. */
function measureLost(cited: readonly CitedPassage[], text: string | null): number | null {
  if (text === null || cited.some((one) => one.text === null)) return null
  const key = toComparisonKey(text)
  return cited.filter((one) => !key.includes(toComparisonKey(one.text ?? ''))).length / cited.length
}

/** Never 0 for texts that differ: another order of words is also a change. */
const MIN_CHANGE_SHARE = 0.01

/** How much of a text another wording changed, from 0 to 1. */
export const measureTextChange = (before: string, after: string): number =>
  before === after ? 0 : Math.max(MIN_CHANGE_SHARE, 1 - measureWording(before, after))

function toCandidate(
  id: string,
  given: Partial<RecordedEdit & Pick<SettingsChange, 'differences'>> & { kind: CauseKind },
  group: CauseGroup,
  changed_share: number | null = null,
  position = 0,
): Candidate {
  const { kind, call = null, person = null, at, dataset_id = null, document_id = null, segment_id = null } = given
  const time = at === undefined ? null : new Date(at).toISOString()
  const { differences = [] } = given
  return {
    cause: { id, kind, call, person, at: time, dataset_id, document_id, segment_id, differences },
    group,
    changed_share,
    position,
  }
}
