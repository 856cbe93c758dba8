import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * An OpenAI-compatible endpoint that writes one word after the other, `gapMs` milliseconds apart. After `heldAfter` words it
 * waits for `release`.
 */
export async function startModelServer(
  words: string[],
  gapMs: number,
  { heldAfter = Infinity }: { heldAfter?: number } = {},
): Promise<{ url: string; release: () => void; close: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', async () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunk = (delta: unknown, finish_reason: string | null = null) =>
        response.write(
          `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'slow', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
        )
      for (const [index, content] of words.entries()) {
        if (index === heldAfter) await released
        if (response.destroyed) return
        chunk({ content })
        await new Promise((resolve) => setTimeout(resolve, gapMs))
      }
      chunk({}, 'stop')
      response.end('data: [DONE]\n\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    release,
    close: () => {
      release()
      server.closeAllConnections()
      server.close()
    },
  }
}
