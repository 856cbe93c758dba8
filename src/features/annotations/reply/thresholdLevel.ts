/** Classifies a typed threshold by how similar a question must be. */
export function toThresholdLevel(
  thresholdText: string,
): 'none' | 'out' | 'zero' | 'low' | 'middle' | 'high' | 'strict' | 'one' {
  if (thresholdText.trim() === '') return 'none'
  const threshold = Number(thresholdText)
  if (!(threshold >= 0 && threshold <= 1)) return 'out'
  if (threshold === 0) return 'zero'
  if (threshold === 1) return 'one'
  if (threshold < 0.6) return 'low'
  if (threshold < 0.8) return 'middle'
  return threshold < 0.95 ? 'high' : 'strict'
}
