/** Texts of the webhook of a workspace. */
export const webhookMessages = {
  webhook: 'Webhook',
  webhookWhy:
    'A signed POST when a run waits for a person, and when the platform refuses a key. It holds no key and no form token.',
  url: 'Webhook URL',
  urlHelp: 'Stored encrypted and never shown again.',
  secret: 'Signing secret',
  secretHelp: 'At least 16 characters. Leave it empty to have one created.',
  secretOnce: 'This is the signing secret. It is shown only now.',
  secretStored: 'I have stored it',
  saveWebhook: 'Save webhook',
  saveWebhookWhat: 'save the webhook',
  replaceWebhook: 'Replace webhook',
  removeWebhook: 'Delete webhook',
  removeWebhookTitle: 'Delete the webhook of {name}?',
  removeWebhookText: 'Events that are not delivered yet are deleted too.',
  removeWebhookWhat: 'delete the webhook',
  sendTest: 'Send a test event',
  testWhat: 'send a test event',
  readWhat: 'load the webhook',
  sendsTo: 'Sends to <code>{origin}</code>, set <at></at>.',
  noDelivery: 'Nothing was sent yet.',
  delivery_pending: 'Last event: <code>{event}</code>, being sent.',
  delivery_delivered: 'Last event: <code>{event}</code>, delivered <at></at>.',
  delivery_retrying:
    'Last event: <code>{event}</code>, attempt {attempts} failed <at></at>: {problem} Next attempt <next></next>.',
  delivery_given_up: 'Last event: <code>{event}</code>, given up after attempt {attempts} <at></at>: {problem}',
}
