import { askQuestion, lastAnswer } from '#support/chatPage.ts'
import { answerSlowly, toMessageBlock, createAnswerIds, openStream } from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

const streamedWords = Array.from({ length: 60 }, (_, index) => `word${index} 校准 `)
const fullAnswer = streamedWords.join('').trim()

test('a reload in the middle, a second tab and a long way away see the same answer', async ({
  signedInPage,
  faultyWorkspace,
  context,
}) => {
  faultyWorkspace.platform.script = (seen, response) =>
    seen.path.endsWith('/chat-messages')
      ? answerSlowly(response, createAnswerIds(), streamedWords, 60)
      : void response.writeHead(404).end()
  await signedInPage.goto(faultyWorkspace.chat)
  await askQuestion(signedInPage, 'Tell me.')
  await expect(lastAnswer(signedInPage)).toContainText('word5')
  const second = await context.newPage()
  await second.goto(signedInPage.url())
  await signedInPage.reload()
  await signedInPage.getByRole('link', { name: 'Datasets' }).click()
  await signedInPage.goBack()
  for (const page of [signedInPage, second]) {
    await expect(lastAnswer(page)).toContainText('word59')
    expect(((await lastAnswer(page).locator('p').first().textContent()) ?? '').trim()).toBe(fullAnswer)
  }
  expect(faultyWorkspace.platform.requests.filter(({ path }) => path.endsWith('/chat-messages'))).toHaveLength(1)
})

test('Stop watching leaves the run to the server, and Watch again has it all', async ({
  signedInPage,
  faultyWorkspace,
}) => {
  faultyWorkspace.platform.script = (seen, response) =>
    seen.path.endsWith('/chat-messages')
      ? answerSlowly(response, createAnswerIds(), streamedWords, 100)
      : void response.writeHead(404).end()
  await signedInPage.goto(faultyWorkspace.chat)
  await askQuestion(signedInPage, 'Tell me.')
  await expect(lastAnswer(signedInPage)).toContainText('word3')
  await signedInPage.getByRole('button', { name: 'Stop watching' }).click()
  await expect(signedInPage.getByText('You stopped watching')).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Resume watching' }).click()
  await expect(lastAnswer(signedInPage)).toContainText('word59')
  expect(faultyWorkspace.platform.requests.filter(({ path }) => path.endsWith('/chat-messages'))).toHaveLength(1)
})

test('a stream that the platform cuts is called interrupted and keeps what came', async ({
  signedInPage,
  faultyWorkspace,
}) => {
  faultyWorkspace.platform.script = (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    openStream(response)
    response.write(toMessageBlock(createAnswerIds(), 'Half of an'))
    setTimeout(() => response.destroy(), 300)
  }
  await signedInPage.goto(faultyWorkspace.chat)
  await askQuestion(signedInPage, 'Tell me.')
  await expect(signedInPage.getByText('interrupted').first()).toBeVisible()
  await expect(lastAnswer(signedInPage)).toContainText('Half of an')
  await expect(signedInPage.getByText('cut here')).toBeVisible()
  await expect(signedInPage.getByRole('button', { name: 'Send again' })).toBeVisible()
})

test('a refusal is shown word for word and signs nobody out', async ({ signedInPage, faultyWorkspace }) => {
  faultyWorkspace.platform.script = (_seen, response) =>
    void response
      .writeHead(401, { 'content-type': 'application/json' })
      .end('{"code":"unauthorized","message":"Access token is invalid","status":401}')
  await signedInPage.goto(faultyWorkspace.chat)
  await askQuestion(signedInPage, 'Tell me.')
  await expect(signedInPage.getByText('Access token is invalid').first()).toBeVisible()
  await expect(signedInPage).toHaveURL(/\/chat/)
  await signedInPage.getByRole('link', { name: 'Datasets' }).click()
  await expect(signedInPage.getByRole('heading', { name: 'Datasets' })).toBeVisible()
})
