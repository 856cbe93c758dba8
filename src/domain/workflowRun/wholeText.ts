import { asRecord, asText } from '../stream/untrustedJson.ts'
import type { RunState } from './runState.ts'

/**
 * A run of whose text a part was not seen, with the whole text from its outputs: that of the output which begins and ends
 * like the text that was seen. Unchanged where no output does.
 */
export function withWholeText(run: RunState): RunState {
  const seen = run.text.trimEnd()
  if (seen === '') return run
  const outputs = Object.values(asRecord(run.outputs) ?? {}).map((value) => asText(value)?.trimEnd() ?? '')
  const whole = outputs.find((output) => output.length > seen.length && isCutFrom(seen, output))
  return whole === undefined ? run : { ...run, text: whole }
}

/** Whether a text is another one with a part cut out. */
function isCutFrom(text: string, whole: string): boolean {
  let prefix = 0
  while (prefix < text.length && text[prefix] === whole[prefix]) prefix++
  return whole.endsWith(text.slice(prefix))
}
