/** The platform's names of the modes that one kind of key shares: the keys of all three are chat keys. */
export const APP_MODE_NAMES: Readonly<Record<string, string>> = {
  'advanced-chat': 'Chatflow',
  agent: 'Agent',
  'agent-chat': 'Agent (legacy)',
}
