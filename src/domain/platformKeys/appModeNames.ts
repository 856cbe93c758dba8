/** The platform's names of the modes that share a kind of key: the keys of all three are chat keys. */
export const APP_MODE_NAMES: Readonly<Record<string, string>> = {
  'advanced-chat': 'Chatflow',
  agent: 'Agent',
  'agent-chat': 'Agent (legacy)',
}
