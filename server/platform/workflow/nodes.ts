import type { RecordedFile } from '../apps/files.ts'
import type { Hit } from '../retrieval/hit.ts'
import { holds } from './condition.ts'
import type { Node, NodeOf } from './graph.ts'
import { write } from './llm.ts'
import { NodeFailure, type Outcome, type Scope } from './scope.ts'
import { namesIn, render, show } from './template.ts'

/** Nodes that do one thing; the start and the iteration are the run's own. */
export type PlainNode = Exclude<Node, { type: 'start' | 'iteration' }>

/** Does what a node is there for. @throws NodeFailure with the reason why it cannot */
export function execute(node: PlainNode, scope: Scope): Promise<Outcome> | Outcome {
  switch (node.type) {
    case 'knowledge-retrieval':
      return retrieve(node, scope)
    case 'document-extractor':
      return extractDocument(node, scope)
    case 'if-else':
      return choose(node, scope)
    case 'template-transform':
      return transform(node, scope)
    case 'llm':
      return write(node, scope)
    case 'end': {
      const outputs = Object.fromEntries(
        node.outputs.map(({ variable, value_selector }) => [variable, scope.read(value_selector)]),
      )
      return { inputs: outputs, outputs }
    }
  }
}

/** A passage as later nodes read it; the shape is upstream's, with the position of its citation mark. */
export interface FoundPassage {
  title: string
  content: string
  metadata: {
    position: number
    score: number
    dataset_id: string
    document_id: string
    segment_id: string
    document_name: string
    dataset_name: string
  }
}

async function retrieve(node: NodeOf<'knowledge-retrieval'>, { read, services }: Scope): Promise<Outcome> {
  const query = show(read(node.query_selector))
  if (!query.trim())
    throw new NodeFailure(`${node.query_selector.join('.')} is empty, so there is nothing to look for.`)
  const hits = await services.retrieve({ query, top_k: node.top_k })
  return { inputs: { query }, outputs: { result: hits.map(passageOf) } }
}

const passageOf = ({ content, answer, document_name, ...hit }: Hit): FoundPassage => ({
  title: document_name,
  content: answer ? `${content}\n${answer}` : content,
  metadata: {
    position: hit.position,
    score: hit.score,
    dataset_id: hit.dataset_id,
    dataset_name: hit.dataset_name,
    document_id: hit.document_id,
    document_name,
    segment_id: hit.segment_id,
  },
})

async function extractDocument(node: NodeOf<'document-extractor'>, { read, services }: Scope): Promise<Outcome> {
  const at = node.file_selector.join('.')
  const given = read(node.file_selector)
  const files = (Array.isArray(given) ? given : [given]).map((file) => readFile(file, at))
  const texts: string[] = []
  for (const file of files) texts.push(await services.readText(file))
  return { inputs: { [at]: given }, outputs: { text: Array.isArray(given) ? texts : texts[0] } }
}

function readFile(given: unknown, at: string): RecordedFile {
  if (given === null || given === undefined) throw new NodeFailure(`${at} holds no file, and this node needs one.`)
  const isFile = typeof given === 'object' && 'transfer_method' in given
  if (!isFile) throw new NodeFailure(`${at} holds ${JSON.stringify(given).slice(0, 80)}, which is no file.`)
  return given as RecordedFile
}

function choose({ cases }: NodeOf<'if-else'>, { read }: Scope): Outcome {
  const looked = cases.map(({ id, logical_operator, conditions }) => {
    const results = conditions.map((condition) => {
      const found = read(condition.variable_selector)
      return {
        actual_value: found,
        expected_value: condition.value ?? null,
        comparison_operator: condition.operator,
        result: holds(condition, found),
      }
    })
    const all = logical_operator === 'and'
    return { id, results, holds: all ? results.every(({ result }) => result) : results.some(({ result }) => result) }
  })
  const chosen = looked.find((one) => one.holds)
  const way = chosen?.id ?? 'else'
  return {
    inputs: { conditions: looked.flatMap(({ results }) => results) },
    process_data: {
      condition_results: looked.map(({ id, results, holds: result }) => ({ case_id: id, result, results })),
    },
    outputs: { result: Boolean(chosen), selected_case_id: way },
    way,
  }
}

/** Upstream's longest result of a template, in characters. */
const LONGEST = 80_000

function transform({ template }: NodeOf<'template-transform'>, { read }: Scope): Outcome {
  const values = new Map(namesIn(template).map((name) => [name, read(name.split('.'))]))
  const output = render(template, (name) => values.get(name))
  if (output.length > LONGEST)
    throw new NodeFailure(`The result has ${output.length} characters, allowed are ${LONGEST}.`)
  return { inputs: Object.fromEntries(values), outputs: { output } }
}
